package debug

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// StopReason says why a session stopped.
type StopReason string

// The reasons.
const (
	Entry     StopReason = "entry"           // before the first statement
	Hit       StopReason = "breakpoint"      //
	Stepped   StopReason = "step"            //
	Paused    StopReason = "pause"           // the user asked for it
	Found     StopReason = "exception"       // a finding
	Written   StopReason = "data breakpoint" // an element is about to be written
	Returned  StopReason = "returned"        // the stepped invocation has ended
	Finished  StopReason = "end"             // all invocations have ended
	Beginning StopReason = "beginning"       // there is nothing before this moment
)

// A Stop says why and where the session stopped.
type Stop struct {
	Reason      StopReason
	Text        string // one sentence for the learner
	Breakpoints []int  // the ids of the breakpoints hit
	Finding     *findings.Finding
}

// Move is a way to move through the run.
type Move uint8

// The commands.
const (
	Start           Move = iota // run to the next breakpoint, which may be at the current statement
	Continue                    // run to the next breakpoint after the current statement
	StepIn                      // one statement, into functions
	StepOver                    // one statement, over function calls
	StepOut                     // to the end of the function
	Back                        // to where the last step began, or one statement back
	ReverseContinue             // back to the previous breakpoint
	Through                     // run to the end, whatever would stop a debugger
)

// A Run is a command in progress. It can be interrupted and resumed.
type Run struct {
	s       *Session
	command Move
	begun   bool
	moved   bool // the stepped invocation has made a move
	depth   int  // of its stack when the command began
}

// Run prepares a command; Run.On carries it out.
func (s *Session) Run(command Move) *Run { return &Run{s: s, command: command} }

// Do carries out a command. When the context ends, the run pauses.
func (s *Session) Do(ctx context.Context, command Move) Stop {
	stop, err := s.Run(command).On(ctx)
	if err != nil {
		return s.Pause()
	}
	return stop
}

// Pause stops the session wherever it is.
func (s *Session) Pause() Stop {
	s.viewRunner()
	s.stopAt(s.view)
	return Stop{Reason: Paused, Text: "Paused: " + s.where()}
}

// viewRunner views the invocation that has the turn.
func (s *Session) viewRunner() {
	if s.turn >= 0 {
		s.view = s.turn
	}
}

// stopAt views an invocation and follows it.
func (s *Session) stopAt(local int) { s.view, s.follow = local, &follow{s.sim.Number(), local} }

// where names the viewed invocation and its line.
func (s *Session) where() string {
	p := s.sim.At(s.view)
	return fmt.Sprintf("%s %s.", s.Name(s.view), describe(p, s.Line(s.view)))
}

// describe gives an invocation's position in a few words.
func describe(p sim.ProgramPoint, line int) string {
	switch p.State {
	case sim.AtBarrier:
		return fmt.Sprintf("at line %d, waiting at the barrier", line)
	case sim.AtSubgroup:
		return fmt.Sprintf("at line %d, waiting for its subgroup", line)
	case sim.Ended:
		return fmt.Sprintf("has returned at line %d", line)
	}
	return fmt.Sprintf("at line %d", line)
}

// On carries out the command until there is a reason to stop. Its only error is the context's;
// the command can then be resumed.
func (r *Run) On(ctx context.Context) (Stop, error) {
	s := r.s
	switch r.command {
	case Back:
		return s.back(ctx)
	case ReverseContinue:
		return s.reverse(ctx)
	case Through:
		return s.through(ctx)
	}
	if !r.begun {
		if stop, ready := r.begin(); ready {
			return stop, nil
		}
	}
	for {
		if err := s.interrupted(ctx); err != nil {
			return Stop{}, err
		}
		if r.begun || r.command != Start {
			if !s.move() {
				return s.finished(), nil
			}
			s.addCheckpoint()
		}
		r.begun = true
		if stop, found, err := r.findStop(ctx); found || err != nil {
			return stop, err
		}
	}
}

// through runs to the end. Nobody asked for the elements that a finished debugger reports.
func (s *Session) through(ctx context.Context) (Stop, error) {
	for s.move() {
		if err := s.interrupted(ctx); err != nil {
			return Stop{}, err
		}
	}
	return Stop{Reason: Finished, Text: ended}, nil
}

// ended says that the run is over.
const ended = "The run has ended."

// begin prepares a command. If ready is true, the command is done without running anything.
func (r *Run) begin() (stop Stop, ready bool) {
	s := r.s
	s.rememberStop()
	switch r.command {
	case Start, Continue:
		s.trail = nil
		return Stop{}, false
	}
	if s.Done() {
		return s.finished(), true
	}
	s.trail = append(s.trail, bookmark{s.now, s.view, s.follow})
	s.follow = &follow{s.sim.Number(), s.view}
	if s.sim.At(s.view).State == sim.Ended && s.turn >= 0 { // step to the invocation that runs next
		s.view, s.follow = s.turn, nil
		return Stop{Reason: Stepped, Text: fmt.Sprintf("Moved on to %s", s.where())}, true
	}
	r.depth = len(s.sim.Stack(s.view))
	return Stop{}, false
}

// findStop decides whether to stop at this moment.
func (r *Run) findStop(ctx context.Context) (stop Stop, found bool, err error) {
	s := r.s
	if stop, found, err = s.stopAtCause(ctx); found || err != nil {
		return stop, found, err
	}
	r.moved = r.moved || s.mover == s.view
	if r.command != Start && r.command != Continue {
		if s.mover == s.view && s.sim.At(s.view).State == sim.Ended {
			return Stop{Reason: Returned, Text: english.Capital(s.where())}, true, nil
		}
		if s.viewNext() {
			r.moved = true
		}
	}
	if s.turn < 0 {
		return Stop{}, false, nil
	}
	if hit := s.hit(); len(hit) > 0 {
		s.stopAt(s.turn)
		return Stop{Reason: Hit, Breakpoints: hit, Text: english.Capital(s.where())}, true, nil
	}
	if r.arrived() {
		return Stop{Reason: Stepped, Text: english.Capital(s.where())}, true, nil
	}
	return Stop{}, false, nil
}

// viewNext views the next invocation if the viewed one, or its workgroup, has ended.
func (s *Session) viewNext() bool {
	over := s.mover < 0 && s.starts[s.sim.Number()] == s.now || s.sim.At(s.view).State == sim.Ended
	if !over || s.turn < 0 {
		return false
	}
	s.viewRunner()
	s.follow = nil
	return true
}

// arrived reports whether a step has reached its end.
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

// stopAtCause checks whether the last move caused a finding or a watched write. If so, it goes back
// one move, so that the user sees the statement before it runs. It reports each cause once.
func (s *Session) stopAtCause(ctx context.Context) (stop Stop, found bool, err error) {
	finding, write := s.firstFinding(), s.describeWrite()
	if finding == nil && write == "" || s.now-1 == s.reported || s.now == 0 {
		return Stop{}, false, nil
	}
	who := s.mover
	if err := s.seek(ctx, s.now-1); err != nil {
		return Stop{}, false, err
	}
	s.reported = s.now
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
	stop := Stop{Reason: Finished, Text: ended}
	for _, w := range s.writes {
		if !w.seen {
			stop.Text += fmt.Sprintf(" No invocation has written %s.", w.Text)
		}
	}
	return stop
}

// back goes to where the last step began. After a continue, it goes back one statement of the
// viewed invocation.
func (s *Session) back(ctx context.Context) (Stop, error) {
	if n := len(s.trail); n > 0 {
		last := s.trail[n-1]
		if err := s.seek(ctx, last.moment); err != nil {
			return Stop{}, err
		}
		s.trail = s.trail[:n-1]
		if last.moment < s.reported {
			s.reported = -1
		}
		s.view, s.follow = last.view, last.follow
		s.rememberStop()
		return Stop{Reason: Stepped, Text: english.Capital(s.where())}, nil
	}
	view, number, depth := s.view, s.sim.Number(), len(s.sim.Stack(s.view))
	if s.sim.At(view).State == sim.Ended {
		depth = 1
	}
	return s.goBack(ctx, func() bool {
		return s.turn == view && s.sim.Number() == number && len(s.sim.Stack(view)) <= depth
	})
}

// reverse goes back to the previous breakpoint.
func (s *Session) reverse(ctx context.Context) (Stop, error) {
	s.trail = nil
	return s.goBack(ctx, func() bool { return s.turn >= 0 && len(s.hit()) > 0 })
}

// goBack goes to the last moment before this one for which right is true, or to the beginning. It
// replays the stretches between checkpoints, from the last to the first.
func (s *Session) goBack(ctx context.Context, right func() bool) (Stop, error) {
	here, until := bookmark{s.now, s.view, s.follow}, s.now
	quiet := s.log
	found := -1
	for until > 0 && found < 0 {
		s.restore(until - 1)
		from := s.now
		for s.now < until {
			if err := s.interrupted(ctx); err != nil {
				return Stop{}, s.returnTo(here, err)
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
		return Stop{}, s.returnTo(here, err)
	}
	s.reported = -1
	if found < 0 {
		s.view = max(s.turn, 0)
		s.rememberStop()
		return Stop{Reason: Beginning, Text: "This is the beginning: " + s.where()}, nil
	}
	s.viewRunner()
	hit := s.hit()
	s.rememberStop()
	if len(hit) > 0 {
		s.stopAt(s.view)
		return Stop{Reason: Hit, Breakpoints: hit, Text: english.Capital(s.where())}, nil
	}
	return Stop{Reason: Stepped, Text: english.Capital(s.where())}, nil
}

// returnTo goes back to where an interrupted search began.
func (s *Session) returnTo(at bookmark, err error) error {
	s.view, s.follow = at.view, at.follow
	if again := s.seek(context.Background(), at.moment); again != nil {
		return again
	}
	return err
}
