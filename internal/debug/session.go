// Package debug is the core of the debugger for compute shaders: it runs a dispatch in the simulator, stops where
// somebody wants to look, goes on and goes back, and shows what an invocation holds. It speaks to no editor, terminal
// or socket; those are its fronts.
//
// The invocations of a workgroup run in the order of their index up to the next barrier, workgroups in the order of
// theirs, as sim.Program.Run has them, wherever somebody stops. So what comes out is what a run gives, and a moment is
// told by its number alone: going back is running up to an earlier one.
package debug

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Target is a dispatch that is to be debugged.
type Target struct {
	Title      string // what runs: vector-add, n = 65
	Source     *syntax.Source
	Program    *sim.Program // compiled with debug
	Workgroups [3]uint32
	Buffers    []sim.Buffer // left as they are
	Writes     []string     // data[63]: elements at whose writing the run stops from the beginning

	// Names are what the task calls the buffers of group 0, by their bindings. A shader may call them otherwise, and a
	// verdict speaks of the task's.
	Names []string
}

// A Session is a dispatch under way, which one person follows. It is not safe for concurrent use.
type Session struct {
	Target *Target

	sim    *sim.Session
	now    int            // the moment: how many moves were made
	turn   int            // the invocation that runs next, by local_invocation_index; -1 between phases
	mover  int            // the one that made the last move; -1 for all or none
	starts map[uint64]int // for each workgroup that has begun: the moment

	checkpoints []checkpoint
	spacing     uint64 // instructions from one checkpoint to the next

	view     int     // the invocation that is looked at
	follow   *follow // whose breakpoints count; nil for everybody's
	trail    []stand // the stops that steps began with, since somebody went on
	before   *sim.Session
	viewed   int // the invocation that was looked at before
	findings bool
	remarks  bool

	spots       []spot
	breakpoints []*Breakpoint
	own         []*Breakpoint // those of the shader's comments
	at          map[syntax.Stmt][]*Breakpoint
	writes      []*Write
	watches     []*watch
	excused     int // the moment whose findings and writes have been told
	log         []string
}

// follow is one invocation of one workgroup.
type follow struct {
	group uint64
	local int
}

// stand is a moment and who was looked at.
type stand struct {
	moment, view int
	follow       *follow
}

// A checkpoint is a moment from which others can be reached.
type checkpoint struct {
	moment int
	turn   int
	steps  uint64
	sim    *sim.Session
}

// New makes a session that stands before the first statement of the first invocation. Comments of the shader may say whom
// to follow, what to watch and where to stop: see comment.
func New(ctx context.Context, target *Target) (*Session, error) {
	first, err := target.Program.Debug(ctx, target.Workgroups, target.Buffers)
	if err != nil {
		return nil, err
	}
	s := &Session{
		Target: target, sim: first, mover: -1, starts: map[uint64]int{0: 0}, spacing: firstSpacing,
		findings: true, excused: -1, at: map[syntax.Stmt][]*Breakpoint{},
	}
	s.checkpoints = []checkpoint{{0, 0, 0, first.Copy()}}
	s.spots = s.findSpots()
	s.pass()
	if err := s.obey(); err != nil {
		return nil, err
	}
	s.keep()
	return s, s.WatchWrites(target.Writes)
}

// pass gives the turn to the first invocation, from the one that had it on, that can run.
func (s *Session) pass() {
	for ; s.turn < s.sim.Invocations(); s.turn++ {
		if s.sim.At(s.turn).State == sim.AtStatement {
			return
		}
	}
	s.turn = -1
}

// move makes one move: a statement of the invocation that has the turn, or all pass a barrier, or the next workgroup
// begins. It reports whether there was one to make.
func (s *Session) move() bool {
	switch {
	case s.turn >= 0:
		s.mover = s.turn
		if s.sim.Step(s.turn).State != sim.AtStatement {
			s.turn++
			s.pass()
		}
	case s.sim.Meet():
		s.mover, s.turn = -1, 0
		s.pass()
	case s.sim.Next():
		s.mover, s.turn = -1, 0
		s.pass()
		s.starts[s.sim.Number()] = s.now + 1
	default:
		return false
	}
	s.now++
	return true
}

// What checkpoints may cost: instructions between two of them, and memory.
const (
	firstSpacing     = 1 << 20
	mostCheckpoints  = 32
	checkpointsBytes = 128 << 20
)

// mark keeps a checkpoint where the last one is far enough away. Where there are too many, every other goes.
func (s *Session) mark() {
	last := s.checkpoints[len(s.checkpoints)-1]
	if s.now <= last.moment || s.sim.Steps()-last.steps < s.spacing {
		return
	}
	s.checkpoints = append(s.checkpoints, checkpoint{s.now, s.turn, s.sim.Steps(), s.sim.Copy()})
	if most := min(mostCheckpoints, max(2, checkpointsBytes/s.sim.Bytes())); len(s.checkpoints) > most {
		kept := s.checkpoints[:0]
		for i, c := range s.checkpoints {
			if i%2 == 0 {
				kept = append(kept, c)
			}
		}
		clear(s.checkpoints[len(kept):])
		s.checkpoints = kept
		s.spacing *= 2
	}
}

// restore goes to the last checkpoint at a moment or before.
func (s *Session) restore(moment int) {
	i := sort.Search(len(s.checkpoints), func(i int) bool { return s.checkpoints[i].moment > moment }) - 1
	c := s.checkpoints[i]
	s.sim, s.now, s.turn, s.mover = c.sim.Copy(), c.moment, c.turn, -1
}

// seek goes to a moment that has been.
func (s *Session) seek(ctx context.Context, moment int) error {
	if moment < s.now {
		s.restore(moment)
	}
	for s.now < moment {
		if err := s.alive(ctx); err != nil {
			return err
		}
		if !s.move() {
			break
		}
		s.mark()
	}
	s.sim.Fresh()
	for _, w := range s.writes {
		w.by, w.known, w.value = s.writer(w)
	}
	return nil
}

// between is how many moves are made between two looks at the clock.
const between = 1 << 8

func (s *Session) alive(ctx context.Context) error {
	if s.now%between == 0 {
		return ctx.Err()
	}
	return nil
}

// Moment is the number of moves that have been made: it tells where in the run the session stands.
func (s *Session) Moment() int { return s.now }

// Done reports whether all invocations have ended.
func (s *Session) Done() bool {
	counts := s.Target.Workgroups
	if s.turn >= 0 || s.sim.Number()+1 < uint64(counts[0])*uint64(counts[1])*uint64(counts[2]) {
		return false
	}
	_, waits := s.waiting()
	return !waits
}

// waiting is the first invocation that waits at a barrier.
func (s *Session) waiting() (local int, waits bool) {
	for i := range s.sim.Invocations() {
		if s.sim.At(i).State == sim.AtBarrier {
			return i, true
		}
	}
	return 0, false
}

// Write gives the target's buffers what has been written up to now.
func (s *Session) Write() { s.sim.Write() }

// Findings is what has been seen up to now, errors first.
func (s *Session) Findings() []shader.Finding { return s.sim.Findings() }

// Invocation is the one that is looked at, by local_invocation_index.
func (s *Session) Invocation() int { return s.view }

// Invocations is how many a workgroup has.
func (s *Session) Invocations() int { return s.sim.Invocations() }

// Workgroup is the workgroup that is under way.
func (s *Session) Workgroup() [3]uint32 { return s.sim.Workgroup() }

// LocalID is an invocation's local_invocation_id.
func (s *Session) LocalID(local int) [3]uint32 {
	size := s.Target.Program.Pipeline.WorkgroupSize
	i := uint32(local)
	return [3]uint32{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}
}

// Name is how messages call an invocation of the workgroup under way.
func (s *Session) Name(local int) string {
	return fmt.Sprintf("invocation %s of workgroup %s", triple(s.LocalID(local)), triple(s.Workgroup()))
}

func triple(id [3]uint32) string { return fmt.Sprintf("%d,%d,%d", id[0], id[1], id[2]) }

// At is where an invocation stands.
func (s *Session) At(local int) sim.Position { return s.sim.At(local) }

// Line is the line of the shader, from 1, on which an invocation stands.
func (s *Session) Line(local int) int {
	return s.Target.Source.Position(s.sim.At(local).Span.Start).Line
}

// Stack is the functions that an invocation is in, the innermost first.
func (s *Session) Stack(local int) []sim.Frame { return s.sim.Stack(local) }

// keep remembers how things are, so that the next stop can tell what has changed.
func (s *Session) keep() {
	s.before, s.viewed = s.sim.Still(), s.view
	s.keepWatches()
}

// Look turns to an invocation of the workgroup under way and follows it from then on.
func (s *Session) Look(local int) error {
	if local < 0 || local >= s.sim.Invocations() {
		return fmt.Errorf("a workgroup has %d invocations: there is no %d", s.sim.Invocations(), local)
	}
	s.stopAt(local)
	s.keep()
	return nil
}

// Anyone follows nobody any more: the next breakpoint stops whoever comes there first.
func (s *Session) Anyone() { s.follow = nil }

// Enter goes to where a workgroup begins, forward or back, and looks at one of its invocations.
func (s *Session) Enter(ctx context.Context, workgroup [3]uint32, local int) error {
	counts := s.Target.Workgroups
	for axis, i := range workgroup {
		if i >= counts[axis] {
			return fmt.Errorf("there are %s workgroups, so that there is no %s", triple(counts), triple(workgroup))
		}
	}
	if local < 0 || local >= s.sim.Invocations() {
		return fmt.Errorf("a workgroup has %d invocations: there is no %d", s.sim.Invocations(), local)
	}
	number := s.number(workgroup)
	if number != s.sim.Number() {
		if err := s.begin(ctx, number); err != nil {
			return err
		}
		s.trail = nil
	}
	return s.Look(local)
}

func (s *Session) begin(ctx context.Context, number uint64) error {
	if start, known := s.starts[number]; known {
		return s.seek(ctx, start)
	}
	for s.sim.Number() < number {
		if err := s.alive(ctx); err != nil {
			return err
		}
		if !s.move() {
			return fmt.Errorf("the run has ended before workgroup %d", number)
		}
		s.mark()
	}
	s.sim.Fresh()
	return nil
}

// Log is what breakpoints have had to say since it was asked for last.
func (s *Session) Log() []string {
	said := s.log
	s.log = nil
	return said
}

// StopAtFindings says whether the run stops where something goes wrong, and where something is remarked.
func (s *Session) StopAtFindings(errors, remarks bool) { s.findings, s.remarks = errors, remarks }

func (s *Session) stopsAt(f shader.Finding) bool {
	if f.Severity == shader.SeverityError {
		return s.findings
	}
	return s.remarks
}

func (s *Session) firstFinding() *shader.Finding {
	fresh := s.sim.Fresh()
	if i := slices.IndexFunc(fresh, s.stopsAt); i >= 0 {
		return &fresh[i]
	}
	return nil
}
