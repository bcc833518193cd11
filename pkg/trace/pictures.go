package trace

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/trace"
	"github.com/wgslab/wgslab/pkg/show"
)

// most is how many pictures are shown at once; the others are folded away.
const most = 3

// Views are the pictures of a trace: what there is to see in words, the most
// telling pictures, and the rest behind a line that opens.
func Views(t *trace.Trace) []show.View {
	summary := show.Note{Title: t.Exercise + ": what your shader does with memory", Body: t.Head() + ".\n" + strings.Join(t.Summary(), "\n")}
	views := []show.View{summary}
	if caution := t.Caution(); caution != "" {
		views = append(views, show.Note{Mark: show.Bad, Title: "Not all is well", Body: caution})
	}
	first, rest := pictures(t)
	views = append(views, first...)
	rest = append(rest, table(t), show.Note{Title: "What this rests on", Body: trace.Footnote})
	return append(views, show.Fold{Title: "More pictures, and every access in a table", Views: rest})
}

// pictures are those that tell most of this shader, and the others.
func pictures(t *trace.Trace) (first, rest []show.View) {
	add := func(view show.View, tells bool) {
		if tells && len(first) < most {
			first = append(first, view)
		} else {
			rest = append(rest, view)
		}
	}
	if len(t.Phases) > 1 && t.SomeWait() {
		add(phases(t), true)
	}
	add(one(t), true)
	read := fetched(t)
	again := slices.DeleteFunc(slices.Clone(read), func(v *trace.Variable) bool { return v.Reads.Max < 2 })
	if len(again) > 0 {
		view, several := readers(t, again)
		add(view, several)
	}
	uneven := slices.ContainsFunc(read, func(v *trace.Variable) bool { return !v.Reads.Even() })
	if uneven || len(again) > 0 {
		add(fetches("How often each element is fetched", storage("", t)), uneven)
	}
	if a := t.WorstOf(trace.Workgroup); a != nil {
		add(banks(a), a.Worst.Cost > a.Worst.Fewest)
	}
	if a := t.WorstOf(trace.Storage); a != nil {
		add(lines(a), true)
	}
	if len(t.Phases) > 1 && !t.SomeWait() {
		add(phases(t), false)
	}
	return first, append(rest, writers(t)...)
}

// The classes of what one invocation does with an element.
const (
	untouched = iota
	readOnly
	writtenOnly
	both
)

var touches = []show.Class{
	untouched:   {Name: "not touched", Sign: '·', Color: show.Faint},
	readOnly:    {Name: "read", Sign: 'r', Color: show.Blue},
	writtenOnly: {Name: "written", Sign: 'w', Color: show.Orange},
	both:        {Name: "read and written", Sign: 'b', Color: show.Purple},
}

// one shows what a single invocation touches.
func one(t *trace.Trace) show.View {
	who := t.Pick()
	view := show.Cells{Title: who.Sentence(t), Classes: touches}
	for i := range t.Variables {
		v := &t.Variables[i]
		if v.Space == trace.Uniform {
			continue
		}
		cells := make([]int, v.Elements)
		for _, e := range who.Touched[i].Read {
			cells[e] |= readOnly
		}
		for _, e := range who.Touched[i].Written {
			cells[e] |= writtenOnly
		}
		view.Maps = append(view.Maps, element(v, v.Name, cells))
	}
	return view
}

// widest is how many elements a row of a matrix may have to be drawn in one line.
const widest = 64

// element is the map of a variable's elements: a matrix as it is, one with long
// rows row by row, anything else as lines of 128 bytes.
func element(v *trace.Variable, name string, cells []int) show.CellMap {
	if v.Space == trace.Workgroup {
		name += ", in workgroup memory"
	}
	m := show.CellMap{Title: name, Columns: v.Columns}
	if v.Columns == 0 || v.Columns > widest {
		m.Columns = wordsInLine
	}
	if v.Columns <= widest {
		m.Rows = []show.CellRow{{Cells: cells}}
		return m
	}
	for row := range slices.Chunk(cells, v.Columns) {
		m.Rows = append(m.Rows, show.CellRow{Label: fmt.Sprintf("row %d", len(m.Rows)), Cells: row})
	}
	return m
}

// readers shows which invocations fetch one element, of each buffer, and whether
// any of these is fetched by several.
func readers(t *trace.Trace, of []*trace.Variable) (view show.Cells, several bool) {
	const next, fetches, again = 1, 2, 3
	view = show.Cells{
		Classes: []show.Class{
			{Name: "does not fetch it", Sign: '·', Color: show.Faint},
			next:    {Name: "nor does it, and is of the next workgroup", Sign: ':', Color: show.Fainter},
			fetches: {Name: "fetches it once", Sign: '1', Color: show.Blue},
			again:   {Name: "fetches it more than once", Sign: '+', Color: show.Purple},
		},
		Remark: "One square is one invocation, of all workgroups.",
	}
	var said []string
	wide, high := int(t.Workgroups[0]*t.Size[0]), int(t.Workgroups[1]*t.Workgroups[2]*t.Size[1]*t.Size[2])
	for _, v := range of {
		sample := t.Sample(v)
		cells := make([]int, wide*high)
		for who := range t.Groups() * t.Invocations() {
			x, y := t.Place(who)
			cells[y*wide+x] = (x/int(t.Size[0]) + y/int(t.Size[1])) % 2
		}
		by := t.Readers(v, sample)
		for who, n := range by {
			x, y := t.Place(who)
			cells[y*wide+x] = fetches + min(n-1, 1)
		}
		m := show.CellMap{Title: v.Plainly([]int{sample}), Columns: wide, Rows: []show.CellRow{{Cells: cells}}}
		if high == 1 {
			m.Columns = int(t.Size[0])
		}
		view.Maps = append(view.Maps, m)
		several = several || len(by) > 1
		said = append(said, fmt.Sprintf("%s by %s", m.Title, plural(len(by), "invocation")))
	}
	view.Title = "Who fetches one and the same element: " + strings.Join(said, ", ")
	return view, several
}

// named is a variable, and what its map is called.
type named struct {
	name string
	*trace.Variable
}

// storage are the buffers that are read, each named with what stands before it.
func storage(before string, t *trace.Trace) []named {
	var list []named
	for _, v := range fetched(t) {
		list = append(list, named{before + v.Name, v})
	}
	return list
}

func fetched(t *trace.Trace) []*trace.Variable {
	var list []*trace.Variable
	for i := range t.Variables {
		if v := &t.Variables[i]; v.Space == trace.Storage && v.Reads.Total > 0 {
			list = append(list, v)
		}
	}
	return list
}

// fetches shows how often the elements of buffers are fetched, all on one scale.
func fetches(title string, of []named) show.Cells {
	var counts [][]int
	for _, v := range of {
		counts = append(counts, v.Reads.Of)
	}
	classes, class := scale(counts)
	view := show.Cells{Title: title, Classes: classes}
	for i, v := range of {
		cells := make([]int, len(counts[i]))
		for e, n := range counts[i] {
			cells[e] = class(n)
		}
		view.Maps = append(view.Maps, element(v.Variable, v.name, cells))
	}
	return view
}

// finest is how many different counts have a colour each; more share one with
// those up to twice as large.
const finest = 6

// scale makes classes of counts, brighter the larger they are.
func scale(counts [][]int) (classes []show.Class, class func(n int) int) {
	different := slices.Concat(counts...)
	slices.Sort(different)
	different = slices.Compact(different)
	top := bits.Len(uint(different[len(different)-1]))
	if len(different) <= finest {
		for _, n := range different {
			classes = append(classes, show.Class{Name: often(n, n), Sign: sign(len(classes), n), Color: show.Bright(float64(bits.Len(uint(n))) / float64(max(top, 1)))})
		}
		return mute(classes, different[0]), func(n int) int { return slices.Index(different, n) }
	}
	for i := range top + 1 {
		low, high := 1<<i>>1, max(1<<i-1, 0)
		classes = append(classes, show.Class{Name: often(low, high), Sign: sign(i, low), Color: show.Bright(float64(i) / float64(max(top, 1)))})
	}
	return mute(classes, 0), func(n int) int { return bits.Len(uint(n)) }
}

// mute greys the first class where it stands for never.
func mute(classes []show.Class, first int) []show.Class {
	if first == 0 {
		classes[0].Color, classes[0].Sign = show.Faint, '·'
	}
	return classes
}

func often(low, high int) string {
	switch {
	case high == 0:
		return "never"
	case low < high:
		return fmt.Sprintf("%d to %d times", low, high)
	case low == 1:
		return "once"
	}
	return trace.Thousands(low) + " times"
}

// sign stands for a count: the digit itself, or a letter.
func sign(class, n int) rune {
	if n < 10 {
		return rune('0' + n)
	}
	return rune('A' + class)
}

// The classes of what an invocation does between two barriers.
var doings = []show.Class{
	trace.Waits: {Name: "waits", Sign: '·', Color: show.Faint},
	trace.Works: {Name: "works", Sign: '#', Color: show.Blue},
	trace.Ended: {Name: "has ended", Sign: ' ', Color: show.Hollow},
}

// phases shows the first workgroup's invocations between its barriers.
func phases(t *trace.Trace) show.View {
	m := show.CellMap{Columns: 64}
	for i, p := range t.Phases {
		cells := make([]int, len(p.Does))
		for local, does := range p.Does {
			cells[local] = int(does)
		}
		row := show.CellRow{Label: "→ end", Cells: cells, Note: fmt.Sprintf("%d of %d", p.Working, len(p.Does))}
		if p.Line > 0 {
			row.Label = fmt.Sprintf("→ barrier, line %d", p.Line)
		}
		if p.Missed > 0 {
			row.Note += fmt.Sprintf("; %d do not come to the barrier", p.Missed)
		}
		if i == 0 {
			row.Label = "start " + row.Label
		}
		m.Rows = append(m.Rows, row)
	}
	return show.Cells{
		Title: "Who works between the barriers, and who only waits", Classes: doings, Maps: []show.CellMap{m},
		Remark: "One square is one invocation of the first workgroup. It works where it reads or writes what others can see; between two barriers the others have nothing to do but to wait.",
	}
}

// The classes of a word of memory, for the neighbours that ask together.
var askers = []show.Class{
	{Name: "not asked for", Sign: '·', Color: show.Faint},
	{Name: "asked for by one invocation", Sign: '1', Color: show.Blue},
	{Name: "by several at once", Sign: '+', Color: show.Purple},
}

// together counts how many of a strip's neighbours ask for each word.
func together(s trace.Strip) map[int]int {
	asked := map[int]int{}
	for _, l := range s.Lanes {
		for _, w := range (trace.Strip{Lanes: []trace.Lane{l}}).Cells() {
			asked[w]++
		}
	}
	return asked
}

// lines shows which lines of memory the neighbours' accesses of a buffer fall
// into.
func lines(a *trace.Access) show.View {
	s, asked := a.Worst, together(a.Worst)
	m := show.CellMap{Columns: wordsInLine}
	row := -1
	for _, w := range s.Cells() {
		if w/wordsInLine != row {
			row = w / wordsInLine
			m.Rows = append(m.Rows, show.CellRow{Label: fmt.Sprintf("bytes %d to %d", row*trace.LineBytes, (row+1)*trace.LineBytes-1), Cells: make([]int, wordsInLine)})
		}
		m.Rows[len(m.Rows)-1].Cells[w%wordsInLine] = min(asked[w], 2)
	}
	return show.Cells{
		Title: fmt.Sprintf("%s: %s of 128 bytes for %s, %s", place(a), plural(s.Cost, "line"), plural(len(s.Lanes), "neighbour"), enough(s)), Classes: askers, Maps: []show.CellMap{m},
		Remark: fmt.Sprintf("One row is a line of %s, one square 4 bytes of it. %s. That 32 go together and that memory comes in lines of 128 bytes is so on NVIDIA's GPUs (CUDA C++ Programming Guide); WGSL promises neither.",
			a.Variable, neighbours(s)),
	}
}

const wordsInLine = trace.LineBytes / trace.BankBytes

// banks shows which words each bank of workgroup memory is asked for.
func banks(a *trace.Access) show.View {
	s, asked := a.Worst, together(a.Worst)
	m := show.CellMap{Columns: trace.Banks}
	turns := make([]int, trace.Banks)
	for range s.Cost {
		m.Rows = append(m.Rows, show.CellRow{Label: fmt.Sprintf("turn %d", len(m.Rows)+1), Cells: make([]int, trace.Banks)})
	}
	for _, w := range s.Cells() {
		bank := w % trace.Banks
		m.Rows[turns[bank]].Cells[bank] = min(asked[w], 2)
		turns[bank]++
	}
	return show.Cells{
		Title: fmt.Sprintf("%s: the banks answer %s in %s, %s", place(a), plural(len(s.Lanes), "neighbour"), plural(s.Cost, "turn"), enough(s)), Classes: askers, Maps: []show.CellMap{m},
		Remark: fmt.Sprintf("Word i of workgroup memory lies in bank i mod 32; a column is a bank. In a turn each bank answers for one word, however many ask for that one. %s. The banks are those of NVIDIA's GPUs (CUDA C++ Programming Guide); WGSL promises none.",
			neighbours(s)),
	}
}

func place(a *trace.Access) string {
	return fmt.Sprintf("%s, %s on line %d", a.Text, map[string]string{"read": "read", "write": "written", "atomic": "changed"}[a.Kind], a.Line)
}

func enough(s trace.Strip) string {
	if s.Cost == s.Fewest {
		return "as few as can be"
	}
	return fmt.Sprintf("where %d would be enough for what they ask", s.Fewest)
}

// neighbours says who asks.
func neighbours(s trace.Strip) string {
	first, last := s.Lanes[0].Invocation, s.Lanes[len(s.Lanes)-1].Invocation
	if first == last {
		return fmt.Sprintf("Invocation %d of workgroup %d asks alone", first, s.Workgroup)
	}
	return fmt.Sprintf("%d invocations of workgroup %d ask together, from %d to %d", len(s.Lanes), s.Workgroup, first, last)
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return trace.Thousands(n) + " " + one + "s"
}

// writers shows which workgroup wrote which element of the buffers.
func writers(t *trace.Trace) []show.View {
	var views []show.View
	for i := range t.Variables {
		v := &t.Variables[i]
		if v.Space != trace.Storage || v.Writes.Total+v.Atomics.Total == 0 || t.Groups() > finest {
			continue
		}
		classes := []show.Class{
			{Name: "nobody", Sign: '·', Color: show.Faint},
			{Name: "several", Sign: '+', Color: show.Hollow},
		}
		for g := range t.Groups() {
			classes = append(classes, show.Class{Name: "workgroup " + strconv.Itoa(g), Sign: rune('0' + g), Color: show.Bright(float64(g) / float64(max(t.Groups()-1, 1)))})
		}
		cells := make([]int, v.Elements)
		for e, who := range v.WrittenBy {
			switch who {
			case trace.Nobody:
			case trace.Several:
				cells[e] = 1
			default:
				cells[e] = 2 + who/t.Invocations()
			}
		}
		views = append(views, show.Cells{Title: "Who wrote which element of " + v.Name, Classes: classes, Maps: []show.CellMap{element(v, "", cells)}})
	}
	return views
}

// table lists every access but those of uniforms, which all invocations read
// alike.
func table(t *trace.Trace) show.View {
	view := show.Table{Caption: "Every access", Headers: []string{"line", "what", "times", "for 32", "at least"}}
	for _, a := range t.Accesses {
		if a.Space == trace.Uniform {
			continue
		}
		unit := "line"
		if a.Space == trace.Workgroup {
			unit = "turn"
		}
		if a.Cost != 1 {
			unit += "s"
		}
		view.Rows = append(view.Rows, []any{a.Line, a.Kind + " " + a.Text, a.Times, fmt.Sprintf("%.3g %s", a.Cost, unit), fmt.Sprintf("%.3g", a.Fewest)})
	}
	return view
}

// comparison sets two traces side by side.
func comparison(a, b *trace.Trace) []show.View {
	said := trace.Compare(a, b)
	if len(said) == 0 {
		return []show.View{show.Note{Mark: show.Bad, Title: "Nothing to compare", Body: a.Exercise + " and " + b.Exercise + " read no buffer of the same name."}}
	}
	both := append(storage(a.Exercise+": ", a), storage(b.Exercise+": ", b)...)
	views := []show.View{show.Note{Title: a.Exercise + " and " + b.Exercise, Body: fmt.Sprintf("%s.\n%s", a.Case, strings.Join(said, "\n"))}}
	for _, t := range []*trace.Trace{a, b} {
		if caution := t.Caution(); caution != "" {
			views = append(views, show.Note{Mark: show.Bad, Title: t.Exercise + ": not all is well", Body: caution})
		}
	}
	return append(views, fetches("How often each element is fetched", both))
}
