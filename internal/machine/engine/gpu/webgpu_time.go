//go:build cgo

package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
)

// time reads the device's clock, after calibrating it once.
func (w *webgpu) time(d *Device, passes []Pass) ([]time.Duration, error) {
	if w.tick == 0 {
		if err := w.calibrate(d, passes[:1]); err != nil {
			return nil, err
		}
	}
	ticks, err := w.ticks(d, passes)
	if err != nil {
		return nil, err
	}
	times := make([]time.Duration, len(passes))
	for i := range times {
		times[i] = max(0, time.Duration(ticks[2*i+1]-ticks[2*i])) * w.tick / tickScale
	}
	return times, nil
}

// tickScale keeps three decimals of the length of a tick in nanoseconds.
const tickScale = 1000

// calibrate measures the length of a timestamp tick, which this wgpu-native does not report: 1 ns
// on most devices, 10 ns and more on others. It runs the passes twice, some time apart, and
// compares the host's clock with the device's. The host sees only when a run was submitted and when
// its result was there, so it knows two bounds of the length. A busy machine moves them apart.
func (w *webgpu) calibrate(d *Device, passes []Pass) error {
	const apart = 30 * time.Millisecond
	if _, err := w.ticks(d, passes); err != nil { // the first run is slow, but not on the device
		return err
	}
	submitted := time.Now()
	first, err := w.ticks(d, passes)
	if err != nil {
		return err
	}
	returned := time.Now()
	time.Sleep(apart)
	least := time.Since(returned)
	second, err := w.ticks(d, passes)
	if err != nil {
		return err
	}
	most := time.Since(submitted)
	if second[1] <= first[1] {
		return fmt.Errorf("the clock of %s does not advance", w.chosen.Name)
	}
	w.tick = time.Duration(tickLength(least, most, second[1]-first[1]) * tickScale)
	return nil
}

// tickLength returns the nanoseconds of a tick, if so many ticks took between least and most.
func tickLength(least, most time.Duration, ticks uint64) float64 {
	low, high := float64(least)/float64(ticks), float64(most)/float64(ticks)
	if low < 1.05 && high > 0.95 {
		return 1 // most devices have ticks of exactly 1 ns
	}
	return (low + high) / 2
}

// ticks runs the passes and reads the device's clock before and after each.
func (w *webgpu) ticks(d *Device, passes []Pass) ([]uint64, error) {
	const bytesPerQuery = 8
	n := uint32(2 * len(passes))
	bytes := uint64(n) * bytesPerQuery
	var queries *wgpu.QuerySet
	var err error
	scoped := w.guarded(func() {
		queries, err = w.device.CreateQuerySet(&wgpu.QuerySetDescriptor{Type: wgpu.QueryTypeTimestamp, Count: n})
	})
	if err := errors.Join(err, scoped); err != nil {
		return nil, fmt.Errorf("making a query set: %w", err)
	}
	defer d.dispose(queries.Release)
	resolved, err := w.createBuffer(bytes, wgpu.BufferUsageQueryResolve|wgpu.BufferUsageCopySrc)
	if err != nil {
		return nil, err
	}
	defer d.dispose(resolved.Release)
	staging, err := w.stagingFor(bytes)
	if err != nil {
		return nil, err
	}
	if err := w.encode(d, func(encoder *wgpu.CommandEncoder) error {
		for i := range passes {
			encodePass(encoder, passes[i:i+1], &timestamps{queries, uint32(2 * i), uint32(2*i + 1)})
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if err := w.encode(d, func(encoder *wgpu.CommandEncoder) error {
		return errors.Join(
			encoder.ResolveQuerySet(queries, 0, n, resolved, 0),
			encoder.CopyBufferToBuffer(resolved, 0, staging, 0, bytes))
	}); err != nil {
		return nil, err
	}
	raw := make([]byte, bytes)
	if err := w.copyOut(d, staging, raw); err != nil {
		return nil, err
	}
	ticks := make([]uint64, n)
	for i := range ticks {
		ticks[i] = binary.LittleEndian.Uint64(raw[i*bytesPerQuery:])
	}
	return ticks, nil
}
