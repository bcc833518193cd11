package debug

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Breakpoint is a line at which the run stops.
type Breakpoint struct {
	ID        int    // 0 if a comment in the shader set it
	Line      int    // from 1; as requested, then the line of the statement once it is Set
	Condition string // stop only if this expression is true
	Hits      string // 3, >= 3 or % 3: the visits at which it stops
	Message   string // logged instead of stopping, with {expressions}

	Set     bool   // a statement was found to stop at
	Problem string // why Set is false

	spot      spot
	condition *ir.Expression
	hitsMatch func(n int) bool
	moments   []int // when it was reached with its condition true
}

// spot is a statement to stop at, and its line.
type spot struct {
	sim.Statement
	line int
	file string // empty in the file that breakpoints are for
}

// findSpots lists the statements to stop at, in source order.
func (s *Session) findSpots() (spots []spot) {
	for _, st := range s.Target.Program.Statements() {
		at := s.Target.Source.Region(st.Node.Span())
		spots = append(spots, spot{st, at.Line, at.File})
	}
	sort.SliceStable(spots, func(i, j int) bool { return spots[i].Node.Span().Start < spots[j].Node.Span().Start })
	return spots
}

// resolve finds where a breakpoint on a line stops: at the first statement of that line, or after
// it in the same function.
func (s *Session) resolve(line int) (spot, bool) {
	if line < 1 || line > s.Target.Source.File("").Lines() {
		return spot{}, false
	}
	for i, sp := range s.spots {
		if sp.line < line || sp.file != "" || line < s.Target.Source.Region(sp.Function.Decl.Span()).Line {
			continue
		}
		// A loop's statement comes before its initialiser in the source, but runs after it.
		if loop, ok := sp.Node.(*syntax.ForStmt); ok && loop.Init != nil && i+1 < len(s.spots) && s.spots[i+1].Node == loop.Init {
			return s.spots[i+1], true
		}
		return sp, true
	}
	return spot{}, false
}

// SetBreakpoints replaces all breakpoints except those from comments, and fills in each one's Set
// and Problem. A plain breakpoint on a line with a comment's breakpoint takes over its condition.
func (s *Session) SetBreakpoints(list []*Breakpoint) {
	s.breakpoints, s.at = list, map[syntax.Stmt][]*Breakpoint{}
	for _, b := range s.commentBreakpoints {
		s.at[b.spot.Node] = append(s.at[b.spot.Node], b)
	}
	for _, b := range list {
		s.place(b)
		if b.Set && !(b.isPlain() && s.hasCommentBreakpoint(b.spot)) {
			s.at[b.spot.Node] = append(s.at[b.spot.Node], b)
		}
	}
}

// isPlain reports whether a breakpoint has only a line.
func (b *Breakpoint) isPlain() bool { return b.Condition == "" && b.Hits == "" && b.Message == "" }

func (s *Session) hasCommentBreakpoint(sp spot) bool {
	return slices.ContainsFunc(s.commentBreakpoints, func(b *Breakpoint) bool { return b.spot.Node == sp.Node })
}

// Stops lists the lines of all breakpoints.
func (s *Session) Stops() (lines []int) {
	for _, b := range slices.Concat(s.breakpoints, s.commentBreakpoints) {
		lines = append(lines, b.Line)
	}
	return lines
}

// Index returns the index of an element such as data[63].
func Index(element string) (index int, ok bool) {
	parts := elementForm.FindStringSubmatch(element)
	if parts == nil || parts[2] == "" {
		return 0, false
	}
	index, err := strconv.Atoi(parts[2])
	return index, err == nil
}

// Breakpoints lists the breakpoints, except those from comments in the shader.
func (s *Session) Breakpoints() []*Breakpoint { return s.breakpoints }

func (s *Session) place(b *Breakpoint) {
	sp, ok := s.resolve(b.Line)
	if !ok {
		b.Problem = "This line has no statement to stop at."
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
			b.Problem = fmt.Sprintf("`%s` has type %s: a condition must be a bool.", b.Condition, e.Type)
			return
		}
		b.condition = e
	}
	if b.hitsMatch, ok = parseHits(b.Hits); !ok {
		b.Problem = fmt.Sprintf("`%s` is not a hit count: write 3, >= 3 or %% 3.", b.Hits)
		return
	}
	b.Set = true
}

var hitsForm = regexp.MustCompile(`^\s*(==?|>=|>|<=|<|%|)\s*([0-9]{1,9})\s*$`)

// parseHits reads 3, == 3, >= 3, > 3, <= 3, < 3 or % 3.
func parseHits(text string) (match func(n int) bool, ok bool) {
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

// hit returns the ids of the breakpoints that stop the invocation with the turn.
func (s *Session) hit() (ids []int) {
	if len(s.at) == 0 || !s.breakpointsApply() {
		return nil
	}
	for _, b := range s.at[s.sim.At(s.turn).Statement] {
		if !s.conditionHolds(b) || !b.hitsMatch(b.visit(s.now)) {
			continue
		}
		if b.Message != "" {
			s.log = append(s.log, s.interpolate(b.Message))
			continue
		}
		ids = append(ids, b.ID)
	}
	return ids
}

// breakpointsApply reports whether breakpoints apply to the invocation with the turn. Once the
// followed invocation has ended, they apply to all.
func (s *Session) breakpointsApply() bool {
	f := s.follow
	if f == nil {
		return true
	}
	if number := s.sim.Number(); number != f.group {
		return number > f.group
	}
	return f.local == s.turn || s.sim.At(f.local).State == sim.Ended
}

func (s *Session) conditionHolds(b *Breakpoint) bool {
	if b.condition == nil {
		return true
	}
	v, _, err := s.sim.Evaluate(b.condition, s.turn)
	return err == nil && v.Bool()
}

// visit returns how many times the run has reached the breakpoint. A replay after going back isn't
// counted again.
func (b *Breakpoint) visit(moment int) int {
	i, known := slices.BinarySearch(b.moments, moment)
	if !known {
		b.moments = slices.Insert(b.moments, i, moment)
	}
	return i + 1
}

var braces = regexp.MustCompile(`\{[^{}]*\}`)

// interpolate replaces the {expressions} of a message by their values.
func (s *Session) interpolate(message string) string {
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

// A Write stops the run at the next write to an array element, or to a variable that isn't an
// array.
type Write struct {
	Text string // data[63]

	fromComment bool // set by a comment in the shader
	variable    sim.Variable
	index       int
	by          sim.Writer
	known       bool
	value       types.Value
	seen        bool // it has been written since
}

var elementForm = regexp.MustCompile(`^\s*([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[\s*([0-9]+)u?\s*\])?\s*$`)

// WatchWrites replaces the elements that stop the run when they are written, except those from
// comments. It fails for an element that doesn't exist.
func (s *Session) WatchWrites(texts []string) error {
	list := slices.DeleteFunc(slices.Clone(s.writes), func(w *Write) bool { return !w.fromComment })
	for _, text := range texts {
		w, err := s.parseWrite(text)
		if err != nil {
			return err
		}
		list = append(list, w)
	}
	s.writes = list
	return nil
}

func (s *Session) parseWrite(text string) (*Write, error) {
	parts := elementForm.FindStringSubmatch(text)
	if whole, _, member := strings.Cut(text, "."); parts == nil && member && elementForm.MatchString(whole) {
		return nil, fmt.Errorf("the run can't stop at `%s` alone: write %s, and it stops when any part changes", strings.TrimSpace(text), strings.TrimSpace(whole))
	}
	if parts == nil {
		return nil, fmt.Errorf("%q is not an element: write data[63], or the name of a variable", text)
	}
	v, ok := s.sharedVariable(parts[1])
	if !ok {
		return nil, fmt.Errorf("`%s` is neither a buffer nor a variable in workgroup memory", parts[1])
	}
	w := &Write{Text: strings.TrimSpace(text), variable: v}
	if parts[2] != "" {
		index, err := strconv.Atoi(parts[2])
		if n := s.elements(v); err != nil || index >= n {
			return nil, fmt.Errorf("`%s` has %d elements, so there is no %s", parts[1], n, w.Text)
		}
		w.index = index
	}
	w.by, w.known, w.value = s.lastWriter(w)
	return w, nil
}

// sharedVariable finds a buffer or workgroup variable by its name in the shader, or else a buffer
// by its name in the exercise.
func (s *Session) sharedVariable(name string) (sim.Variable, bool) {
	if v, ok := s.findGlobal(func(o *types.Object) bool { return o.Name == name && o.Space() != types.SpacePrivate }); ok {
		return v, true
	}
	binding := slices.Index(s.Target.Names, name)
	return s.findGlobal(func(o *types.Object) bool {
		return o.Binding != nil && *o.Group == 0 && int(*o.Binding) == binding
	})
}

func (s *Session) findGlobal(is func(*types.Object) bool) (sim.Variable, bool) {
	for _, v := range s.sim.Variables(s.view, 0) {
		if v.Object.Global && is(v.Object) {
			return v, true
		}
	}
	return sim.Variable{}, false
}

// elements returns the number of elements of an array, or 0 if the variable isn't an array.
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

func (s *Session) lastWriter(w *Write) (by sim.Writer, known bool, value types.Value) {
	by, known = s.sim.Writer(w.variable, w.index)
	return by, known, s.sim.Element(w.variable, w.index)
}

// describeWrite describes the last move's write to a watched element, if there was one.
func (s *Session) describeWrite() (text string) {
	for _, w := range s.writes {
		by, known, value := s.lastWriter(w)
		if known == w.known && by == w.by && same(value, w.value) {
			continue
		}
		if s.mover >= 0 {
			text = fmt.Sprintf("%s writes %s here: %s becomes %s.", english.Capital(s.Name(s.mover)), w.Text, w.value, value)
			w.seen = true
		}
		w.by, w.known, w.value = by, known, value
	}
	return text
}
