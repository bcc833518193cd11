// This file simulates dispatches before the one that is asked for.

package capture

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
)

// indirectBytes is the size of three u32.
const indirectBytes = 12

// before simulates an earlier dispatch, if its results are needed.
func (r *replay) before(ctx context.Context, i int) error {
	d := r.events[i].dispatch
	_, err := r.Bindings(d)
	if err == nil && !r.runs[i] {
		return nil // what it writes isn't needed
	}
	delete(r.runs, i)
	var run *anyshader.Dispatches
	if err == nil {
		run, err = r.dispatches(d)
	}
	if err == nil {
		err = r.finish(ctx, d, run)
	}
	if err == nil {
		r.runs[i] = true
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	changed := false
	for buffer, m := range r.buffers {
		for _, part := range r.changes(&r.events[i], buffer) {
			changed = changed || !part.and(m.at).empty()
			if err := r.borrow(buffer, part, i); err != nil {
				return err
			}
		}
	}
	if changed {
		text, _, _ := strings.Cut(err.Error(), "\n")
		r.notes = append(r.notes, fmt.Sprintf("Dispatch %d, which comes before, isn't simulated: %s", d.Number, english.Sentence(text)))
	}
	return nil
}

// finish runs a dispatch and keeps what it writes.
func (r *replay) finish(ctx context.Context, d *Dispatch, run *anyshader.Dispatches) error {
	pass, nothing, err := run.Prepare(0, false)
	if err == nil && nothing != nil {
		err = errors.New(nothing.Message)
	}
	if err != nil {
		return err
	}
	all, err := r.Bindings(d)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, r.isUnsure) {
		err = r.finishUnsure(ctx, d, pass)
	} else {
		err = anyshader.Finish(ctx, pass)
	}
	if err != nil {
		return err
	}
	for i, b := range all {
		switch written := run.Buffers[i]; {
		case !b.Writable:
		case b.buffer != "":
			copy(r.buffers[b.buffer].bytes(b.at), written.Data)
		default:
			v, err := r.view(b.other, b.used.Texture)
			if err != nil {
				return err
			}
			at := 0
			for level := range v.bound.Levels {
				at += copy(r.textures[v.texture].part(v, level), written.Data[at:])
			}
		}
	}
	return nil
}

// isUnsure reports whether the capture doesn't tell all of a buffer before a dispatch.
func (r *replay) isUnsure(b BoundVariable) bool {
	return b.buffer != "" && len(r.buffers[b.buffer].missing.within(b.at))+len(r.buffers[b.buffer].late.within(b.at)) > 0
}

// finishUnsure runs a dispatch, and keeps which words it makes sure: those that it writes, if it
// reads none that the capture doesn't tell.
func (r *replay) finishUnsure(ctx context.Context, d *Dispatch, pass *sim.BoundProgram) error {
	var touched sim.TouchedWords
	result, err := pass.Run(ctx, pass.Workgroups, pass.Buffers, sim.Options{Touched: &touched})
	if err == nil && !result.Finished {
		err = fmt.Errorf("it did not end within %d steps", result.Steps)
	}
	if err != nil {
		return err
	}
	doubtful := false
	for i, b := range d.bound {
		if b.buffer != "" {
			m := r.buffers[b.buffer]
			doubtful = doubtful || reads(touched.Bindings[i].Read, m.late.within(b.at), b) || reads(touched.Bindings[i].Read, m.missing.within(b.at), b)
		}
	}
	for i, b := range d.bound {
		if b.buffer == "" || !b.Writable {
			continue
		}
		m := r.buffers[b.buffer]
		for _, wrote := range writtenSpans(touched.Bindings[i].Wrote, b) {
			m.missing, m.late = m.missing.without(wrote), m.late.without(wrote)
			if doubtful {
				m.late = m.late.with(wrote)
			}
		}
	}
	return nil
}

// writtenSpans returns the parts of a buffer with the words of a set.
func writtenSpans(words sim.Words, b BoundVariable) (parts spans) {
	for at := b.at.from; at < b.at.to; at += 4 {
		last := len(parts) - 1
		switch {
		case !words.Has(int(at-b.at.from) / 4):
		case last >= 0 && parts[last].to == at:
			parts[last].to += 4
		default:
			parts = append(parts, span{at, at + 4})
		}
	}
	return parts
}

// reads reports whether a set has a word of some parts of a buffer.
func reads(words sim.Words, parts spans, b BoundVariable) bool {
	for _, part := range parts {
		for at := part.from; at < part.to; at += 4 {
			if words.Has(int(at-b.at.from) / 4) {
				return true
			}
		}
	}
	return false
}

// dispatches returns a dispatch with copies of what it binds, in the order of its bindings.
func (r *replay) dispatches(d *Dispatch) (*anyshader.Dispatches, error) {
	all, err := r.Bindings(d)
	if err != nil {
		return nil, err
	}
	p := r.of(d)
	run := &anyshader.Dispatches{Source: p.source, Overrides: p.overrides, Passes: []anyshader.EntryRun{{Entry: p.entry, Workgroups: d.Workgroups}}}
	if d.Indirect != nil {
		if run.Passes[0].Workgroups, err = r.counts(d.Indirect); err != nil {
			return nil, err
		}
	}
	for _, b := range all {
		a := &anyshader.Argument{Group: b.Group, Binding: b.Binding}
		switch {
		case b.buffer != "":
			a.Data = slices.Clone(r.buffers[b.buffer].bytes(b.at))
		case b.used.Sampler != nil:
			if a.Sampler, err = r.filter(b.other); err != nil {
				return nil, err
			}
		default:
			if err := r.bindTexture(a, b); err != nil {
				return nil, err
			}
		}
		if err := a.Fit(p.program); err != nil {
			return nil, err
		}
		run.Buffers = append(run.Buffers, a)
	}
	return run, nil
}

func (r *replay) bindTexture(a *anyshader.Argument, b BoundVariable) error {
	v, err := r.view(b.other, b.used.Texture)
	if err != nil {
		return err
	}
	if r.textures[v.texture] == nil {
		if err := r.take(v.whole.Texels() * uint64(v.bound.Format.Bytes)); err != nil {
			return err
		}
		stored := *v.bound.Format
		if r.textures[v.texture], err = r.texels(v.texture, v.whole, &stored); err != nil {
			return err
		}
	}
	a.Texture = &sim.BoundTexture{Extent: v.bound.Extent, Format: v.bound.Format}
	for level := range v.bound.Levels {
		a.Data = append(a.Data, r.textures[v.texture].part(v, level)...)
	}
	return nil
}

// counts reads the workgroups of an indirect dispatch.
func (r *replay) counts(at *Place) (workgroups [3]uint32, err error) {
	m := r.buffers[at.id]
	part := span{at.Offset, at.Offset + indirectBytes}
	if m == nil || !m.at.has(part) || len(m.missing.within(part)) > 0 {
		return workgroups, fmt.Errorf("the capture doesn't have its workgroups, which are at byte %d of %s", at.Offset, at.Buffer)
	}
	for axis := range workgroups {
		workgroups[axis] = binary.LittleEndian.Uint32(m.bytes(part)[4*axis:])
	}
	counts := fmt.Sprintf("%s holds %d × %d × %d workgroups for it", at.Buffer, workgroups[0], workgroups[1], workgroups[2])
	switch limit := sim.Adapter().Limits.WorkgroupsPerDimension; {
	case slices.Min(workgroups[:]) == 0:
		return workgroups, fmt.Errorf("%s, so nothing runs", counts)
	case slices.Max(workgroups[:]) > limit:
		return workgroups, fmt.Errorf("%s, and a device with more than %d in a dimension runs none", counts, limit)
	}
	return workgroups, nil
}
