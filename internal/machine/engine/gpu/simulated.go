package gpu

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// simulated is the platform without a driver: shaders run in the simulator, and buffers are the
// host's memory. Like a device's queue, it runs commands in order while the host continues.
type simulated struct {
	ctx  context.Context // ends when its results are no longer wanted
	stop context.CancelFunc
	most uint64 // steps of a dispatch

	mu       sync.Mutex
	commands []command                  // in order; the first is running
	idle     chan fence.Returned[error] // closed when no command is left
	failed   *fence.Returned[error]     // of the first command that could not run; nil if all could
}

// A command is a write or a pass. It returns an error if it could not run.
type command func() error

func newSimulated() *simulated {
	ctx, stop := context.WithCancel(context.Background())
	idle := make(chan fence.Returned[error])
	close(idle)
	return &simulated{ctx: ctx, stop: stop, idle: idle, most: math.MaxUint64}
}

// hurry limits a dispatch to a few seconds: in a browser, nothing could stop it.
func (s *simulated) hurry() { s.most = 500_000_000 }

func (*simulated) adapter() shader.Adapter { return sim.Adapter() }

// enqueue appends commands to the queue.
func (s *simulated) enqueue(commands ...command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	working := len(s.commands) > 0
	s.commands = append(s.commands, commands...)
	if !working && len(commands) > 0 {
		s.idle = make(chan fence.Returned[error])
		go s.work(commands[0])
	}
}

// work runs commands until none is left.
func (s *simulated) work(next command) {
	for next != nil {
		next = s.after(fence.Try(next))
	}
}

// after removes the command that has just ended, and returns the next.
func (s *simulated) after(o fence.Returned[error]) command {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil && (o.Failed() || o.Value() != nil) {
		s.failed = &o
	}
	s.commands[0] = nil
	s.commands = s.commands[1:]
	if len(s.commands) == 0 {
		s.commands = nil
		close(s.idle)
		return nil
	}
	return s.commands[0]
}

// wait waits until all commands have ended. At the deadline it stops them.
func (s *simulated) wait(d *Device) error {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	_, err := d.outcome(running, idle)
	switch {
	case d.failed != nil:
		s.stop()
		return err
	case d.ctx.Err() != nil: // it may have stopped the commands
		return running.interrupted(d.ctx.Err())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return d.lose(d.returned(*s.failed))
	}
	return nil
}

func (s *simulated) finish(d *Device) error { return s.wait(d) }

func (s *simulated) close() { s.stop() }

// simulatedMemory is the content of a buffer. The garbage collector frees it.
type simulatedMemory struct {
	bytes  []byte
	shared bool
}

func (*simulatedMemory) release() {}

func bytesIn(m memory) []byte { return m.(*simulatedMemory).bytes }

func (*simulated) newBuffer(bytes uint64, usage BufferUsage) (memory, error) {
	return &simulatedMemory{make([]byte, bytes), usage&inHostMemory != 0}, nil
}

// write queues a write, so that it keeps its order among the commands.
func (s *simulated) write(to memory, offset uint64, raw []byte) error {
	raw = bytes.Clone(raw)
	s.enqueue(func() error {
		copy(bytesIn(to)[offset:], raw)
		return nil
	})
	return nil
}

func (s *simulated) read(d *Device, from memory, into []byte) error {
	if err := s.wait(d); err != nil {
		return err
	}
	copy(into, bytesIn(from))
	return nil
}

// simulatedProgram is a shader compiled to the simulator's instructions.
type simulatedProgram struct{ *sim.Program }

func (simulatedProgram) release() {}

func (*simulated) compile(source *shader.Source, _ []wgsl.Binding) (program, error) {
	instructions, err := sim.CompileEntry(source, nil, false)
	if err != nil {
		return nil, err
	}
	return simulatedProgram{instructions}, nil
}

// A simulatedGroup is the memory that a pass binds.
type simulatedGroup struct{ buffers []sim.BoundBuffer }

func (*simulatedGroup) release() {}

func (*simulated) bind(_ program, number uint32, ranges []Range) (bindGroup, error) {
	group := &simulatedGroup{make([]sim.BoundBuffer, len(ranges))}
	for i, r := range ranges {
		group.buffers[i] = sim.BoundBuffer{Group: number, Binding: r.Binding, Data: bytesIn(r.Buffer.memory), Offset: r.Offset, Size: r.Bytes}
	}
	return group, nil
}

func (s *simulated) submit(d *Device, commands []QueueCommand) error {
	for _, c := range commands {
		s.enqueue(s.steps(d.ctx, c)...)
	}
	return nil
}

// time runs the passes one after the other, as any submission does, and reads the host's clock
// before and after each.
func (s *simulated) time(d *Device, passes []Pass) ([]time.Duration, error) {
	took := make([]time.Duration, len(passes))
	s.enqueue(s.commandsFor(d.ctx, passes, took)...)
	return took, s.wait(d)
}

// commandsFor returns the commands of passes. They end with the context of their submission. If
// took is not nil, it receives the duration of each.
func (s *simulated) commandsFor(ctx context.Context, passes []Pass, took []time.Duration) []command {
	commands := make([]command, len(passes))
	for i, p := range passes {
		commands[i] = func() error {
			began := time.Now()
			err := s.dispatch(ctx, p)
			if took != nil {
				took[i] = time.Since(began)
			}
			return err
		}
	}
	return commands
}

// dispatch runs one pass, which changes its buffers in place. Only a context's end stops a shader
// that never ends. That is not an error: the caller stopped it.
func (s *simulated) dispatch(ctx context.Context, p Pass) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	workgroups, ok := s.workgroups(p)
	if !ok {
		return nil
	}
	var buffers []sim.BoundBuffer
	for _, g := range p.groups {
		buffers = append(buffers, g.bound.(*simulatedGroup).buffers...)
	}
	result, err := p.pipeline.made.program.(simulatedProgram).Run(ctx, workgroups, buffers, sim.Options{Steps: s.most})
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	case result.Endless && s.most == math.MaxUint64:
		<-ctx.Done() // it occupies the device until the deadline, as on a driver
		return nil
	case !result.Finished:
		return fmt.Errorf("the shader %s took %d million steps and had not ended", p.pipeline.Name, s.most/1e6)
	}
	return nil
}

// A simulatedTrip is the simulator's part of a RoundTrip. The next run copies its memory, unless
// that is a shared buffer's own.
type simulatedTrip struct {
	platform *simulated
	in, out  memory
	from     []byte
}

func (s *simulated) newTrip(d *Device, in, out *Buffer) (trip, error) {
	if !in.memory.(*simulatedMemory).shared {
		return &simulatedTrip{s, in.memory, out.memory, make([]byte, in.bytes)}, nil
	}
	// Submitted commands may still use the memory that the host now gets.
	return &simulatedTrip{s, in.memory, out.memory, bytesIn(in.memory)}, s.wait(d)
}

func (*simulatedTrip) release() {}

func (t *simulatedTrip) upload() []byte { return t.from }

func (t *simulatedTrip) run(d *Device, passes []Pass, answer []byte) error {
	if !t.in.(*simulatedMemory).shared {
		t.platform.enqueue(func() error {
			copyWide(bytesIn(t.in), t.from)
			return nil
		})
	}
	if err := t.platform.submit(d, onePass(passes)); err != nil {
		return err
	}
	return t.platform.read(d, t.out, answer)
}
