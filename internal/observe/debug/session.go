// Package debug is the core of the debugger for compute shaders. It runs a dispatch in the
// simulator, stops it, steps it forward and back, and shows what an invocation holds. Its fronts
// (editors, a terminal, notebooks, the page) are other packages.
//
// The order of execution is fixed, as in sim.Program.Run: invocations run in the order of their
// index up to the next barrier, and workgroups run one after the other. Stopping doesn't change
// that order, so a debugged run computes what a normal run computes. The number of a move
// identifies a moment, and going back means running again up to an earlier move.
package debug

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Target is a dispatch to debug.
type Target struct {
	Title      string // what runs: vector-add, n = 65
	Source     *syntax.Source
	Program    *sim.Program // compiled with debug
	Workgroups [3]uint32
	Buffers    []sim.BoundBuffer // left as they are
	Writes     []string          // elements such as data[63]; the run stops at each write to them

	// Names holds the exercise's names of the buffers in group 0, by binding. A shader may use
	// other names, but verdicts use these.
	Names []string
	Cases []string // the names of the exercise's cases, one of which runs
}

// A Session is a dispatch in progress, watched by one person. It is not safe for concurrent use.
type Session struct {
	Target *Target

	sim    *sim.Stepper
	now    int            // the moment: the number of moves made
	turn   int            // local_invocation_index of the invocation that runs next; -1 between phases
	mover  int            // the invocation that made the last move; -1 for all or none
	starts map[uint64]int // the moment at which each workgroup began

	checkpoints []checkpoint
	spacing     uint64 // instructions from one checkpoint to the next

	view     int        // the invocation being viewed
	follow   *follow    // breakpoints apply to this invocation only; nil for all
	trail    []bookmark // where each step began, since the last continue
	lastStop *sim.Stepper
	lastView int // the invocation viewed at the last stop
	findings bool
	remarks  bool
	marks    map[Snapshot]int // of the places that a picture showed; see mark
	nextMark int

	spots              []spot
	breakpoints        []*Breakpoint
	commentBreakpoints []*Breakpoint // set by comments in the shader
	at                 map[syntax.Stmt][]*Breakpoint
	writes             []*Write
	watches            []*watch
	reported           int // the moment whose findings and writes were reported
	log                []string
}

// follow is one invocation of one workgroup.
type follow struct {
	group uint64
	local int
}

// bookmark is a moment together with the invocation viewed there.
type bookmark struct {
	moment, view int
	follow       *follow
}

// A checkpoint holds the simulator's state at a moment, so that the run can restart there.
type checkpoint struct {
	moment int
	turn   int
	steps  uint64
	sim    *sim.Stepper
}

// New starts a session before the first statement of the first invocation. Comments in the shader
// may set breakpoints, watches and the invocation to follow: see comment.
func New(ctx context.Context, target *Target) (*Session, error) {
	first, err := target.Program.Debug(ctx, target.Workgroups, target.Buffers)
	if err != nil {
		return nil, err
	}
	s := &Session{
		Target: target, sim: first, mover: -1, starts: map[uint64]int{0: 0}, spacing: firstSpacing,
		findings: true, reported: -1, at: map[syntax.Stmt][]*Breakpoint{}, marks: map[Snapshot]int{},
	}
	s.checkpoints = []checkpoint{{0, 0, 0, first.Copy()}}
	s.spots = s.findSpots()
	s.passTurn()
	if err := s.applyComments(); err != nil {
		return nil, err
	}
	s.rememberStop()
	return s, s.WatchWrites(target.Writes)
}

// passTurn gives the turn to the next invocation that can run, starting with the current one.
func (s *Session) passTurn() {
	for ; s.turn < s.sim.Invocations(); s.turn++ {
		if s.sim.At(s.turn).State == sim.AtStatement {
			return
		}
	}
	s.turn = -1
}

// move makes one move and reports whether there was one to make. A move is a statement of the
// invocation that has the turn, all invocations passing a barrier, or the start of a workgroup.
func (s *Session) move() bool {
	switch {
	case s.turn >= 0:
		s.mover = s.turn
		if s.sim.Step(s.turn).State != sim.AtStatement {
			s.turn++
			s.passTurn()
		}
	case s.sim.Meet():
		s.mover, s.turn = -1, 0
		s.passTurn()
	case s.sim.Next():
		s.mover, s.turn = -1, 0
		s.passTurn()
		s.starts[s.sim.Number()] = s.now + 1
	default:
		return false
	}
	s.now++
	return true
}

// Limits on checkpoints: the instructions between two of them, their number and their memory.
const (
	firstSpacing     = 1 << 20
	mostCheckpoints  = 32
	checkpointsBytes = 128 << 20
)

// addCheckpoint adds a checkpoint if the last one is far enough back. If there are too many, it
// drops every other one.
func (s *Session) addCheckpoint() {
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

// restore goes back to the last checkpoint at or before a moment.
func (s *Session) restore(moment int) {
	i := sort.Search(len(s.checkpoints), func(i int) bool { return s.checkpoints[i].moment > moment }) - 1
	c := s.checkpoints[i]
	s.sim, s.now, s.turn, s.mover = c.sim.Copy(), c.moment, c.turn, -1
}

// seek goes to a moment the run has already reached once.
func (s *Session) seek(ctx context.Context, moment int) error {
	if moment < s.now {
		s.restore(moment)
	}
	for s.now < moment {
		if err := s.interrupted(ctx); err != nil {
			return err
		}
		if !s.move() {
			break
		}
		s.addCheckpoint()
	}
	s.sim.Fresh()
	for _, w := range s.writes {
		w.by, w.known, w.value = s.lastWriter(w)
	}
	return nil
}

// clockInterval is the number of moves between two checks of the context.
const clockInterval = 1 << 8

func (s *Session) interrupted(ctx context.Context) error {
	if s.now%clockInterval == 0 {
		return ctx.Err()
	}
	return nil
}

// Moment returns the number of moves made so far, which identifies a point of the run.
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

// waiting returns the first invocation that waits for others.
func (s *Session) waiting() (local int, waits bool) {
	for i := range s.sim.Invocations() {
		if state := s.sim.At(i).State; state == sim.AtBarrier || state == sim.AtSubgroup {
			return i, true
		}
	}
	return 0, false
}

// Write copies what has been written so far into the target's buffers.
func (s *Session) Write() { s.sim.Write() }

// Findings returns the findings so far, errors first.
func (s *Session) Findings() []findings.Finding { return s.sim.Findings() }

// Invocation returns the local_invocation_index of the viewed invocation.
func (s *Session) Invocation() int { return s.view }

// Invocations returns the number of invocations in a workgroup.
func (s *Session) Invocations() int { return s.sim.Invocations() }

// Workgroup returns the id of the workgroup that is running.
func (s *Session) Workgroup() [3]uint32 { return s.sim.Workgroup() }

// LocalID returns an invocation's local_invocation_id.
func (s *Session) LocalID(local int) [3]uint32 {
	size := s.Target.Program.Pipeline.WorkgroupSize
	i := uint32(local)
	return [3]uint32{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}
}

// Name returns the name that messages use for an invocation of the running workgroup.
func (s *Session) Name(local int) string {
	return fmt.Sprintf("invocation %s of workgroup %s", triple(s.LocalID(local)), triple(s.Workgroup()))
}

func triple(id [3]uint32) string { return fmt.Sprintf("%d,%d,%d", id[0], id[1], id[2]) }

// At returns the position of an invocation.
func (s *Session) At(local int) sim.ProgramPoint { return s.sim.At(local) }

// Line returns the line of the shader, from 1, that an invocation is at.
func (s *Session) Line(local int) int {
	return s.Target.Source.Position(s.sim.At(local).Span.Start).Line
}

// File returns the name of the file that the line of an invocation is in, as a person wrote it. It
// is empty in the file that the shader begins with.
func (s *Session) File(local int) string {
	return s.Target.Source.Region(s.sim.At(local).Span).File
}

// Stack lists the functions that an invocation is in, innermost first.
func (s *Session) Stack(local int) []sim.Frame { return s.sim.Stack(local) }

// rememberStop saves the current state, so that the next stop can show what changed.
func (s *Session) rememberStop() {
	s.lastStop, s.lastView = s.sim.Still(), s.view
	s.rememberWatches()
}

// Look views an invocation of the running workgroup and follows it from now on.
func (s *Session) Look(local int) error {
	if err := s.checkInvocation(s.Workgroup(), local); err != nil {
		return err
	}
	s.stopAt(local)
	s.rememberStop()
	return nil
}

// Visit goes to a moment of the run, or to its end if there are fewer, and views an invocation.
func (s *Session) Visit(ctx context.Context, moment, local int) error {
	if err := s.checkInvocation(s.Workgroup(), local); err != nil {
		return err
	}
	if err := s.seek(ctx, moment); err != nil {
		return err
	}
	return s.Look(local)
}

// Anyone stops following: the next breakpoint stops the first invocation that reaches it.
func (s *Session) Anyone() { s.follow = nil }

// Enter goes to the start of a workgroup, forward or back, and views one of its invocations.
func (s *Session) Enter(ctx context.Context, workgroup [3]uint32, local int) error {
	if err := s.checkInvocation(workgroup, local); err != nil {
		return err
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

// checkInvocation returns an error if the dispatch has no such workgroup or invocation.
func (s *Session) checkInvocation(workgroup [3]uint32, local int) error {
	counts := s.Target.Workgroups
	for axis := range counts {
		if workgroup[axis] >= counts[axis] {
			return fmt.Errorf("there are %s workgroups, so there is no workgroup %s", triple(counts), triple(workgroup))
		}
	}
	if n := s.sim.Invocations(); local < 0 || local >= n {
		return fmt.Errorf("a workgroup has %d invocations, so there is no invocation %d", n, local)
	}
	return nil
}

// begin goes to the start of a workgroup, given by its number.
func (s *Session) begin(ctx context.Context, number uint64) error {
	if start, known := s.starts[number]; known {
		return s.seek(ctx, start)
	}
	for s.sim.Number() < number {
		if err := s.interrupted(ctx); err != nil {
			return err
		}
		if !s.move() {
			return fmt.Errorf("the run ended before workgroup %d", number)
		}
		s.addCheckpoint()
	}
	s.sim.Fresh()
	return nil
}

// Log returns the messages of breakpoints since its last call.
func (s *Session) Log() []string {
	said := s.log
	s.log = nil
	return said
}

// StopAtFindings sets whether the run stops at errors, and whether it stops at remarks.
func (s *Session) StopAtFindings(errors, remarks bool) { s.findings, s.remarks = errors, remarks }

func (s *Session) stopsAt(f findings.Finding) bool {
	if f.Severity == findings.Error {
		return s.findings
	}
	return s.remarks
}

func (s *Session) firstFinding() *findings.Finding {
	fresh := s.sim.Fresh()
	if i := slices.IndexFunc(fresh, s.stopsAt); i >= 0 {
		return &fresh[i]
	}
	return nil
}
