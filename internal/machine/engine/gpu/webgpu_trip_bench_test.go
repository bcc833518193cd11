//go:build cgo

package gpu

import (
	"testing"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
)

const writesOne = `@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn main() { y[0] = x[0] + 1u; }`

// BenchmarkTrip is the least that a trip to the device takes: a pass of one invocation, with a word
// there and a word back. It reports where the time goes.
func BenchmarkTrip(b *testing.B) {
	device, err := Open()
	if err != nil {
		b.Skip(err)
	}
	defer device.Close()
	w, ok := device.platform.(*webgpu)
	if !ok {
		b.Skip("the device has no driver")
	}
	y, err := Alloc[uint32](device, 1)
	fatal(b, err)
	z, err := AllocAnswer[uint32](device, 1)
	fatal(b, err)
	pipeline, err := device.Compile("one", writesOne)
	fatal(b, err)
	for name, answer := range map[string]*Buffer{"copied": y, "in the host's memory": z} {
		x, err := AllocShared[uint32](device, 1)
		fatal(b, err)
		pass, err := pipeline.Pass([3]uint32{1, 1, 1}, x, answer)
		fatal(b, err)
		round, err := device.RoundTrip(x, answer, pass)
		fatal(b, err)
		into := make([]uint32, 1)
		b.Run("answer "+name, func(b *testing.B) {
			for b.Loop() {
				fatal(b, Run(round, []byte{1, 0, 0, 0}, into))
			}
		})
		b.Run("parts, answer "+name, func(b *testing.B) { tripParts(b, w, round.trip.(*webgpuTrip), []Pass{pass}) })
		round.Free()
	}
	b.Run("submit and wait", func(b *testing.B) {
		x, err := Alloc[uint32](device, 1) // the trip's is mapped
		fatal(b, err)
		pass, err := pipeline.Pass([3]uint32{1, 1, 1}, x, y)
		fatal(b, err)
		for b.Loop() {
			fatal(b, device.Submit(pass))
			fatal(b, device.Wait())
		}
	})
}

// tripParts does what webgpuTrip.run does, with a clock.
func tripParts(b *testing.B, w *webgpu, t *webgpuTrip, passes []Pass) {
	var record, submit, mapping1, wait, read time.Duration
	polls := 0
	for b.Loop() {
		at := time.Now()
		fatal(b, t.from.Unmap())
		commands, err := w.recordCommands(func(encoder *wgpu.CommandEncoder) error { return t.record(encoder, passes, 4) })
		fatal(b, err)
		record += time.Since(at)

		at = time.Now()
		fatal(b, submitCommands(w.queue, commands))
		commands.Release()
		submit += time.Since(at)

		at = time.Now()
		writes, reads := startMapping(t.from, mapWrite, 0, t.in.bytes), startMapping(t.result, mapRead, 0, 4)
		mapping1 += time.Since(at)

		at = time.Now()
		for !reads.done() || !writes.done() {
			_, err := w.pollNative()
			fatal(b, err)
			polls++
		}
		wait += time.Since(at)

		at = time.Now()
		fatal(b, writes.finish())
		fatal(b, reads.finish())
		_ = t.result.GetMappedRange(0, 4)
		fatal(b, t.result.Unmap())
		_ = t.from.GetMappedRange(0, uint(t.in.bytes))
		read += time.Since(at)
	}
	for name, took := range map[string]time.Duration{"record": record, "submit": submit, "map": mapping1, "wait": wait, "read": read} {
		b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), name+"-ns")
	}
	b.ReportMetric(float64(polls)/float64(b.N), "polls")
}

func fatal(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
