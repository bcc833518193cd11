// This file draws traces, to show how a shader uses memory.

package memtrace

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// Most is the maximum number of pictures shown at once; the others are folded away.
const Most = 3

// Of draws a trace: a summary in words, the three most useful pictures at most, and the others in a
// fold.
func Of(t *Trace) []view.View {
	summary := view.Note{Title: t.Exercise + ": how your shader uses memory", Body: t.Head() + ".\n" + strings.Join(t.Summary(), "\n")}
	views := []view.View{summary}
	if caution := t.Caution(); caution != "" {
		views = append(views, view.Note{Mark: view.Bad, Title: "This shader has a problem", Body: caution})
	}
	first, rest := pictures(t)
	views = append(views, first...)
	rest = append(rest, table(t), view.Note{Title: "What these counts assume", Body: Footnote})
	return append(views, view.Fold{Title: "More pictures, and every access in a table", Views: rest})
}

// pictures returns the pictures that tell most about this shader, and the others.
func pictures(t *Trace) (first, rest []view.View) {
	add := func(drawn view.View, tells bool) {
		if tells && len(first) < Most {
			first = append(first, drawn)
		} else {
			rest = append(rest, drawn)
		}
	}
	if len(t.Phases) > 1 && t.SomeWait() {
		add(phases(t), true)
	}
	add(one(t), true)
	read := fetched(t)
	again := slices.DeleteFunc(slices.Clone(read), func(v *TracedVariable) bool { return v.Reads.Max < 2 })
	if len(again) > 0 {
		drawn, several := readers(t, again)
		add(drawn, several)
	}
	uneven := slices.ContainsFunc(read, func(v *TracedVariable) bool { return !v.Reads.Even() })
	if uneven || len(again) > 0 {
		add(fetches("How often each element is read", storage("", t)), uneven)
	}
	if a := t.WorstOf(Workgroup); a != nil {
		add(banks(a), a.Worst.Cost > a.Worst.Fewest)
	}
	if a := t.WorstOf(Storage); a != nil {
		add(lines(a), true)
	}
	if len(t.Phases) > 1 && !t.SomeWait() {
		add(phases(t), false)
	}
	return first, append(rest, writers(t)...)
}

// The classes of an invocation's accesses to an element.
const (
	untouched = iota
	readOnly
	writtenOnly
	both
)

var touches = []view.Class{
	untouched:   {Name: "not touched", Sign: '·', Color: view.Faint},
	readOnly:    {Name: "read", Sign: 'r', Color: view.Blue},
	writtenOnly: {Name: "written", Sign: 'w', Color: view.Orange},
	both:        {Name: "read and written", Sign: 'b', Color: view.Purple},
}

// one shows the accesses of a single invocation.
func one(t *Trace) view.View {
	who := t.Pick()
	drawn := view.Cells{Title: who.Sentence(t), Classes: touches}
	for i := range t.Variables {
		v := &t.Variables[i]
		if v.Space == Uniform || v.Elements == 0 { // a sampler has none
			continue
		}
		cells := make([]int, v.Elements)
		for _, e := range who.Touched[i].Read {
			cells[e] |= readOnly
		}
		for _, e := range who.Touched[i].Written {
			cells[e] |= writtenOnly
		}
		drawn.Maps = append(drawn.Maps, element(v, v.Name, cells))
	}
	if !slices.ContainsFunc(drawn.Maps, severalCells) { // the sentence names them all
		return view.Note{Title: drawn.Title}
	}
	return drawn
}

func severalCells(m view.CellMap) bool {
	return len(m.Rows) > 1 || len(m.Rows) == 1 && len(m.Rows[0].Cells) > 1
}

// widest is the maximum row length of a matrix that is drawn in one line.
const widest = 64

// element draws a map of a variable's elements. A matrix keeps its shape, one with long rows goes
// row by row, and anything else has lines of 128 bytes.
func element(v *TracedVariable, name string, cells []int) view.CellMap {
	if v.Space == Workgroup {
		name += ", in workgroup memory"
	}
	m := view.CellMap{Title: name, Columns: v.Columns}
	if v.Columns == 0 || v.Columns > widest {
		m.Columns = wordsInLine
	}
	if v.Columns <= widest {
		m.Rows = []view.CellRow{{Cells: cells}}
		return m
	}
	for row := range slices.Chunk(cells, v.Columns) {
		m.Rows = append(m.Rows, view.CellRow{Label: fmt.Sprintf("row %d", len(m.Rows)), Cells: row})
	}
	return m
}

// readers shows which invocations fetch one element of each buffer, and reports whether several
// fetch the same one.
func readers(t *Trace, of []*TracedVariable) (drawn view.Cells, several bool) {
	const next, fetches, again = 1, 2, 3
	drawn = view.Cells{
		Classes: []view.Class{
			{Name: "does not read it", Sign: '·', Color: view.Faint},
			next:    {Name: "does not read it, in the next workgroup", Sign: ':', Color: view.Grey},
			fetches: {Name: "reads it once", Sign: '1', Color: view.Blue},
			again:   {Name: "reads it more than once", Sign: '+', Color: view.Purple},
		},
		Remark: "One square is one invocation; all workgroups are shown.",
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
		m := view.CellMap{Title: v.Plainly([]int{sample}), Columns: wide, Rows: []view.CellRow{{Cells: cells}}}
		if high == 1 {
			m.Columns = int(t.Size[0])
		}
		drawn.Maps = append(drawn.Maps, m)
		several = several || len(by) > 1
		said = append(said, fmt.Sprintf("%s by %s", m.Title, english.Count(len(by), "invocation", "invocations")))
	}
	drawn.Title = "Who reads one element: " + strings.Join(said, ", ")
	return drawn, several
}

// A named is a variable and the title of its map.
type named struct {
	name string
	*TracedVariable
}

// storage returns the buffers that are read. Each name starts with the text before.
func storage(before string, t *Trace) []named {
	var list []named
	for _, v := range fetched(t) {
		list = append(list, named{before + v.Name, v})
	}
	return list
}

func fetched(t *Trace) []*TracedVariable {
	var list []*TracedVariable
	for i := range t.Variables {
		if v := &t.Variables[i]; v.IsFetched() && v.Reads.Total > 0 {
			list = append(list, v)
		}
	}
	return list
}

// fetches shows how often the elements of buffers are fetched, all on one scale.
func fetches(title string, of []named) view.Cells {
	var counts [][]int
	for _, v := range of {
		counts = append(counts, v.Reads.Of)
	}
	classes, class := scale(counts)
	drawn := view.Cells{Title: title, Classes: classes}
	for i, v := range of {
		cells := make([]int, len(counts[i]))
		for e, n := range counts[i] {
			cells[e] = class(n)
		}
		drawn.Maps = append(drawn.Maps, element(v.TracedVariable, v.name, cells))
	}
	return drawn
}

// maxColors is the maximum number of counts with a colour each. With more, counts up to a factor of
// two share a colour.
const maxColors = 6

// scale makes classes for counts; larger counts are brighter.
func scale(counts [][]int) (classes []view.Class, class func(n int) int) {
	different := slices.Concat(counts...)
	slices.Sort(different)
	different = slices.Compact(different)
	top := bits.Len(uint(different[len(different)-1]))
	if len(different) <= maxColors {
		never := 0
		if different[0] == 0 {
			never = 1
		}
		for i, n := range different { // by rank: 1, 2 and 4 differ visibly beside 1,024 as well
			rank := float64(i+1-never) / float64(max(len(different)-never, 1))
			classes = append(classes, view.Class{Name: often(n, n), Sign: sign(i, n), Color: view.Bright(rank)})
		}
		return mute(classes, different[0]), func(n int) int { return slices.Index(different, n) }
	}
	for i := range top + 1 {
		low, high := 1<<i>>1, max(1<<i-1, 0)
		classes = append(classes, view.Class{Name: often(low, high), Sign: sign(i, low), Color: view.Bright(float64(i) / float64(max(top, 1)))})
	}
	return mute(classes, 0), func(n int) int { return bits.Len(uint(n)) }
}

// mute greys the first class if it stands for never.
func mute(classes []view.Class, first int) []view.Class {
	if first == 0 {
		classes[0].Color, classes[0].Sign = view.Faint, '·'
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
	return english.Thousands(low) + " times"
}

// sign returns the character for a count: the digit itself, or a letter.
func sign(class, n int) rune {
	if n < 10 {
		return rune('0' + n)
	}
	return rune('A' + class)
}

// The classes of an invocation's activity between two barriers.
var doings = []view.Class{
	Waits: {Name: "waits", Sign: '·', Color: view.Faint},
	Works: {Name: "works", Sign: '#', Color: view.Blue},
	Ended: {Name: "has ended", Sign: ' ', Color: view.Hollow},
}

// phases shows the first workgroup's invocations between its barriers.
func phases(t *Trace) view.View {
	m := view.CellMap{Columns: 64}
	for i, p := range t.Phases {
		cells := make([]int, len(p.Does))
		for local, does := range p.Does {
			cells[local] = int(does)
		}
		row := view.CellRow{Label: "→ end", Cells: cells, Note: fmt.Sprintf("%d of %d", p.Working, len(p.Does))}
		if p.Line > 0 {
			row.Label = fmt.Sprintf("→ barrier, line %d", p.Line)
		}
		if p.Missed > 0 {
			row.Note += fmt.Sprintf("; %d do not reach the barrier", p.Missed)
		}
		if i == 0 {
			row.Label = "start " + row.Label
		}
		m.Rows = append(m.Rows, row)
	}
	return view.Cells{
		Title: "Who works between the barriers, and who only waits", Classes: doings, Maps: []view.CellMap{m},
		Remark: "One square is one invocation of the first workgroup. It works if it reads or writes memory that others can see; otherwise it only waits.",
	}
}

// The classes of a memory word, by the number of neighbours that request it together.
var askers = []view.Class{
	{Name: "not needed", Sign: '·', Color: view.Faint},
	{Name: "needed by one invocation", Sign: '1', Color: view.Blue},
	{Name: "needed by several at once", Sign: '+', Color: view.Purple},
}

// together counts the neighbours in a strip that request each word.
func together(s GroupAccess) map[uint32]int {
	asked := map[uint32]int{}
	for _, l := range s.Lanes {
		for _, w := range (GroupAccess{Lanes: []Lane{l}}).Footprint().Words {
			asked[w]++
		}
	}
	return asked
}

// lines shows the memory lines that the neighbours' accesses of a buffer touch.
func lines(a *AccessSite) view.View {
	s, asked := a.Worst, together(a.Worst)
	m := view.CellMap{Columns: wordsInLine}
	row := -1
	for _, w := range s.Footprint().Words {
		if line := int(w) / wordsInLine; line != row {
			row = line
			m.Rows = append(m.Rows, view.CellRow{Label: fmt.Sprintf("bytes %d to %d", row*ir.LineBytes, (row+1)*ir.LineBytes-1), Cells: make([]int, wordsInLine)})
		}
		m.Rows[len(m.Rows)-1].Cells[w%wordsInLine] = min(asked[w], 2)
	}
	return view.Cells{
		Title: fmt.Sprintf("%s: %s of 128 bytes for %s, %s", place(a), english.Count(s.Cost, "block", "blocks"), english.Count(len(s.Lanes), "neighbour", "neighbours"), enough(s)), Classes: askers, Maps: []view.CellMap{m},
		Remark: fmt.Sprintf("One row is a block of %s, one square 4 bytes of it. %s. On NVIDIA's GPUs, 32 invocations run together and memory comes in blocks of 128 bytes, called lines (CUDA C++ Programming Guide); WGSL guarantees neither.",
			a.Variable, neighbours(s)),
	}
}

const wordsInLine = ir.LineBytes / ir.WordBytes

// banks shows the words that each bank of workgroup memory has to deliver.
func banks(a *AccessSite) view.View {
	s, asked := a.Worst, together(a.Worst)
	m := view.CellMap{Columns: ir.Banks}
	turns := make([]int, ir.Banks)
	for range s.Cost {
		m.Rows = append(m.Rows, view.CellRow{Label: fmt.Sprintf("turn %d", len(m.Rows)+1), Cells: make([]int, ir.Banks)})
	}
	for _, w := range s.Footprint().Words {
		bank := w % ir.Banks
		m.Rows[turns[bank]].Cells[bank] = min(asked[w], 2)
		turns[bank]++
	}
	return view.Cells{
		Title: fmt.Sprintf("%s: the banks serve %s in %s, %s", place(a), english.Count(len(s.Lanes), "neighbour", "neighbours"), english.Count(s.Cost, "turn", "turns"), enough(s)), Classes: askers, Maps: []view.CellMap{m},
		Remark: fmt.Sprintf("Word i of workgroup memory is in bank i mod 32; a column is a bank. In one turn, each bank serves one word to everyone who needs it. %s. These are the banks of NVIDIA's GPUs (CUDA C++ Programming Guide); WGSL guarantees none.",
			neighbours(s)),
	}
}

func place(a *AccessSite) string {
	return fmt.Sprintf("%s, %s on %s", a.Text, map[string]string{"read": "read", "write": "written", "atomic": "changed"}[a.Kind], lineName(a.File, a.Line))
}

func enough(s GroupAccess) string {
	if s.Cost == s.Fewest {
		return "the minimum"
	}
	return fmt.Sprintf("where %d would be enough", s.Fewest)
}

// neighbours names the invocations of a strip.
func neighbours(s GroupAccess) string {
	first, last := s.Lanes[0].Invocation, s.Lanes[len(s.Lanes)-1].Invocation
	if first == last {
		return fmt.Sprintf("Invocation %d of workgroup %d runs alone", first, s.Workgroup)
	}
	return fmt.Sprintf("%d invocations of workgroup %d run together, from %d to %d", len(s.Lanes), s.Workgroup, first, last)
}

// writers shows which workgroup wrote which element of the buffers.
func writers(t *Trace) []view.View {
	var views []view.View
	for i := range t.Variables {
		v := &t.Variables[i]
		if !v.IsFetched() || v.Elements == 1 || v.Writes.Total+v.Atomics.Total == 0 || t.Groups() > maxColors {
			continue
		}
		classes := []view.Class{
			{Name: "not written", Sign: '·', Color: view.Faint},
			{Name: "several", Sign: '+', Color: view.Hollow},
		}
		for g := range t.Groups() {
			classes = append(classes, view.Class{Name: "workgroup " + strconv.Itoa(g), Sign: rune('0' + g), Color: view.Bright(float64(g) / float64(max(t.Groups()-1, 1)))})
		}
		cells := make([]int, v.Elements)
		for e, who := range v.WrittenBy {
			switch who {
			case Nobody:
			case Several:
				cells[e] = 1
			default:
				cells[e] = 2 + who/t.Invocations()
			}
		}
		views = append(views, view.Cells{Title: "Who wrote which element of " + v.Name, Classes: classes, Maps: []view.CellMap{element(v, "", cells)}})
	}
	return views
}

// table lists every access except those of uniforms, which all invocations read alike.
func table(t *Trace) view.View {
	drawn := view.Table{Caption: "Every access", Headers: []string{"line", "access", "times", "for 32", "minimum"}}
	for _, a := range t.Accesses {
		if a.Space == Uniform {
			continue
		}
		unit := "block"
		if a.Space == Workgroup {
			unit = "turn"
		}
		if a.Cost != 1 {
			unit += "s"
		}
		drawn.Rows = append(drawn.Rows, []any{a.Line, a.Kind + " " + a.Text, a.Times, fmt.Sprintf("%.3g %s", a.Cost, unit), fmt.Sprintf("%.3g", a.Fewest)})
	}
	return drawn
}

// Comparison draws two traces side by side.
func Comparison(a, b *Trace) []view.View {
	said := Compare(a, b)
	if len(said) == 0 {
		return []view.View{view.Note{Mark: view.Bad, Title: "Nothing to compare", Body: a.Exercise + " and " + b.Exercise + " read no buffer of the same name."}}
	}
	both := append(storage(a.Exercise+": ", a), storage(b.Exercise+": ", b)...)
	views := []view.View{view.Note{Title: a.Exercise + " and " + b.Exercise, Body: fmt.Sprintf("%s.\n%s", a.Case, strings.Join(said, "\n"))}}
	for _, t := range []*Trace{a, b} {
		if caution := t.Caution(); caution != "" {
			views = append(views, view.Note{Mark: view.Bad, Title: t.Exercise + " has a problem", Body: caution})
		}
	}
	return append(views, fetches("How often each element is read", both))
}
