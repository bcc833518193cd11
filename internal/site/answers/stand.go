package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/debug"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
)

// A Stand is all that a view shows of a shader that somebody steps through.
type Stand struct {
	Problem string `json:"problem,omitempty"` // why nothing can be stepped through; the rest is empty then
	Running bool   `json:"running,omitempty"` // it has not stopped yet: ask to go on; the rest is as it was then

	Case       string   `json:"case"` // n = 65
	Cases      []string `json:"cases"`
	Says       string   `json:"says"`  // where and why it stands, in a sentence or two
	Wrong      bool     `json:"wrong"` // it stands where something goes wrong
	Ended      bool     `json:"ended"` // all invocations have
	Findings   []string `json:"findings"`
	At         Place    `json:"at"` // of the frame that is shown
	Frames     []Frame  `json:"frames"`
	Frame      int      `json:"frame"`
	Invocation int      `json:"invocation"`
	Workgroup  string   `json:"workgroup"` // 0,1, where there are several along two axes
	Workgroups string   `json:"workgroups"`
	First      bool     `json:"first"` // of the workgroups
	Last       bool     `json:"last"`

	Picture     Picture      `json:"picture"`
	Scopes      []Scope      `json:"scopes"`
	Breakpoints []Breakpoint `json:"breakpoints"`
	Own         []int        `json:"own"` // lines at which comments of the shader stop it
	Answer      *Said        `json:"answer,omitempty"`
}

// A Place is a statement in the source: its first line, from 1, and its offsets.
type Place struct {
	Line int `json:"line"`
	From int `json:"from"`
	To   int `json:"to"`
}

// A Frame is a function that has been entered and not been left.
type Frame struct {
	Name string `json:"name"`
	Line int    `json:"line"`
}

// A Breakpoint is a line at which it stops.
type Breakpoint struct {
	Line      int    `json:"line"`
	Condition string `json:"condition"`
	Problem   string `json:"problem"` // why it does not
}

// Said is what the console answers.
type Said struct {
	Text   string `json:"text"`
	Failed bool   `json:"failed"`
}

// A Scope is a group of variables.
type Scope struct {
	Name      string     `json:"name"`
	Variables []Variable `json:"variables"`
}

// A Variable is something with a name and a value, or a range of an array's elements.
type Variable struct {
	Path    string     `json:"path"` // to say that it is open
	Name    string     `json:"name"`
	Type    string     `json:"type"`
	Value   string     `json:"value"`
	Changed bool       `json:"changed"` // since the stop before
	More    bool       `json:"more"`    // it has parts
	Parts   []Variable `json:"parts,omitempty"`
}

// A Picture is the workgroup: where its invocations stand, and who wrote its memory last.
type Picture struct {
	Width  int      `json:"width"` // in invocations
	Cells  []int    `json:"cells"` // the group of each invocation
	Groups []Group  `json:"groups"`
	Memory []Memory `json:"memory"`
}

// A Group is invocations that stand at the same place.
type Group struct {
	Letter string `json:"letter"`
	Colour string `json:"colour"`
	Line   int    `json:"line"`
	State  string `json:"state"` // at, waits or ended
	Does   string `json:"does"`  // line 14, waiting at the barrier
	Words  string `json:"words"` // invocations 0 to 16 at line 14, waiting at the barrier
}

// A Memory is a variable in workgroup memory, or a buffer, element by element.
type Memory struct {
	Name    string   `json:"name"`
	Colours []string `json:"colours"` // of who wrote it last; "" for nobody, "-" for an earlier workgroup
	Mine    []int    `json:"mine"`    // the elements that the invocation wrote that is looked at
	Words   string   `json:"words"`
}

// show is what there is to show at this moment.
func (s *stepping) show(r Step) *Stand {
	if s.run != nil {
		return &Stand{Running: true}
	}
	session := s.session
	stand := &Stand{
		Case: strings.TrimPrefix(session.Target.Title, s.exercise.ID+", "), Cases: s.cases, Says: s.says(), Wrong: s.stop.Finding != nil, Ended: session.Done() && s.stop.Reason != debug.Returned, Findings: s.findings(),
		Invocation: session.Invocation(), Picture: s.picture(), Breakpoints: s.breakpoints(), Own: s.own(),
	}
	s.showFrames(stand, r.Frame)
	stand.Scopes = scopes(session.Scopes(session.Invocation(), stand.Frame), r.Open)
	of := session.Target.Workgroups
	now, last := s.workgroup(0), [3]uint32{of[0] - 1, of[1] - 1, of[2] - 1}
	stand.First, stand.Last = now == [3]uint32{}, now == last
	stand.Workgroup, stand.Workgroups = axes(now, of), strings.ReplaceAll(axes(of, of), ",", " × ")
	return stand
}

// axes writes a place without the axes along which there is but one.
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

// showFrames says in which functions the invocation is, and where.
func (s *stepping) showFrames(stand *Stand, frame int) {
	source := s.session.Target.Source
	place := func(from, to int32) Place {
		return Place{source.Position(from).Line, units(source.Text[:from]), units(source.Text[:to])}
	}
	span := s.session.At(s.session.Invocation()).Span
	stand.At, stand.Frames = place(span.Start, span.End), []Frame{}
	for i, f := range s.session.Stack(s.session.Invocation()) {
		at := place(f.Span.Start, f.Span.End)
		stand.Frames = append(stand.Frames, Frame{f.Function.Object.Name, at.Line})
		if i == frame {
			stand.Frame, stand.At = frame, at
		}
	}
}

// who names the invocation that is looked at, in few words.
func (s *stepping) who() string {
	size := s.session.Target.Program.Pipeline.WorkgroupSize
	name := "invocation " + axes(s.session.LocalID(s.session.Invocation()), size)
	if of := s.session.Target.Workgroups; of != [3]uint32{1, 1, 1} {
		name += " of workgroup " + axes(s.session.Workgroup(), of)
	}
	return name
}

// says says where and why it stands.
func (s *stepping) says() string {
	line := s.session.Line(s.session.Invocation())
	where := fmt.Sprintf("line %d, %s", line, s.who())
	switch s.session.At(s.session.Invocation()).State {
	case sim.AtBarrier:
		where += ", which waits at the barrier"
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

// stopped ends a sentence that does not end by itself.
func stopped(text string) string { return strings.TrimSuffix(text, ".") + "." }

func (s *stepping) findings() []string {
	list := []string{}
	for _, f := range s.session.Findings() {
		list = append(list, fmt.Sprintf("Line %d: %s", f.Place.Line, stopped(f.Message)))
	}
	return list
}

// own are the lines at which comments of the shader stop it.
func (s *stepping) own() []int {
	stops, set := s.session.Stops(), len(s.session.Breakpoints())
	return append([]int{}, stops[set:]...) // those of comments come last
}

// picture draws the workgroup.
func (s *stepping) picture() Picture {
	drawn := s.session.Picture()
	groups := drawn.Groups()
	p := Picture{Width: drawn.Width, Cells: make([]int, len(drawn.Cells)), Groups: []Group{}, Memory: []Memory{}}
	for n, g := range groups {
		for _, i := range g.Invocations {
			p.Cells[i] = n
		}
		p.Groups = append(p.Groups, Group{
			Letter: debug.Letters[min(n, len(debug.Letters)-1):][:1], Colour: debug.Colour(n),
			Line: g.Line, State: states[g.State], Does: does(g), Words: g.String(),
		})
	}
	for _, strip := range drawn.Memory {
		p.Memory = append(p.Memory, s.memory(strip))
	}
	return p
}

// states are those of invocations, as the view calls them.
var states = map[sim.State]string{sim.AtStatement: "at", sim.AtBarrier: "waits", sim.Ended: "ended"}

// does says where a group stands.
func does(g debug.Group) string {
	switch g.State {
	case sim.AtBarrier:
		return fmt.Sprintf("line %d, waiting at the barrier", g.Line)
	case sim.Ended:
		return fmt.Sprintf("line %d, returned", g.Line)
	}
	return fmt.Sprintf("line %d", g.Line)
}

func (s *stepping) memory(strip debug.Strip) Memory {
	m := Memory{Name: strip.Name, Mine: []int{}, Words: strip.String()}
	for i, by := range strip.Writers {
		colour := ""
		switch by {
		case debug.Nobody:
		case debug.Elsewhere:
			colour = "-"
		default:
			colour = debug.Colour(by)
		}
		m.Colours = append(m.Colours, colour)
		if by == s.session.Invocation() {
			m.Mine = append(m.Mine, i)
		}
	}
	return m
}

// scopes are groups of variables with the parts of those that are open.
func scopes(from []debug.Scope, open []string) []Scope {
	list := []Scope{}
	for _, scope := range from {
		list = append(list, Scope{scope.Name, variables(scope.Name, scope.Items, open)})
	}
	return list
}

func variables(path string, items []debug.Item, open []string) []Variable {
	list := []Variable{}
	for _, it := range items {
		v := Variable{Path: path + "/" + it.Name, Name: it.Name, Type: it.Type, Value: it.Value, Changed: it.Changed, More: it.Children > 0}
		if v.More && slices.Contains(open, v.Path) {
			v.Parts = variables(v.Path, it.Parts(), open)
		}
		list = append(list, v)
	}
	return list
}

// thousands writes a number so that it can be read.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
