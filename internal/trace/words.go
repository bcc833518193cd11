package trace

import (
	"fmt"
	"slices"
	"strings"
)

// Summary is what there is to see, the most telling first, a sentence each.
func (t *Trace) Summary() []string {
	said := append(t.fetches(), t.lines(), t.banks())
	if t.SomeWait() {
		said = append([]string{t.phases()}, said...)
	} else {
		said = append(said, t.phases())
	}
	return slices.DeleteFunc(said, func(s string) bool { return s == "" })
}

// Head says what was run: "32 × 32 times 32 × 32, 4 workgroups of 16 × 16".
func (t *Trace) Head() string {
	return fmt.Sprintf("%s: %s of %s", t.Case, plural(t.Groups(), "workgroup"), t.sizeText())
}

func (t *Trace) sizeText() string {
	s := t.Size
	switch {
	case s[2] > 1:
		return fmt.Sprintf("%d × %d × %d", s[0], s[1], s[2])
	case s[1] > 1:
		return fmt.Sprintf("%d × %d", s[0], s[1])
	}
	return fmt.Sprint(s[0])
}

// Caution says what is to be known of the trace before it is believed: that the
// shader is wrong, or that not all was counted. It is "" where nothing is.
func (t *Trace) Caution() string {
	var said []string
	if n := len(t.Errors); n > 0 {
		said = append(said, fmt.Sprintf("The simulator found %s in this shader, the first on line %d: %s. The pictures show it as it is.",
			plural(n, "mistake"), t.Errors[0].Line, strings.TrimSuffix(t.Errors[0].Message, ".")))
	}
	if !t.Finished {
		said = append(said, "It did not come to an end: it was stopped after so many steps.")
	}
	if t.Cut {
		said = append(said, fmt.Sprintf("It accesses memory more often than can be kept: the first %s accesses are counted.", Thousands(len(t.kept))))
	}
	return strings.Join(said, " ")
}

// Footnote says what the counts rest on.
const Footnote = "Counted as the text says it, every access each time; a compiler may keep a value instead of fetching it again. " +
	"Lines of 128 bytes, 32 neighbours and 32 banks of 4 bytes are those of NVIDIA's GPUs (CUDA C++ Programming Guide); WGSL promises none of them, and other GPUs differ."

// fetches says how often the elements of buffers are read and written, those that
// are treated alike in one breath.
func (t *Trace) fetches() []string {
	names := map[string][]string{}
	var order []string
	for i := range t.Variables {
		v := &t.Variables[i]
		how := v.often()
		if v.Space != Storage || how == "" {
			continue
		}
		if names[how] == nil {
			order = append(order, how)
		}
		names[how] = append(names[how], v.Name)
	}
	var said []string
	for _, how := range order {
		said = append(said, fmt.Sprintf("Each element of %s is %s.", list(names[how]), how))
	}
	return said
}

// often is how often each element is read and written: "fetched once and written
// once".
func (v *Variable) often() string {
	var does []string
	for _, way := range []struct {
		count Count
		verb  string
	}{{v.Reads, "fetched"}, {v.Writes, "written"}, {v.Atomics, "changed by atomics"}} {
		if way.count.Total > 0 {
			does = append(does, way.verb+" "+way.count.Often())
		}
	}
	return strings.Join(does, " and ")
}

// Often is how often each element is accessed: "32 times", "0 to 3 times, 1.5 on
// average".
func (c Count) Often() string {
	if c.Even() {
		return times(c.Max)
	}
	mean := fmt.Sprintf("%.3g", c.Mean)
	if c.Mean >= 1000 {
		mean = Thousands(int(c.Mean))
	}
	return fmt.Sprintf("%s to %s times, %s on average", Thousands(c.Min), Thousands(c.Max), mean)
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return Thousands(n) + " times"
}

// lines says how well neighbours' accesses of buffers fall together.
func (t *Trace) lines() string {
	worst := t.WorstOf(Storage)
	switch {
	case worst == nil:
		return ""
	case worst.Worst.Cost == worst.Worst.Fewest:
		return "What 32 neighbours access together lies in as few lines of 128 bytes as can be, everywhere."
	}
	return fmt.Sprintf("%s on line %d: up to %s of 128 bytes for 32 neighbours, where %d would hold what they %s.",
		worst.Text, worst.Line, plural(worst.Worst.Cost, "line"), worst.Worst.Fewest, worst.Kind)
}

// banks says whether banks of workgroup memory collide.
func (t *Trace) banks() string {
	worst := t.WorstOf(Workgroup)
	switch {
	case worst == nil:
		return ""
	case worst.Worst.Cost == worst.Worst.Fewest:
		return "No two neighbours ask one bank of workgroup memory for different words."
	}
	return fmt.Sprintf("%s on line %d: one bank of workgroup memory is asked for up to %d different words at once, where %d would do.",
		worst.Text, worst.Line, worst.Worst.Cost, worst.Worst.Fewest)
}

// WorstOf is the access of a space whose worst strip costs most above what it
// must; nil where there is none.
func (t *Trace) WorstOf(space Space) *Access {
	var worst *Access
	for i := range t.Accesses {
		a := &t.Accesses[i]
		if a.Space == space && (worst == nil || a.worse(worst)) {
			worst = a
		}
	}
	return worst
}

// worse compares what the worst strips cost above what they must; of equal ones,
// what is done more often counts, and then reads.
func (a *Access) worse(b *Access) bool {
	above, other := a.Worst.Cost-a.Worst.Fewest, b.Worst.Cost-b.Worst.Fewest
	if above != other {
		return above > other
	}
	return a.Times > b.Times || a.Times == b.Times && a.Kind == "read" && b.Kind != "read"
}

// phases says who works between barriers.
func (t *Trace) phases() string {
	barriers := len(t.Phases) - 1
	if barriers == 0 {
		return ""
	}
	working := make([]string, len(t.Phases))
	for i, p := range t.Phases {
		working[i] = fmt.Sprint(p.Working)
	}
	said := fmt.Sprintf("%s cut a workgroup's time into %d phases", plural(barriers, "barrier"), len(t.Phases))
	if !t.SomeWait() {
		return said + ": in each, all invocations work."
	}
	return fmt.Sprintf("%s: of %s, %s work; the others only wait.", said, plural(t.Invocations(), "invocation"), strings.Join(shorten(working), ", "))
}

// SomeWait reports whether there are barriers, and a phase in which not all
// invocations work.
func (t *Trace) SomeWait() bool {
	return len(t.Phases) > 1 && slices.ContainsFunc(t.Phases, func(p Phase) bool { return p.Working < len(p.Does) })
}

// shorten leaves out the middle of a long list.
func shorten(words []string) []string {
	const most = 16
	if len(words) <= most {
		return words
	}
	return append(append(slices.Clone(words[:most-2]), "…"), words[len(words)-1])
}

// Plainly says which elements of a variable a set is, in order, each once: "row 2
// of a", "element (2, 3) of out", "data[67]", "x[64 to 95]".
func (v *Variable) Plainly(elements []int) string {
	if part := v.part(elements); part != "" {
		return part + " of " + v.Name
	}
	n, step := len(elements), stepOf(elements)
	words := make([]string, n)
	for i, e := range elements {
		words[i] = fmt.Sprint(e)
	}
	switch {
	case n <= 3:
		return v.Name + "[" + list(words) + "]"
	case step == 1:
		return fmt.Sprintf("%s[%d to %d]", v.Name, elements[0], elements[n-1])
	case step > 1:
		return fmt.Sprintf("%s[%d, %d, … %d]", v.Name, elements[0], elements[1], elements[n-1])
	case n <= 8:
		return v.Name + "[" + list(words) + "]"
	}
	return fmt.Sprintf("%d elements of %s, from %d to %d", n, v.Name, elements[0], elements[n-1])
}

// part is which part of a matrix a set is: "row 2", "column 3", "elements (2, 3)
// and (2, 19)"; "" where there are no such words for it.
func (v *Variable) part(elements []int) string {
	c, n, step := v.Columns, len(elements), stepOf(elements)
	switch {
	case c == 0 || c >= v.Elements:
		return ""
	case n == c && step == 1 && elements[0]%c == 0:
		return fmt.Sprintf("row %d", elements[0]/c)
	case n == v.Elements/c && step == c && elements[0] < c:
		return fmt.Sprintf("column %d", elements[0])
	case n > 3:
		return ""
	}
	places := make([]string, n)
	for i, e := range elements {
		places[i] = fmt.Sprintf("(%d, %d)", e/c, e%c)
	}
	return fmt.Sprintf("element%s %s", map[bool]string{true: "s"}[n > 1], list(places))
}

// stepOf is how far apart elements stand; 0 where that differs, or there is one.
func stepOf(elements []int) int {
	if len(elements) < 2 {
		return 0
	}
	step := elements[1] - elements[0]
	for i := 1; i < len(elements); i++ {
		if elements[i]-elements[i-1] != step {
			return 0
		}
	}
	return step
}

func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return "none"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + one + "s"
}

// Thousands writes 10000 as 10,000.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Compare says how often two shaders fetch the elements of the buffers that both
// have.
func Compare(a, b *Trace) []string {
	var said []string
	totals := [2]int{}
	for _, v := range a.Variables {
		w := b.Variable(v.Name)
		if w == nil || v.Space != Storage || w.Space != Storage || v.Reads.Total+w.Reads.Total == 0 {
			continue
		}
		totals[0] += v.Reads.Total
		totals[1] += w.Reads.Total
		said = append(said, fmt.Sprintf("%s fetches each element of %s %s, %s %s%s.",
			a.Exercise, v.Name, v.Reads.Often(), b.Exercise, w.Reads.Often(), less(v.Reads.Total, w.Reads.Total)))
	}
	if len(said) > 1 {
		said = append(said, fmt.Sprintf("In all: %s fetches against %s%s.", Thousands(totals[0]), Thousands(totals[1]), less(totals[0], totals[1])))
	}
	return said
}

// less is by how much b is less than a: ": 16 times less".
func less(a, b int) string {
	switch {
	case b == 0 || a == b:
		return ""
	case a > b:
		return fmt.Sprintf(": %.3g times less", float64(a)/float64(b))
	}
	return fmt.Sprintf(": %.3g times more", float64(b)/float64(a))
}

// Variable finds a variable by its name; nil where there is none.
func (t *Trace) Variable(name string) *Variable {
	for i := range t.Variables {
		if t.Variables[i].Name == name {
			return &t.Variables[i]
		}
	}
	return nil
}
