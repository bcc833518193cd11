package desk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// show returns the state of the view at this moment.
func (s *stepping) show(r protocol.StepRequest) *protocol.StepState {
	if s.run != nil {
		return &protocol.StepState{Running: true}
	}
	session := s.session
	state := &protocol.StepState{
		Case: strings.TrimPrefix(session.Target.Title, s.subject+", "), Cases: s.cases, Says: s.says(), Wrong: s.stop.Finding != nil, Ended: session.Done() && s.stop.Reason != debug.Returned, Findings: s.findings(),
		Moment: session.Moment(), Invocation: session.Invocation(), Picture: s.picture(), Breakpoints: s.breakpoints(), Own: s.own(),
	}
	s.showFrames(state, r.Frame)
	state.Scopes = scopes(session.Scopes(session.Invocation(), state.Frame), r.Open)
	of := session.Target.Workgroups
	now, last := s.workgroup(0), [3]uint32{of[0] - 1, of[1] - 1, of[2] - 1}
	state.First, state.Last = now == [3]uint32{}, now == last
	state.Workgroup, state.Workgroups = axes(now, of), strings.ReplaceAll(axes(of, of), ",", " × ")
	return state
}

// axes formats a position without the axes that have only one value.
func axes(at, of [3]uint32) string {
	n := 3
	for n > 1 && of[n-1] == 1 {
		n--
	}
	var parts []string
	for _, v := range at[:n] {
		parts = append(parts, fmt.Sprint(v))
	}
	return strings.Join(parts, ",")
}

// showFrames adds the function calls of the invocation, with their places.
func (s *stepping) showFrames(state *protocol.StepState, frame int) {
	source := s.session.Target.Source
	place := func(from, to int32) protocol.Statement {
		return protocol.Statement{Line: source.Position(from).Line, From: syntax.UTF16Units(source.Text[:from]), To: syntax.UTF16Units(source.Text[:to])}
	}
	span := s.session.At(s.session.Invocation()).Span
	state.At, state.Frames = place(span.Start, span.End), []protocol.Frame{}
	for i, f := range s.session.Stack(s.session.Invocation()) {
		at := place(f.Span.Start, f.Span.End)
		state.Frames = append(state.Frames, protocol.Frame{Name: f.Function.Object.Name, Line: at.Line})
		if i == frame {
			state.Frame, state.At = frame, at
		}
	}
}

// who names the selected invocation in a few words.
func (s *stepping) who() string {
	size := s.session.Target.Program.Pipeline.WorkgroupSize
	name := "invocation " + axes(s.session.LocalID(s.session.Invocation()), size)
	if of := s.session.Target.Workgroups; of != [3]uint32{1, 1, 1} {
		name += " of workgroup " + axes(s.session.Workgroup(), of)
	}
	return name
}

// says describes where and why the run stopped.
func (s *stepping) says() string {
	line := s.session.Line(s.session.Invocation())
	where := fmt.Sprintf("line %d, %s", line, s.who())
	switch s.session.At(s.session.Invocation()).State {
	case sim.AtBarrier:
		where += ", which waits at the barrier"
	case sim.AtSubgroup:
		where += ", which waits for its subgroup"
	case sim.Ended:
		where += ", which has returned"
	}
	switch s.stop.Reason {
	case debug.Entry:
		return "Before the first statement: " + where + "."
	case debug.Hit:
		return "Stopped at the breakpoint on " + where + "."
	case debug.Written:
		return fmt.Sprintf("Stopped on line %d: %s", line, s.stop.Text)
	case debug.Found:
		return fmt.Sprintf("Something goes wrong on %s: %s", where, stopped(s.stop.Text))
	case debug.Finished:
		return s.stop.Text
	case debug.Beginning:
		return "This is the beginning: " + where + "."
	case debug.Paused:
		return "Paused on " + where + "."
	}
	return "Stopped on " + where + "."
}

// stopped adds a full stop to a sentence that has none.
func stopped(text string) string { return strings.TrimSuffix(text, ".") + "." }

func (s *stepping) findings() []string {
	list := []string{}
	for _, f := range s.session.Findings() {
		list = append(list, fmt.Sprintf("Line %d: %s", f.Location.Line, stopped(f.Message)))
	}
	return list
}

// own returns the lines at which comments of the shader stop the run.
func (s *stepping) own() []int {
	stops, set := s.session.Stops(), len(s.session.Breakpoints())
	return append([]int{}, stops[set:]...) // the stops of comments come last
}

// picture draws the workgroup.
func (s *stepping) picture() protocol.Picture {
	drawn := s.session.Picture()
	groups := drawn.Groups()
	p := protocol.Picture{Width: drawn.Width, Cells: make([]int, len(drawn.Cells)), Groups: []protocol.Group{}, Memory: []protocol.Memory{}}
	for n, g := range groups {
		for _, i := range g.Invocations {
			p.Cells[i] = n
		}
		p.Groups = append(p.Groups, protocol.Group{
			Letter: string(debug.Letter(g.Mark)), Colour: debug.Colour(g.Mark),
			Line: g.Line, State: states[g.State], Does: does(g), Words: g.String(),
		})
	}
	for _, strip := range drawn.Memory {
		p.Memory = append(p.Memory, s.memory(drawn, strip))
	}
	return p
}

// states maps the states of invocations to the view's names.
var states = map[sim.State]string{sim.AtStatement: "at", sim.AtBarrier: "waits", sim.AtSubgroup: "waits", sim.Ended: "ended"}

// does describes the place of a group.
func does(g debug.InvocationGroup) string {
	switch g.State {
	case sim.AtBarrier:
		return fmt.Sprintf("line %d, waiting at the barrier", g.Line)
	case sim.AtSubgroup:
		return fmt.Sprintf("line %d, waiting for its subgroup", g.Line)
	case sim.Ended:
		return fmt.Sprintf("line %d, returned", g.Line)
	}
	return fmt.Sprintf("line %d", g.Line)
}

func (s *stepping) memory(drawn debug.Picture, strip debug.MemoryStrip) protocol.Memory {
	m := protocol.Memory{Name: strip.Name, Mine: []int{}, Words: strip.String()}
	for i, by := range strip.Writers {
		colour := ""
		switch by {
		case debug.Nobody:
		case debug.Elsewhere:
			colour = "-"
		default:
			colour = drawn.WriterColour(by)
		}
		m.Colours = append(m.Colours, colour)
		if by == s.session.Invocation() {
			m.Mine = append(m.Mine, i)
		}
	}
	return m
}

// scopes converts groups of variables, with the parts of the open ones.
func scopes(from []debug.Scope, open []string) []protocol.Scope {
	list := []protocol.Scope{}
	for _, scope := range from {
		list = append(list, protocol.Scope{Name: scope.Name, Variables: variables(scope.Name, scope.Items, open)})
	}
	return list
}

func variables(path string, items []debug.TreeItem, open []string) []protocol.Variable {
	list := []protocol.Variable{}
	for _, it := range items {
		v := protocol.Variable{Path: path + "/" + it.Name, Name: it.Name, Type: it.Type, Value: it.Value, Changed: it.Changed, More: it.Children > 0}
		if v.More && slices.Contains(open, v.Path) {
			v.Parts = variables(v.Path, it.Parts(), open)
		}
		list = append(list, v)
	}
	return list
}
