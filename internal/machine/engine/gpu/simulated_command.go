package gpu

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/wgslab/wgslab/internal/ground/fence"
)

// steps returns the commands of the queue that carry out a command of a submission.
func (s *simulated) steps(ctx context.Context, c QueueCommand) []command {
	switch c := c.(type) {
	case ComputePass:
		return s.passSteps(ctx, c)
	case BufferCopy:
		return []command{func() error {
			copy(bytesIn(c.To.memory)[c.ToOffset:], bytesIn(c.From.memory)[c.FromOffset:c.FromOffset+c.Bytes])
			return nil
		}}
	case BufferClear:
		return []command{func() error {
			clear(bytesIn(c.Buffer.memory)[c.Offset : c.Offset+c.Bytes])
			return nil
		}}
	case Timestamp:
		return []command{c.To.set.(*simulatedQueries).write(c.Query)}
	case QueryResolve:
		return []command{func() error {
			c.From.set.(*simulatedQueries).resolve(bytesIn(c.To.memory)[c.Offset:], c.First, c.Count)
			return nil
		}}
	}
	return nil
}

func (s *simulated) passSteps(ctx context.Context, c ComputePass) []command {
	commands := s.commandsFor(ctx, c.Dispatches, nil)
	if c.Times == nil {
		return commands
	}
	set := c.Times.set.(*simulatedQueries)
	if c.Begin != NoQuery {
		commands = append([]command{set.write(c.Begin)}, commands...)
	}
	if c.End != NoQuery {
		commands = append(commands, set.write(c.End))
	}
	return commands
}

// workgroups returns the workgroups of a pass when it runs. An indirect dispatch of too many does
// nothing, as WebGPU says; then ok is false.
func (s *simulated) workgroups(p Pass) (workgroups [3]uint32, ok bool) {
	if p.counts == nil {
		return p.workgroups, true
	}
	for i := range workgroups {
		workgroups[i] = binary.LittleEndian.Uint32(bytesIn(p.counts.memory)[p.offset+4*uint64(i):])
		if workgroups[i] > s.adapter().Limits.WorkgroupsPerDimension {
			return workgroups, false
		}
	}
	return workgroups, true
}

// simulatedQueries are timestamps of the host's clock, in nanoseconds.
type simulatedQueries struct{ times []uint64 }

// began is when the clock of the simulator's timestamps began.
var began = time.Now()

func (*simulatedQueries) release() {}

func (q *simulatedQueries) write(query uint32) command {
	return func() error {
		q.times[query] = uint64(time.Since(began))
		return nil
	}
}

func (q *simulatedQueries) resolve(into []byte, first, count uint32) {
	for i, t := range q.times[first : first+count] {
		binary.LittleEndian.PutUint64(into[8*i:], t)
	}
}

func (*simulated) newQueries(count uint32) (queries, error) {
	return &simulatedQueries{make([]uint64, count)}, nil
}

// poll waits for an instant if the simulator is busy: it needs the cores itself.
func (s *simulated) poll(d *Device) (bool, error) {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	select {
	case <-idle:
		return true, s.wait(d)
	case <-time.After(pollPause):
		return false, nil
	}
}

const pollPause = 20 * time.Microsecond

// A simulatedReading is done once the commands before it have ended.
type simulatedReading struct {
	platform *simulated
	bytes    []byte
	idle     <-chan fence.Returned[error]
}

func (s *simulated) startRead(from memory, offset, bytes uint64) (reading, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &simulatedReading{s, bytesIn(from)[offset : offset+bytes], s.idle}, nil
}

func (r *simulatedReading) done(d *Device) (bool, error) {
	select {
	case <-r.idle:
		return true, r.platform.wait(d)
	default:
		return false, nil
	}
}

func (r *simulatedReading) copy(into []byte, from uint64) { copy(into, r.bytes[from:]) }

func (*simulatedReading) end(*Device) error { return nil }
