package answers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/debug"
	"github.com/wgslab/wgslab/internal/debug/target"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
)

// A Step is what the view asks in which somebody steps through a shader. With each one it says which breakpoints there
// are and what of the variables is open, so that an answer is all that there is to show.
type Step struct {
	Do          string       `json:"do"`          // a command, or what else is in the switch of answer
	Seed        uint64       `json:"seed"`        // of begin: that of the check whose cases are meant
	Case        string       `json:"case"`        // of begin: the name of one; none chooses the first that fails
	Write       string       `json:"write"`       // of begin: an element, out[63], at whose writing it stops
	Invocation  int          `json:"invocation"`  // of look: its local_invocation_index
	By          int          `json:"by"`          // of workgroup: how many further
	Line        string       `json:"line"`        // of say: a line of the console
	Frame       int          `json:"frame"`       // whose variables are shown, 0 for the innermost
	Breakpoints []Breakpoint `json:"breakpoints"` // all of them, but for those of the shader's comments
	Open        []string     `json:"open"`        // the paths of the variables whose parts are shown
}

// commands are the ways to go on, by what the view calls them.
var commands = map[string]debug.Command{
	"continue": debug.Continue, "over": debug.StepOver, "in": debug.StepIn, "out": debug.StepOut, "back": debug.Back,
}

// errNoRun says that there is nothing to step through: never begun, or lost with a worker that was stopped.
var errNoRun = errors.New("this run is gone, as the judge was stopped: start it again")

// A stepping is a shader that somebody steps through.
type stepping struct {
	exercise *lesson.Exercise
	cases    []string
	session  *debug.Session // nil before it begins and when it has ended
	watched  []string       // by runs that have ended
	run      *debug.Run     // a command that has not come to its end; nil where it stands
	spent    time.Duration  // on it
	stop     debug.Stop
	set      []Breakpoint // as the view last had them
}

// end lets go of the run, which may be large.
func (s *stepping) end() {
	if s.session != nil {
		s.watched, s.session, s.run = s.session.Watches(), nil, nil
	}
}

// step answers the view.
func (d *Desk) step(ctx context.Context, r Request) (*Stand, error) {
	switch {
	case r.Step.Do == "begin":
		return d.beginSteps(ctx, r)
	case d.steps == nil || d.steps.session == nil:
		return nil, errNoRun
	case r.Step.Do == "end":
		d.steps.end()
		return &Stand{}, nil
	}
	return d.steps.answer(ctx, r.Step)
}

// beginSteps begins a run. Of a shader that cannot run the answer says why. What was watched is watched again.
func (d *Desk) beginSteps(ctx context.Context, r Request) (*Stand, error) {
	exercise, err := lesson.Find(r.Exercise)
	if err != nil {
		return nil, err
	}
	s := &stepping{exercise: exercise, stop: debug.Stop{Reason: debug.Entry}}
	if d.steps != nil {
		d.steps.end()
		if d.steps.exercise == s.exercise {
			s.watched = d.steps.watched
		}
	}
	d.steps = s
	if p := firstError(r.Source); p != nil {
		return &Stand{Problem: fmt.Sprintf("This shader does not compile yet, so that there is nothing to step through. Line %d: %s", p.Line, p.Message)}, nil
	}
	session, err := s.newSession(ctx, r)
	if err != nil {
		return &Stand{Problem: fmt.Sprintf("There is nothing to step through: %v", err)}, ctx.Err()
	}
	for _, expression := range s.watched {
		session.Watch(expression)
	}
	s.session = session
	s.place(r.Step.Breakpoints)
	if r.Step.Write != "" || len(session.Stops()) > 0 || debug.StopsByItself(r.Source) {
		return s.begin(ctx, debug.Start, r.Step)
	}
	return s.show(r.Step), nil
}

func (s *stepping) newSession(ctx context.Context, r Request) (*debug.Session, error) {
	var writes []string
	if r.Step.Write != "" {
		writes = append(writes, r.Step.Write)
	}
	t, err := target.Exercise(ctx, s.exercise, learner.ShaderPath(s.exercise.ID), r.Source, r.Step.Seed, r.Step.Case, writes)
	if err != nil {
		return nil, err
	}
	for _, c := range s.exercise.Draw(r.Step.Seed) {
		s.cases = append(s.cases, c.Name)
	}
	return debug.New(ctx, t)
}

// firstError is the first mistake that keeps a shader from running; nil for none.
func firstError(source string) *Problem {
	list := problemsIn(source)
	if i := slices.IndexFunc(list, func(p Problem) bool { return p.Severity == "error" }); i >= 0 {
		return &list[i]
	}
	return nil
}

func (s *stepping) answer(ctx context.Context, r Step) (*Stand, error) {
	s.place(r.Breakpoints)
	if command, is := commands[r.Do]; is {
		return s.begin(ctx, command, r)
	}
	switch r.Do {
	case "on":
		return s.on(ctx, r)
	case "pause":
		if s.run != nil {
			s.run, s.stop = nil, s.session.Pause()
		}
		return s.show(r), nil
	case "look":
		return s.turned(r, s.session.Look(r.Invocation))
	case "workgroup":
		return s.turned(r, s.session.Enter(ctx, s.workgroup(r.By), s.session.Invocation()))
	case "say":
		return s.say(ctx, r)
	case "show":
		return s.show(r), nil
	}
	return nil, fmt.Errorf("nobody who steps can %q", r.Do)
}

// turned shows another invocation, or another moment.
func (s *stepping) turned(r Step, err error) (*Stand, error) {
	if err != nil {
		return nil, err
	}
	s.run, s.stop = nil, debug.Stop{Reason: turnedTo}
	return s.show(r), nil
}

// turnedTo is why it stands there where somebody turned to another invocation.
const turnedTo debug.Reason = "turned"

func (s *stepping) begin(ctx context.Context, command debug.Command, r Step) (*Stand, error) {
	s.run, s.spent = s.session.Run(command), 0
	if command == debug.Back { // one that is interrupted begins anew
		return s.carryOn(ctx, r)
	}
	return s.on(ctx, r)
}

// shortest is how long a run goes on at least before the page is answered, which may pause it then.
const shortest = 100 * time.Millisecond

// on goes on for a while. The page asks again until it stands: nothing else reaches a program in a page that computes. A
// while is longer the longer the run, which may have to go far back to the moment before what it stops for.
func (s *stepping) on(ctx context.Context, r Step) (*Stand, error) {
	return s.carryOn(until{ctx, time.Now().Add(max(shortest, s.spent/4))}, r)
}

func (s *stepping) carryOn(ctx context.Context, r Step) (*Stand, error) {
	if s.run == nil {
		return s.show(r), nil
	}
	began := time.Now()
	stop, err := s.run.On(ctx)
	s.spent += time.Since(began)
	if errors.Is(err, errWhile) {
		return &Stand{Running: true, Says: fmt.Sprintf("Running: %s steps so far.", thousands(s.session.Moment()))}, nil
	}
	if err != nil {
		return nil, err
	}
	s.run, s.stop = nil, stop
	return s.show(r), nil
}

// until is a context that ends by the clock. A timer would not come while a program in a page computes.
type until struct {
	context.Context
	end time.Time
}

// errWhile says that a while is over.
var errWhile = errors.New("a while is over")

func (u until) Err() error {
	if err := u.Context.Err(); err != nil {
		return err
	}
	if time.Now().After(u.end) {
		return errWhile
	}
	return nil
}

// place sets the breakpoints, where they are not those that there are.
func (s *stepping) place(asked []Breakpoint) {
	if slices.Equal(asked, s.set) {
		return
	}
	var list []*debug.Breakpoint
	for i, b := range asked {
		list = append(list, &debug.Breakpoint{ID: i + 1, Line: b.Line, Condition: b.Condition})
	}
	s.session.SetBreakpoints(list)
	s.set = s.breakpoints()
}

// breakpoints are those of the session as a view has them, one a line.
func (s *stepping) breakpoints() []Breakpoint {
	list := []Breakpoint{}
	for _, b := range s.session.Breakpoints() {
		if !slices.ContainsFunc(list, func(other Breakpoint) bool { return other.Line == b.Line }) {
			list = append(list, Breakpoint{b.Line, b.Condition, b.Problem})
		}
	}
	return list
}

// workgroup is the one that is so many further than the one under way.
func (s *stepping) workgroup(by int) [3]uint32 {
	now, of := s.session.Workgroup(), s.session.Target.Workgroups
	number := int(now[0]) + int(of[0])*(int(now[1])+int(of[1])*int(now[2])) + by
	number = min(max(number, 0), int(of[0])*int(of[1])*int(of[2])-1)
	x, y := int(of[0]), int(of[1])
	return [3]uint32{uint32(number % x), uint32(number / x % y), uint32(number / x / y)}
}

// say answers a line of the console, and shows what is different then.
func (s *stepping) say(ctx context.Context, r Step) (*Stand, error) {
	if s.run != nil {
		return nil, errors.New("the shader runs: pause it first")
	}
	text, err := s.console(ctx, r)
	stand := s.show(r)
	stand.Answer = &Said{Text: text}
	if err != nil {
		stand.Answer = &Said{Text: err.Error(), Failed: true}
	}
	return stand, nil
}

func (s *stepping) console(ctx context.Context, r Step) (string, error) {
	line := strings.TrimSpace(r.Line)
	if line == "help" {
		return debug.BreakHelp + "\n" + debug.ConsoleHelp, nil
	}
	if b, is := debug.ReadBreak(line); is {
		return s.breakAt(b)
	}
	answer, err := s.session.Console(ctx, r.Frame, line)
	if answer.Moved {
		s.stop = debug.Stop{Reason: turnedTo}
	}
	return answer.Text, err
}

// breakAt sets a breakpoint, in the place of one at its line.
func (s *stepping) breakAt(b *debug.Breakpoint) (string, error) {
	before := s.session.Breakpoints()
	s.session.SetBreakpoints(append([]*debug.Breakpoint{b}, before...))
	if !b.Set {
		s.session.SetBreakpoints(before)
		return "", errors.New(b.Problem)
	}
	s.set = nil
	s.place(s.breakpoints()) // the first of a line stays
	return fmt.Sprintf("Stops at line %d.", b.Line), nil
}
