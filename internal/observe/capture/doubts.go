// This file says what a capture doesn't tell of a dispatch, and what it tells of its results.

package capture

import (
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
)

// readLate returns the names of the variables whose words the capture has only from after the pass,
// if the dispatch reads such a word before it writes it. Others don't matter: a dispatch overwrites
// them.
func (r *replay) readLate(ctx context.Context, d *Dispatch, run *anyshader.Dispatches) (names []string, err error) {
	all, err := r.Bindings(d)
	if err != nil || !slices.ContainsFunc(all, func(b BoundVariable) bool { return r.isLate(b) }) {
		return nil, err
	}
	pass, _, err := run.Prepare(0, false)
	if err != nil {
		return nil, err
	}
	var touched sim.TouchedWords
	pass = pass.Copy()
	result, err := pass.Run(ctx, pass.Workgroups, pass.Buffers, sim.Options{Touched: &touched})
	if err != nil {
		return nil, fmt.Errorf("dispatch %d can't run: %w", d.Number, err)
	}
	for i, b := range all {
		if r.isLate(b) && (!result.Finished || reads(touched.Bindings[i].Read, r.buffers[b.buffer].late.within(b.at), b)) {
			names = append(names, b.Name)
		}
	}
	return names, nil
}

func (r *replay) isLate(b BoundVariable) bool {
	return b.buffer != "" && len(r.buffers[b.buffer].late.within(b.at)) > 0
}

// doubts says what the capture doesn't tell of what a dispatch begins with.
func (r *replay) doubts(d *Dispatch) (notes []string) {
	all, _ := r.Bindings(d)
	for _, b := range all {
		if b.buffer == "" {
			if b.used.Texture != nil {
				notes = append(notes, r.textureDoubts(d, b)...)
			}
			continue
		}
		m := r.buffers[b.buffer]
		missing := spans(m.missing.within(b.at)).bytes()
		switch {
		case missing == b.Bytes:
			notes = append(notes, fmt.Sprintf("`%s` begins with zeros: the capture has nothing of %s.", b.Name, b.Resource))
		case missing > 0:
			notes = append(notes, fmt.Sprintf("`%s` has zeros in %d of its %d bytes, which the capture leaves out. Capture again with a larger maximum for buffers.", b.Name, missing, b.Bytes))
		}
	}
	return notes
}

func (r *replay) textureDoubts(d *Dispatch, b BoundVariable) (notes []string) {
	v, _ := r.view(b.other, b.used.Texture)
	t := r.textures[v.texture]
	if t == nil {
		return nil
	}
	for _, later := range r.Dispatches[d.Number-1:] {
		if !b.Writable && r.writes(later, v) {
			notes = append(notes, fmt.Sprintf("`%s` may have texels from after this dispatch: dispatch %d writes to %s as well.", b.Name, later.Number, b.Resource))
			break
		}
	}
	for level := v.base; level < v.base+v.bound.Levels; level++ {
		if !t.known[level] && !b.Writable && !r.wrote(v, level) {
			return append(notes, fmt.Sprintf("`%s` has texels of zeros: the capture has nothing of mip level %d of %s.", b.Name, level, b.Resource))
		}
	}
	return nil
}

// wrote reports whether a dispatch that was simulated writes to a level of a texture.
func (r *replay) wrote(v view, level uint32) bool {
	v.base, v.bound.Levels = level, 1
	for i := range r.runs {
		if r.writes(r.events[i].dispatch, v) {
			return true
		}
	}
	return false
}

// writes reports whether a dispatch may write to a level of a view.
func (c *Capture) writes(d *Dispatch, v view) bool {
	all, _ := c.Bindings(d)
	return slices.ContainsFunc(all, func(b BoundVariable) bool {
		if !b.Writable || b.used.Texture == nil {
			return false
		}
		w, _ := c.view(b.other, b.used.Texture)
		return w.texture == v.texture && w.base < v.base+v.bound.Levels && v.base < w.base+w.bound.Levels
	})
}

// after returns what a device left in each buffer that a dispatch may write, if the capture has it
// before anything else changes it.
func (r *replay) after(d *Dispatch) ([][]byte, error) {
	all, err := r.Bindings(d)
	if err != nil {
		return nil, err
	}
	left := make([][]byte, len(all))
	for i, b := range all {
		if b.Writable && b.used.Texture != nil {
			if left[i], err = r.texelsAfter(d, b); err != nil {
				return nil, err
			}
		}
		if b.buffer == "" || !b.Writable {
			continue
		}
	search:
		for j := d.event + 1; j < len(r.events); j++ {
			switch e := &r.events[j]; {
			case e.kind == held && e.buffer == b.buffer && e.at.has(b.at):
				left[i] = make([]byte, b.Bytes)
				if err := r.readPayload(e.payload, b.at.from-e.at.from, left[i]); err != nil {
					return nil, err
				}
				break search
			case len(spans(r.changes(e, b.buffer)).within(b.at)) > 0:
				break search
			}
		}
	}
	return left, nil
}

// texelsAfter returns what a device left in a view, if the capture has it. The recorder reads a
// texture when the first pass that binds it has ended, so it must be the only one.
func (r *replay) texelsAfter(d *Dispatch, b BoundVariable) (left []byte, err error) {
	v, err := r.view(b.other, b.used.Texture)
	if err != nil || r.Capture.seen[v.texture] != 1 {
		return nil, err
	}
	for _, later := range r.Dispatches[d.Number:] {
		if r.writes(later, v) {
			return nil, nil
		}
	}
	t, err := r.texels(v.texture, v.whole, r.textures[v.texture].format)
	if err != nil {
		return nil, err
	}
	for level := range v.bound.Levels {
		if !t.known[v.base+level] {
			return nil, nil
		}
		left = append(left, t.part(v, level)...)
	}
	return left, nil
}
