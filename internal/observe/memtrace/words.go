package memtrace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Summary returns the main observations, one sentence each, the most important first.
func (t *Trace) Summary() []string {
	said := append(t.fetches(), t.lines(), t.banks())
	if t.SomeWait() {
		said = append([]string{t.phases()}, said...)
	} else {
		said = append(said, t.phases())
	}
	return slices.DeleteFunc(said, func(s string) bool { return s == "" })
}

// Head names the case and the dispatch: "32 × 32 times 32 × 32, 4 workgroups of 16 × 16".
func (t *Trace) Head() string {
	return fmt.Sprintf("%s: %s of %s", t.Case, english.Count(t.Groups(), "workgroup", "workgroups"), t.sizeText())
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

// Caution returns a warning about the trace: that the shader is wrong, or that some accesses were
// not counted. It is empty if there is none.
func (t *Trace) Caution() string {
	var said []string
	if n := len(t.Errors); n > 0 {
		said = append(said, fmt.Sprintf("The simulator found %s in this shader, the first on %s: %s. The pictures show what the shader does now.",
			english.Count(n, "mistake", "mistakes"), lineName(t.Errors[0].File, t.Errors[0].Line), strings.TrimSuffix(t.Errors[0].Message, ".")))
	}
	if !t.Finished {
		said = append(said, "The shader did not end: the simulator stopped it.")
	}
	if t.Cut {
		said = append(said, fmt.Sprintf("The shader accesses memory too often to count them all: these are the first %s accesses.", english.Thousands(len(t.kept))))
	}
	return strings.Join(said, " ")
}

// Footnote says what the counts assume.
const Footnote = "Every access in the source counts each time it runs; a compiler may keep a value in a register instead of reading it again. " +
	"Lines of 128 bytes, 32 neighbours and 32 banks of 4 bytes are those of NVIDIA's GPUs (CUDA C++ Programming Guide). Other GPUs differ, and WGSL guarantees none of this."

// fetches says how often the elements of buffers are read and written. Buffers with
// the same counts share a sentence.
func (t *Trace) fetches() []string {
	names := map[string][]string{}
	var order []string
	for i := range t.Variables {
		v := &t.Variables[i]
		how := v.often()
		if !v.IsFetched() || how == "" {
			continue
		}
		if names[how] == nil {
			order = append(order, how)
		}
		names[how] = append(names[how], v.Name)
	}
	var said []string
	for _, how := range order {
		said = append(said, fmt.Sprintf("Each element of %s is %s.", english.List(names[how]), how))
	}
	return said
}

// often describes how often each element is read and written: "read once and written once".
func (v *TracedVariable) often() string {
	var does []string
	for _, way := range []struct {
		count Count
		verb  string
	}{{v.Reads, "read"}, {v.Writes, "written"}, {v.Atomics, "changed by atomics"}} {
		if way.count.Total > 0 {
			does = append(does, way.verb+" "+way.count.Often())
		}
	}
	return strings.Join(does, " and ")
}

// Often describes how often each element is accessed: "32 times", "0 to 3 times, 1.5 on average".
func (c Count) Often() string {
	if c.Even() {
		return times(c.Max)
	}
	mean := fmt.Sprintf("%.3g", c.Mean)
	if c.Mean >= 1000 {
		mean = english.Thousands(int(c.Mean))
	}
	return fmt.Sprintf("%s to %s times, %s on average", english.Thousands(c.Min), english.Thousands(c.Max), mean)
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return english.Thousands(n) + " times"
}

// lines says how well neighbours' accesses of buffers coalesce.
func (t *Trace) lines() string {
	worst := t.WorstOf(Storage)
	switch {
	case worst == nil:
		return ""
	case worst.Worst.Cost == worst.Worst.Fewest:
		return "Every access is coalesced: 32 neighbours use as few blocks of 128 bytes as possible."
	}
	return fmt.Sprintf("%s on %s: 32 neighbours use up to %s of 128 bytes; if the elements they need were side by side, %d would be enough.",
		worst.Text, lineName(worst.File, worst.Line), english.Count(worst.Worst.Cost, "block", "blocks"), worst.Worst.Fewest)
}

// banks says whether there are bank conflicts in workgroup memory.
func (t *Trace) banks() string {
	worst := t.WorstOf(Workgroup)
	switch {
	case worst == nil:
		return ""
	case worst.Worst.Cost == worst.Worst.Fewest:
		return "There are no bank conflicts in workgroup memory: no invocation waits because another needs the same bank."
	}
	return fmt.Sprintf("%s on %s: 32 neighbours need up to %d different words from one bank of workgroup memory at once; the minimum is %d.",
		worst.Text, lineName(worst.File, worst.Line), worst.Worst.Cost, worst.Worst.Fewest)
}

// WorstOf returns the access of a space whose worst strip exceeds its minimum cost most, or nil if
// there is none.
func (t *Trace) WorstOf(space Space) *AccessSite {
	var worst *AccessSite
	for i := range t.Accesses {
		a := &t.Accesses[i]
		if a.Space == space && (worst == nil || a.worse(worst)) {
			worst = a
		}
	}
	return worst
}

// worse compares how far the worst strips exceed their minimum. Ties go to the more frequent
// access, then to reads.
func (a *AccessSite) worse(b *AccessSite) bool {
	above, other := a.Worst.Cost-a.Worst.Fewest, b.Worst.Cost-b.Worst.Fewest
	if above != other {
		return above > other
	}
	return a.Times > b.Times || a.Times == b.Times && a.Kind == "read" && b.Kind != "read"
}

// phases describes which invocations work between barriers.
func (t *Trace) phases() string {
	barriers := len(t.Phases) - 1
	if barriers == 0 {
		return ""
	}
	working := make([]string, len(t.Phases))
	for i, p := range t.Phases {
		working[i] = fmt.Sprint(p.Working)
	}
	said := fmt.Sprintf("%s %s a workgroup's time into %d phases", english.Count(barriers, "barrier", "barriers"), map[bool]string{true: "divides", false: "divide"}[barriers == 1], len(t.Phases))
	if !t.SomeWait() {
		return said + ". All invocations work in each."
	}
	return fmt.Sprintf("%s. Of %s, %s work; the others only wait.", said, english.Count(t.Invocations(), "invocation", "invocations"), strings.Join(shorten(working), ", "))
}

// SomeWait reports whether there is a barrier and a phase in which some invocation is idle.
func (t *Trace) SomeWait() bool {
	return len(t.Phases) > 1 && slices.ContainsFunc(t.Phases, func(p Phase) bool { return p.Working < len(p.Does) })
}

// shorten drops the middle of a long list.
func shorten(words []string) []string {
	const most = 16
	if len(words) <= most {
		return words
	}
	return append(append(slices.Clone(words[:most-2]), "…"), words[len(words)-1])
}

// Plainly names a sorted set of elements of a variable: "row 2 of a", "element (2, 3) of out",
// "data[67]", "x[64 to 95]".
func (v *TracedVariable) Plainly(elements []int) string {
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
		return v.Name + "[" + english.List(words) + "]"
	case step == 1:
		return fmt.Sprintf("%s[%d to %d]", v.Name, elements[0], elements[n-1])
	case step > 1:
		return fmt.Sprintf("%s[%d, %d, … %d]", v.Name, elements[0], elements[1], elements[n-1])
	case n <= 8:
		return v.Name + "[" + english.List(words) + "]"
	}
	return fmt.Sprintf("%d elements of %s, from %d to %d", n, v.Name, elements[0], elements[n-1])
}

// part names a set as a part of a matrix: "row 2", "column 3", "elements (2, 3) and (2, 19)"; "" if
// no such name fits.
func (v *TracedVariable) part(elements []int) string {
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
	return fmt.Sprintf("element%s %s", map[bool]string{true: "s"}[n > 1], english.List(places))
}

// stepOf returns the distance between elements; 0 if it varies or there is only one.
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

// Compare describes how often two shaders read the elements of the buffers that both have.
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
		said = append(said, fmt.Sprintf("%s reads each element of %s %s, %s %s%s.",
			a.Exercise, v.Name, v.Reads.Often(), b.Exercise, w.Reads.Often(), less(v.Reads.Total, w.Reads.Total)))
	}
	if len(said) > 1 {
		said = append(said, fmt.Sprintf("In total: %s reads against %s%s.", english.Thousands(totals[0]), english.Thousands(totals[1]), less(totals[0], totals[1])))
	}
	return said
}

// less describes how much smaller b is than a: ": 16 times fewer".
func less(a, b int) string {
	switch {
	case b == 0 || a == b:
		return ""
	case a > b:
		return fmt.Sprintf(": %.3g times fewer", float64(a)/float64(b))
	}
	return fmt.Sprintf(": %.3g times more", float64(b)/float64(a))
}

// Variable returns the variable with a name; nil if there is none.
func (t *Trace) Variable(name string) *TracedVariable {
	for i := range t.Variables {
		if t.Variables[i].Name == name {
			return &t.Variables[i]
		}
	}
	return nil
}

func lineName(file string, line int) string {
	return findings.Region{File: file, Line: line}.LineName()
}
