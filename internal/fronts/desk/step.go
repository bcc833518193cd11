package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// commands maps the view's names for commands to the debugger's.
var commands = map[string]debug.Move{
	"continue": debug.Continue, "over": debug.StepOver, "in": debug.StepIn, "out": debug.StepOut, "back": debug.Back,
}

// errNoRun reports that there is no run: it never started, or the page stopped its Web Worker.
var errNoRun = errors.New("stopping the judge ended this run: start it again")

// A stepping is a run that a learner steps through.
type stepping struct {
	subject string // the exercise, or a bench's shader
	cases   []string
	session *debug.Session // nil before the start and after the end
	watched []string       // expressions watched in earlier runs
	run     *debug.Run     // the command under way; nil when stopped
	spent   time.Duration  // on that command
	stop    debug.Stop
	set     []protocol.Breakpoint // as the view last sent them
}

// end releases the run, which may be large.
func (s *stepping) end() {
	if s.session != nil {
		s.watched, s.session, s.run = s.session.Watches(), nil, nil
	}
}

// step answers a request of the step view.
func (d *Desk) step(ctx context.Context, r protocol.Request) (*protocol.StepState, error) {
	switch {
	case r.Step.Do == "begin":
		return d.beginSteps(ctx, r)
	case d.steps == nil || d.steps.session == nil:
		return nil, errNoRun
	case r.Step.Do == "end":
		d.steps.end()
		return &protocol.StepState{}, nil
	}
	return d.steps.answer(ctx, r.Step)
}

// beginSteps begins a run. If the shader cannot run, the answer says why. The run keeps the watched
// expressions of the run before.
func (d *Desk) beginSteps(ctx context.Context, r protocol.Request) (*protocol.StepState, error) {
	subject, source, prepare, err := d.toStep(r)
	if err != nil {
		return nil, err
	}
	s := &stepping{subject: subject, stop: debug.Stop{Reason: debug.Entry}}
	if d.steps != nil {
		d.steps.end()
		if d.steps.subject == s.subject {
			s.watched = d.steps.watched
		}
	}
	d.steps = s
	if p := findings.FirstError(source.Shader().Findings); p != nil {
		return &protocol.StepState{Problem: fmt.Sprintf("This shader does not compile yet, so there is nothing to step through. Line %d: %s", p.Line, p.Message)}, nil
	}
	target, err := prepare(ctx)
	var session *debug.Session
	if err == nil {
		session, err = debug.New(ctx, target)
	}
	if err != nil {
		return &protocol.StepState{Problem: fmt.Sprintf("There is nothing to step through: %v", err)}, ctx.Err()
	}
	for _, expression := range s.watched {
		session.Watch(expression)
	}
	s.session, s.cases = session, session.Target.Cases
	s.place(r.Step.Breakpoints)
	if r.Step.Moment > 0 {
		return s.turned(r.Step, session.Visit(ctx, r.Step.Moment, r.Step.Invocation))
	}
	if r.Step.Write != "" || len(session.Stops()) > 0 || debug.StopsByItself(r.Source) {
		return s.begin(ctx, debug.Start, r.Step)
	}
	return s.show(r.Step), nil
}

// toStep returns what a request wants to step through: its name, its shader, and what prepares it.
func (d *Desk) toStep(r protocol.Request) (subject string, source *shader.Source, prepare func(context.Context) (*debug.Target, error), err error) {
	if r.Bench != nil {
		return benchName, benchSource(r.Source), func(ctx context.Context) (*debug.Target, error) { return benchTarget(ctx, r) }, nil
	}
	exercise, err := course.Find(r.Exercise)
	if err != nil {
		return "", nil, nil, err
	}
	source = d.read(learner.ShaderPath(exercise.ID), r.Source)
	return exercise.ID, source, func(ctx context.Context) (*debug.Target, error) {
		var writes []string
		if r.Step.Write != "" {
			writes = append(writes, r.Step.Write)
		}
		return cases.Target(ctx, exercise, source, r.Step.Seed, r.Step.Case, writes)
	}, nil
}

func (s *stepping) answer(ctx context.Context, r protocol.StepRequest) (*protocol.StepState, error) {
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
	return nil, fmt.Errorf("there is no step %q", r.Do)
}

// turned returns the state after a turn to another invocation, or to another moment.
func (s *stepping) turned(r protocol.StepRequest, err error) (*protocol.StepState, error) {
	if err != nil {
		return nil, err
	}
	s.run, s.stop = nil, debug.Stop{Reason: turnedTo}
	return s.show(r), nil
}

// turnedTo is the reason for a stop after the learner has turned to another invocation.
const turnedTo debug.StopReason = "turned"

func (s *stepping) begin(ctx context.Context, command debug.Move, r protocol.StepRequest) (*protocol.StepState, error) {
	s.run, s.spent = s.session.Run(command), 0
	if command == debug.Back { // an interrupted one starts again
		return s.carryOn(ctx, r)
	}
	return s.on(ctx, r)
}

// minRunTime is the minimum time that a run continues before the desk answers the page, which may
// then pause it.
const minRunTime = 100 * time.Millisecond

// on continues the run for a while. The page asks again until the run stops, because no message can
// reach a program in a page while it computes. The longer the run, the longer a while is: the run
// may have to return to the moment before its stop.
func (s *stepping) on(ctx context.Context, r protocol.StepRequest) (*protocol.StepState, error) {
	return s.carryOn(until{ctx, time.Now().Add(max(minRunTime, s.spent/4))}, r)
}

func (s *stepping) carryOn(ctx context.Context, r protocol.StepRequest) (*protocol.StepState, error) {
	if s.run == nil {
		return s.show(r), nil
	}
	began := time.Now()
	stop, err := s.run.On(ctx)
	s.spent += time.Since(began)
	if errors.Is(err, errWhile) {
		return &protocol.StepState{Running: true, Says: fmt.Sprintf("Running: %s steps so far.", english.Thousands(s.session.Moment()))}, nil
	}
	if err != nil {
		return nil, err
	}
	s.run, s.stop = nil, stop
	return s.show(r), nil
}

// until is a context that ends by the clock. A timer would not fire while a program in a page
// computes.
type until struct {
	context.Context
	end time.Time
}

// errWhile reports that the time is over.
var errWhile = errors.New("the time is up")

func (u until) Err() error {
	if err := u.Context.Err(); err != nil {
		return err
	}
	if time.Now().After(u.end) {
		return errWhile
	}
	return nil
}

// place sets the breakpoints, unless they are unchanged.
func (s *stepping) place(asked []protocol.Breakpoint) {
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

// breakpoints returns the session's breakpoints as a view lists them, one per line.
func (s *stepping) breakpoints() []protocol.Breakpoint {
	list := []protocol.Breakpoint{}
	for _, b := range s.session.Breakpoints() {
		if !slices.ContainsFunc(list, func(other protocol.Breakpoint) bool { return other.Line == b.Line }) {
			list = append(list, protocol.Breakpoint{Line: b.Line, Condition: b.Condition, Problem: b.Problem})
		}
	}
	return list
}

// workgroup returns the workgroup that is a number of workgroups after the current one.
func (s *stepping) workgroup(by int) [3]uint32 {
	now, of := s.session.Workgroup(), s.session.Target.Workgroups
	number := int(now[0]) + int(of[0])*(int(now[1])+int(of[1])*int(now[2])) + by
	number = min(max(number, 0), int(of[0])*int(of[1])*int(of[2])-1)
	x, y := int(of[0]), int(of[1])
	return [3]uint32{uint32(number % x), uint32(number / x % y), uint32(number / x / y)}
}

// say answers a line of the console, and returns the changed state.
func (s *stepping) say(ctx context.Context, r protocol.StepRequest) (*protocol.StepState, error) {
	if s.run != nil {
		return nil, errors.New("the shader is running: pause it first")
	}
	text, err := s.console(ctx, r)
	state := s.show(r)
	state.Answer = &protocol.Said{Text: text}
	if err != nil {
		state.Answer = &protocol.Said{Text: err.Error(), Failed: true}
	}
	return state, nil
}

func (s *stepping) console(ctx context.Context, r protocol.StepRequest) (string, error) {
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

// breakAt sets a breakpoint. It replaces one at the same line.
func (s *stepping) breakAt(b *debug.Breakpoint) (string, error) {
	before := s.session.Breakpoints()
	s.session.SetBreakpoints(append([]*debug.Breakpoint{b}, before...))
	if !b.Set {
		s.session.SetBreakpoints(before)
		return "", errors.New(b.Problem)
	}
	s.set = nil
	s.place(s.breakpoints()) // the first of a line remains
	return fmt.Sprintf("Stops at line %d.", b.Line), nil
}
