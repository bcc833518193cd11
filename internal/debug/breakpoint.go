package debug

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Breakpoint is a line at which the run stops.
type Breakpoint struct {
	ID        int    // 0 where a comment of the shader has set it
	Line      int    // asked for, from 1; where it was Set, the line of the statement
	Condition string // an expression that must be true
	Hits      string // 3, >= 3 or % 3: at which times it stops
	Message   string // said instead of stopping, with {expressions}

	Set     bool   // there is something to stop at
	Problem string // why there is not, or why the condition cannot be asked

	spot      spot
	condition *sim.Expression
	times     func(n int) bool
	moments   []int // at which it was come by, its condition being true
}

// spot is a place to stop at, and the statement whose line counts.
type spot struct {
	sim.Statement
	line int
}

// findSpots are the places to stop at, in the order of the source.
func (s *Session) findSpots() (spots []spot) {
	for _, st := range s.Target.Program.Statements() {
		spots = append(spots, spot{st, s.Target.Source.Position(st.Node.Span().Start).Line})
	}
	sort.SliceStable(spots, func(i, j int) bool { return spots[i].Node.Span().Start < spots[j].Node.Span().Start })
	return spots
}

// resolve is where a breakpoint on a line stops: at the first statement there, or behind it in the same function.
func (s *Session) resolve(line int) (spot, bool) {
	if line < 1 || line > s.Target.Source.Lines() {
		return spot{}, false
	}
	at := s.Target.Source.Line(line)
	for i, sp := range s.spots {
		body := sp.Function.Decl.Span()
		if sp.line < line || at.End < body.Start {
			continue
		}
		// The head of a loop comes before its beginning in the source, and after it in the run.
		if loop, ok := sp.Node.(*syntax.ForStmt); ok && loop.Init != nil && i+1 < len(s.spots) && s.spots[i+1].Node == loop.Init {
			return s.spots[i+1], true
		}
		return sp, true
	}
	return spot{}, false
}

// SetBreakpoints replaces all breakpoints but those of the shader's comments, and fills in what has become of each. One
// without a condition has that of the comment at its line.
func (s *Session) SetBreakpoints(list []*Breakpoint) {
	s.breakpoints, s.at = list, map[syntax.Stmt][]*Breakpoint{}
	for _, b := range s.own {
		s.at[b.spot.Node] = append(s.at[b.spot.Node], b)
	}
	for _, b := range list {
		s.place(b)
		if b.Set && !(b.bare() && s.hasOwn(b.spot)) {
			s.at[b.spot.Node] = append(s.at[b.spot.Node], b)
		}
	}
}

// bare reports whether a breakpoint is a line and nothing else.
func (b *Breakpoint) bare() bool { return b.Condition == "" && b.Hits == "" && b.Message == "" }

func (s *Session) hasOwn(sp spot) bool {
	return slices.ContainsFunc(s.own, func(b *Breakpoint) bool { return b.spot.Node == sp.Node })
}

// Stops are the lines of all breakpoints.
func (s *Session) Stops() (lines []int) {
	for _, b := range slices.Concat(s.breakpoints, s.own) {
		lines = append(lines, b.Line)
	}
	return lines
}

// Index is that of an element that is written as data[63].
func Index(element string) (index int, ok bool) {
	parts := elementForm.FindStringSubmatch(element)
	if parts == nil || parts[2] == "" {
		return 0, false
	}
	index, err := strconv.Atoi(parts[2])
	return index, err == nil
}

// Breakpoints are those that were set, without those of the shader's comments.
func (s *Session) Breakpoints() []*Breakpoint { return s.breakpoints }

func (s *Session) place(b *Breakpoint) {
	sp, ok := s.resolve(b.Line)
	if !ok {
		b.Problem = "Nothing runs on this line."
		return
	}
	b.spot, b.Line = sp, sp.line
	frame := sim.Frame{Function: sp.Function, Span: sp.Node.Span()}
	if b.Condition != "" {
		e, err := s.Target.Program.Expression(frame, b.Condition)
		switch {
		case err != nil:
			b.Problem = err.Error()
			return
		case e.Type != types.Bool:
			b.Problem = fmt.Sprintf("`%s` is neither true nor false, but of type %s.", b.Condition, e.Type)
			return
		}
		b.condition = e
	}
	if b.times, ok = parseHits(b.Hits); !ok {
		b.Problem = fmt.Sprintf("`%s` is no number of times: write 3, >= 3 or %% 3.", b.Hits)
		return
	}
	b.Set = true
}

var hitsForm = regexp.MustCompile(`^\s*(==?|>=|>|<=|<|%|)\s*([0-9]{1,9})\s*$`)

// parseHits reads 3, == 3, >= 3, > 3, <= 3, < 3 or % 3.
func parseHits(text string) (times func(n int) bool, ok bool) {
	if strings.TrimSpace(text) == "" {
		return func(int) bool { return true }, true
	}
	parts := hitsForm.FindStringSubmatch(text)
	if parts == nil {
		return nil, false
	}
	want, _ := strconv.Atoi(parts[2]) // digits only
	switch parts[1] {
	case ">=":
		return func(n int) bool { return n >= want }, true
	case ">":
		return func(n int) bool { return n > want }, true
	case "<=":
		return func(n int) bool { return n <= want }, true
	case "<":
		return func(n int) bool { return n < want }, true
	case "%":
		return func(n int) bool { return want > 0 && n%want == 0 }, want > 0
	}
	return func(n int) bool { return n == want }, true
}

// hit gives the breakpoints at which the invocation stops that has the turn.
func (s *Session) hit() (ids []int) {
	if len(s.at) == 0 || !s.counts() {
		return nil
	}
	for _, b := range s.at[s.sim.At(s.turn).Statement] {
		if !s.holds(b) || !b.times(b.time(s.now)) {
			continue
		}
		if b.Message != "" {
			s.log = append(s.log, s.fill(b.Message))
			continue
		}
		ids = append(ids, b.ID)
	}
	return ids
}

// counts reports whether breakpoints count for the invocation that has the turn. Once the one that is followed has
// ended, they count for everybody.
func (s *Session) counts() bool {
	f := s.follow
	if f == nil {
		return true
	}
	if number := s.sim.Number(); number != f.group {
		return number > f.group
	}
	return f.local == s.turn || s.sim.At(f.local).State == sim.Ended
}

func (s *Session) holds(b *Breakpoint) bool {
	if b.condition == nil {
		return true
	}
	v, _, err := s.sim.Evaluate(b.condition, s.turn)
	return err == nil && v.Bool()
}

// time is the how manieth time it is that the breakpoint is come by; going back does not count again.
func (b *Breakpoint) time(moment int) int {
	i, known := slices.BinarySearch(b.moments, moment)
	if !known {
		b.moments = slices.Insert(b.moments, i, moment)
	}
	return i + 1
}

var braces = regexp.MustCompile(`\{[^{}]*\}`)

// fill puts the values of {expressions} into a message.
func (s *Session) fill(message string) string {
	frames := s.sim.Stack(s.turn)
	return braces.ReplaceAllStringFunc(message, func(text string) string {
		e, err := s.Target.Program.Expression(frames[0], strings.Trim(text, "{}"))
		if err != nil {
			return "{" + err.Error() + "}"
		}
		v, _, err := s.sim.Evaluate(e, s.turn)
		if err != nil {
			return "{" + err.Error() + "}"
		}
		return v.String()
	})
}

// A Write is an element, or a variable that is no array, whose next writing stops the run.
type Write struct {
	Text string // data[63]

	own      bool // a comment of the shader says so
	variable sim.Variable
	index    int
	by       sim.Writer
	known    bool
	value    types.Value
	seen     bool // somebody has written it since
}

var elementForm = regexp.MustCompile(`^\s*([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[\s*([0-9]+)u?\s*\])?\s*$`)

// WatchWrites replaces the elements at whose writing the run stops, but for those of the shader's comments. An error
// names one that there is not.
func (s *Session) WatchWrites(texts []string) error {
	list := slices.DeleteFunc(slices.Clone(s.writes), func(w *Write) bool { return !w.own })
	for _, text := range texts {
		w, err := s.write(text)
		if err != nil {
			return err
		}
		list = append(list, w)
	}
	s.writes = list
	return nil
}

func (s *Session) write(text string) (*Write, error) {
	parts := elementForm.FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("%q is no element: write data[63], or the name of a variable", text)
	}
	v, ok := s.shared(parts[1])
	if !ok {
		return nil, fmt.Errorf("`%s` is no buffer and no variable in workgroup memory", parts[1])
	}
	w := &Write{Text: strings.TrimSpace(text), variable: v}
	if parts[2] != "" {
		index, err := strconv.Atoi(parts[2])
		if n := s.elements(v); err != nil || index >= n {
			return nil, fmt.Errorf("`%s` has %d elements: there is no %s", parts[1], n, w.Text)
		}
		w.index = index
	}
	w.by, w.known, w.value = s.writer(w)
	return w, nil
}

// shared is the buffer or the variable in workgroup memory of that name in the shader, or else the buffer of that name in
// the task.
func (s *Session) shared(name string) (sim.Variable, bool) {
	if v, ok := s.global(func(o *types.Object) bool { return o.Name == name && o.Space() != types.SpacePrivate }); ok {
		return v, true
	}
	binding := slices.Index(s.Target.Names, name)
	return s.global(func(o *types.Object) bool {
		return o.Binding != nil && *o.Group == 0 && int(*o.Binding) == binding
	})
}

func (s *Session) global(is func(*types.Object) bool) (sim.Variable, bool) {
	for _, v := range s.sim.Variables(s.view, 0) {
		if v.Object.Global && is(v.Object) {
			return v, true
		}
	}
	return sim.Variable{}, false
}

// elements is how many elements an array has; 0 for what is none.
func (s *Session) elements(v sim.Variable) int {
	a, ok := v.Object.Store().(*types.Array)
	switch {
	case !ok:
		return 0
	case a.Runtime():
		return s.sim.Length(v)
	}
	return int(s.Target.Program.Pipeline.Count(a))
}

func (s *Session) writer(w *Write) (by sim.Writer, known bool, value types.Value) {
	by, known = s.sim.Writer(w.variable, w.index)
	return by, known, s.sim.Element(w.variable, w.index)
}

// written tells of an element that the last move has written, if it is one that is waited for.
func (s *Session) written() (text string) {
	for _, w := range s.writes {
		by, known, value := s.writer(w)
		if known == w.known && by == w.by && same(value, w.value) {
			continue
		}
		if s.mover >= 0 {
			text = fmt.Sprintf("%s writes %s here: %s becomes %s.", capital(s.Name(s.mover)), w.Text, w.value, value)
			w.seen = true
		}
		w.by, w.known, w.value = by, known, value
	}
	return text
}
