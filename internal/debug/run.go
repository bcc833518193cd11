package debug

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
)

// Reason says why a session has stopped.
type Reason string

// The reasons.
const (
	Entry     Reason = "entry"           // before the first statement
	Hit       Reason = "breakpoint"      //
	Stepped   Reason = "step"            //
	Paused    Reason = "pause"           // somebody wanted it to
	Found     Reason = "exception"       // a finding
	Written   Reason = "data breakpoint" // an element is about to be written
	Returned  Reason = "returned"        // the invocation that was stepped has ended
	Finished  Reason = "end"             // all invocations have ended
	Beginning Reason = "beginning"       // nothing lies before
)

// A Stop says why the session stands where it does.
type Stop struct {
	Reason      Reason
	Text        string // one sentence for the learner
	Breakpoints []int  // the ids of those that were hit
	Finding     *shader.Finding
}

// Command is a way to go on.
type Command uint8

// The commands.
const (
	Start           Command = iota // go on, and stop already where the session stands if a breakpoint is there
	Continue                       // to the next breakpoint
	StepIn                         // one statement, into functions
	StepOver                       // one statement, functions as a whole
	StepOut                        // to the end of the function
	Back                           // to where the last step began; or one statement back
	ReverseContinue                // to the breakpoint before
)

// A Run is a command under way. It can be interrupted and taken up again.
type Run struct {
	s       *Session
	command Command
	begun   bool
	moved   bool // the invocation that is stepped has made a move
	depth   int  // of its stack at the beginning
}

// Run begins a command; Run.On carries it out.
func (s *Session) Run(command Command) *Run { return &Run{s: s, command: command} }

// Do carries out a command. A context that ends pauses it.
func (s *Session) Do(ctx context.Context, command Command) Stop {
	stop, err := s.Run(command).On(ctx)
	if err != nil {
		return s.Pause()
	}
	return stop
}

// Pause says that the session stands wherever it happens to.
func (s *Session) Pause() Stop {
	s.settle()
	s.stopAt(s.view)
	return Stop{Reason: Paused, Text: "Paused: " + s.where()}
}

// settle looks at whoever has the turn.
func (s *Session) settle() {
	if s.turn >= 0 {
		s.view = s.turn
	}
}

// stopAt looks at an invocation and follows it.
func (s *Session) stopAt(local int) { s.view, s.follow = local, &follow{s.sim.Number(), local} }

// where says who stands where.
func (s *Session) where() string {
	p := s.sim.At(s.view)
	return fmt.Sprintf("%s %s.", s.Name(s.view), describe(p, s.Line(s.view)))
}

// describe says where an invocation stands, in a few words.
func describe(p sim.Position, line int) string {
	switch p.State {
	case sim.AtBarrier:
		return fmt.Sprintf("at line %d, waiting at the barrier", line)
	case sim.Ended:
		return fmt.Sprintf("has returned at line %d", line)
	}
	return fmt.Sprintf("at line %d", line)
}

// On carries the command on until there is a reason to stop. An error is the context's: the command can be taken up
// again.
func (r *Run) On(ctx context.Context) (Stop, error) {
	s := r.s
	switch r.command {
	case Back:
		return s.back(ctx)
	case ReverseContinue:
		return s.reverse(ctx)
	}
	if !r.begun {
		if stop, ready := r.begin(); ready {
			return stop, nil
		}
	}
	for {
		if err := s.alive(ctx); err != nil {
			return Stop{}, err
		}
		if r.begun || r.command != Start {
			if !s.move() {
				return s.finished(), nil
			}
			s.mark()
		}
		r.begun = true
		if stop, found, err := r.look(ctx); found || err != nil {
			return stop, err
		}
	}
}

// begin prepares a command; ready tells that there is nothing to run for it.
func (r *Run) begin() (stop Stop, ready bool) {
	s := r.s
	s.keep()
	switch r.command {
	case Start, Continue:
		s.trail = nil
		return Stop{}, false
	}
	if s.Done() {
		return s.finished(), true
	}
	s.trail = append(s.trail, stand{s.now, s.view, s.follow})
	s.follow = &follow{s.sim.Number(), s.view}
	if s.sim.At(s.view).State == sim.Ended && s.turn >= 0 { // on to whoever runs next
		s.view, s.follow = s.turn, nil
		return Stop{Reason: Stepped, Text: fmt.Sprintf("On to %s", s.where())}, true
	}
	r.depth = len(s.sim.Stack(s.view))
	return Stop{}, false
}

// look says whether to stop at this moment.
func (r *Run) look(ctx context.Context) (stop Stop, found bool, err error) {
	s := r.s
	if stop, found, err = s.culprit(ctx); found || err != nil {
		return stop, found, err
	}
	r.moved = r.moved || s.mover == s.view
	if r.command != Start && r.command != Continue {
		if s.mover == s.view && s.sim.At(s.view).State == sim.Ended {
			return Stop{Reason: Returned, Text: capital(s.where())}, true, nil
		}
		if s.moveOn() {
			r.moved = true
		}
	}
	if s.turn < 0 {
		return Stop{}, false, nil
	}
	if hit := s.hit(); len(hit) > 0 {
		s.stopAt(s.turn)
		return Stop{Reason: Hit, Breakpoints: hit, Text: capital(s.where())}, true, nil
	}
	if r.arrived() {
		return Stop{Reason: Stepped, Text: capital(s.where())}, true, nil
	}
	return Stop{}, false, nil
}

// moveOn looks at the next invocation where the one that was looked at has ended, or its workgroup.
func (s *Session) moveOn() bool {
	over := s.mover < 0 && s.starts[s.sim.Number()] == s.now || s.sim.At(s.view).State == sim.Ended
	if !over || s.turn < 0 {
		return false
	}
	s.settle()
	s.follow = nil
	return true
}

// arrived reports whether a step has come to where it goes.
func (r *Run) arrived() bool {
	s := r.s
	if !r.moved || s.turn != s.view {
		return false
	}
	switch r.command {
	case StepIn:
		return true
	case StepOver:
		return len(s.sim.Stack(s.view)) <= r.depth
	case StepOut:
		return len(s.sim.Stack(s.view)) < r.depth
	}
	return false
}

// culprit looks for what the last move did wrong or wrote, and goes back to before it, so that the statement can be
// looked at that does so. Each is told once.
func (s *Session) culprit(ctx context.Context) (stop Stop, found bool, err error) {
	finding, write := s.firstFinding(), s.written()
	if finding == nil && write == "" || s.now-1 == s.excused || s.now == 0 {
		return Stop{}, false, nil
	}
	who := s.mover
	if err := s.seek(ctx, s.now-1); err != nil {
		return Stop{}, false, err
	}
	s.excused = s.now
	if who < 0 {
		who, _ = s.waiting()
	}
	s.stopAt(who)
	if finding != nil {
		return Stop{Reason: Found, Text: finding.Message, Finding: finding}, true, nil
	}
	return Stop{Reason: Written, Text: write}, true, nil
}

func (s *Session) finished() Stop {
	stop := Stop{Reason: Finished, Text: "The run has ended."}
	for _, w := range s.writes {
		if !w.seen {
			stop.Text += fmt.Sprintf(" Nobody has written %s.", w.Text)
		}
	}
	return stop
}

// back goes to where the last step began. Where somebody went on since, it goes one statement of the invocation back.
func (s *Session) back(ctx context.Context) (Stop, error) {
	if n := len(s.trail); n > 0 {
		last := s.trail[n-1]
		if err := s.seek(ctx, last.moment); err != nil {
			return Stop{}, err
		}
		s.trail = s.trail[:n-1]
		if last.moment < s.excused {
			s.excused = -1
		}
		s.view, s.follow = last.view, last.follow
		s.keep()
		return Stop{Reason: Stepped, Text: capital(s.where())}, nil
	}
	view, number, depth := s.view, s.sim.Number(), len(s.sim.Stack(s.view))
	if s.sim.At(view).State == sim.Ended {
		depth = 1
	}
	return s.goBack(ctx, func() bool {
		return s.turn == view && s.sim.Number() == number && len(s.sim.Stack(view)) <= depth
	})
}

// reverse goes to the breakpoint before.
func (s *Session) reverse(ctx context.Context) (Stop, error) {
	s.trail = nil
	return s.goBack(ctx, func() bool { return s.turn >= 0 && len(s.hit()) > 0 })
}

// goBack goes to the last moment before this one that is right, or to the beginning. The runs between two checkpoints
// are tried from the last to the first.
func (s *Session) goBack(ctx context.Context, right func() bool) (Stop, error) {
	here, until := stand{s.now, s.view, s.follow}, s.now
	quiet := s.log
	found := -1
	for until > 0 && found < 0 {
		s.restore(until - 1)
		from := s.now
		for s.now < until {
			if err := s.alive(ctx); err != nil {
				return Stop{}, s.stay(here, err)
			}
			if right() {
				found = s.now
			}
			s.move()
		}
		until = from
	}
	s.log = quiet
	if err := s.seek(ctx, max(found, 0)); err != nil {
		return Stop{}, s.stay(here, err)
	}
	s.excused = -1
	if found < 0 {
		s.view = max(s.turn, 0)
		s.keep()
		return Stop{Reason: Beginning, Text: "This is the beginning: " + s.where()}, nil
	}
	s.settle()
	hit := s.hit()
	s.keep()
	if len(hit) > 0 {
		s.stopAt(s.view)
		return Stop{Reason: Hit, Breakpoints: hit, Text: capital(s.where())}, nil
	}
	return Stop{Reason: Stepped, Text: capital(s.where())}, nil
}

// stay goes back to where an interrupted search began.
func (s *Session) stay(at stand, err error) error {
	s.view, s.follow = at.view, at.follow
	if again := s.seek(context.Background(), at.moment); again != nil {
		return again
	}
	return err
}
