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
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Limits on what a replay keeps in memory, in bytes.
const (
	maxBuffer = 256 << 20
	maxReplay = 1 << 30
)

// A ReadyDispatch is a dispatch with the buffers that it begins with.
type ReadyDispatch struct {
	*anyshader.Dispatches
	Dispatch *Dispatch
	Notes    []string // what the capture doesn't tell of the buffers
	Before   []int    // the numbers of the dispatches that were simulated to get them
	After    [][]byte // by buffer, what the page's device left; nil if that isn't comparable

	vars []*types.Object // by buffer
}

// Prepare finds what a dispatch begins with.
func (c *Capture) Prepare(ctx context.Context, d *Dispatch) (*ReadyDispatch, error) {
	if _, err := c.Bindings(d); err != nil {
		return nil, fmt.Errorf("dispatch %d can't run: %w", d.Number, err)
	}
	r := &replay{Capture: c, need: map[id]span{}, hulls: map[id]span{}, textures: map[id]*texels{}, shown: map[id]bool{}, buffers: map[id]*memory{}, runs: map[int]bool{}}
	r.plan(d)
	if err := r.begin(); err != nil {
		return nil, fmt.Errorf("dispatch %d can't run: %w", d.Number, err)
	}
	p := &ReadyDispatch{Dispatch: d}
	for i := range d.event {
		if err := r.step(ctx, i); err != nil {
			return nil, err
		}
		if r.runs[i] {
			p.Before = append(p.Before, c.events[i].dispatch.Number)
		}
	}
	var err error
	if p.Dispatches, err = r.dispatches(d); err != nil {
		return nil, fmt.Errorf("dispatch %d can't run: %w", d.Number, err)
	}
	for _, b := range d.bound {
		p.vars = append(p.vars, b.used.Object)
	}
	p.Notes = append(r.notes, r.doubts(d)...)
	if p.After, err = r.after(d); err != nil {
		return nil, err
	}
	late, err := r.readLate(ctx, d, p.Dispatches)
	for _, name := range late {
		p.Notes = append(p.Notes, fmt.Sprintf("`%s` begins with what the page left after this pass: the capture doesn't have it from before.", name))
	}
	if len(late) > 0 {
		p.After = make([][]byte, len(p.After))
	}
	return p, err
}

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

// A replay goes through a capture up to a dispatch.
type replay struct {
	*Capture
	need     map[id]span // of buffers, while planning backwards
	hulls    map[id]span // of buffers, all that is kept
	shown    map[id]bool // textures that are needed
	runs     map[int]bool
	buffers  map[id]*memory
	textures map[id]*texels
	kept     uint64 // bytes
	notes    []string
}

// A memory is a part of a buffer.
type memory struct {
	at      span
	data    []byte
	missing spans // nowhere in the capture
	late    spans // only as it was after something had changed it
}

// plan decides backwards which earlier dispatches to simulate: those whose results a dispatch may
// read, unless the capture has them.
func (r *replay) plan(d *Dispatch) {
	r.needs(d)
	for i := d.event - 1; i >= 0; i-- {
		e := &r.events[i]
		needed, some := r.need[e.buffer]
		switch {
		case e.kind == dispatched:
			if r.writesNeeded(e.dispatch) {
				r.runs[i] = true
				r.needs(e.dispatch)
			}
		case !some || e.at.and(needed).empty():
		case e.kind == copied:
			part := e.at.and(needed)
			r.add(e.from, span{part.from - e.at.from + e.fromAt, part.to - e.at.from + e.fromAt})
		case (e.kind == held || e.kind == cleared) && e.at.has(needed):
			delete(r.need, e.buffer)
		}
	}
}

// needs adds what a dispatch reads or writes.
func (r *replay) needs(d *Dispatch) {
	all, err := r.Bindings(d)
	if err != nil {
		return
	}
	for _, b := range all {
		if b.buffer != "" {
			r.add(b.buffer, b.at)
		} else if b.used.Texture != nil {
			v, _ := r.view(b.other, b.used.Texture)
			r.shown[v.texture] = true
		}
	}
	if d.Indirect != nil {
		r.add(d.Indirect.id, span{d.Indirect.Offset, d.Indirect.Offset + indirectBytes})
	}
}

// indirectBytes is the size of three u32.
const indirectBytes = 12

func (r *replay) add(buffer id, part span) {
	r.need[buffer] = r.need[buffer].hull(part)
	r.hulls[buffer] = r.hulls[buffer].hull(part)
}

func (r *replay) writesNeeded(d *Dispatch) bool {
	all, _ := r.Bindings(d)
	for _, b := range all {
		switch {
		case !b.Writable:
		case b.buffer != "":
			if !b.at.and(r.need[b.buffer]).empty() {
				return true
			}
		case b.used.Texture != nil:
			if v, _ := r.view(b.other, b.used.Texture); r.shown[v.texture] {
				return true
			}
		}
	}
	return false
}

// begin makes the memories, with the earliest contents that the capture has.
func (r *replay) begin() error {
	for buffer, hull := range r.hulls {
		hull.to = min(hull.to, r.size(buffer))
		if hull.empty() {
			continue
		}
		if hull.to-hull.from > maxBuffer {
			return fmt.Errorf("what it needs of %s has %d MiB, and the limit is %d", r.title(buffer, "buffer"), (hull.to-hull.from)>>20, maxBuffer>>20)
		}
		if err := r.take(hull.to - hull.from); err != nil {
			return err
		}
		m := &memory{at: hull, data: make([]byte, hull.to-hull.from)}
		r.buffers[buffer] = m
		if err := r.borrow(buffer, hull, -1); err != nil {
			return err
		}
	}
	return nil
}

// take counts bytes that are kept.
func (r *replay) take(n uint64) error {
	if r.kept += n; r.kept > maxReplay {
		return fmt.Errorf("its buffers and textures have more than %d MiB together", maxReplay>>20)
	}
	return nil
}

// borrow fills a part of a buffer with what the capture has of it next after an event.
func (r *replay) borrow(buffer id, part span, after int) error {
	m := r.buffers[buffer]
	part = part.and(m.at)
	if part.empty() {
		return nil
	}
	left := spans{part}
	touched := spans(nil) // what something has changed since
	for i := after + 1; i < len(r.events) && len(left) > 0; i++ {
		e := &r.events[i]
		if e.kind != held || e.buffer != buffer {
			touched = touched.withAll(r.changes(e, buffer))
			continue
		}
		for _, gap := range left.within(e.at) {
			if err := r.readPayload(e.payload, gap.from-e.at.from, m.bytes(gap)); err != nil {
				return err
			}
			m.missing = m.missing.without(gap)
			m.late = m.late.without(gap).withAll(touched.within(gap))
		}
		left = left.without(e.at)
	}
	for _, gap := range left {
		clear(m.bytes(gap))
		m.missing, m.late = m.missing.with(gap), m.late.without(gap)
	}
	return nil
}

func (m *memory) bytes(part span) []byte { return m.data[part.from-m.at.from : part.to-m.at.from] }

// changes returns the parts of a buffer that an event changes.
func (c *Capture) changes(e *event, buffer id) (parts []span) {
	if e.kind != dispatched {
		if e.buffer == buffer && e.kind != held {
			parts = append(parts, e.at)
		}
		return parts
	}
	all, err := c.Bindings(e.dispatch)
	for _, b := range all {
		if b.buffer == buffer && b.Writable {
			parts = append(parts, b.at)
		}
	}
	if err != nil { // nothing is known of what it writes
		for _, g := range e.dispatch.groups {
			for _, res := range c.resources(g) {
				if res.buffer == buffer {
					parts = append(parts, res.at)
				}
			}
		}
	}
	return parts
}

// withAll returns all with more spans.
func (all spans) withAll(more []span) spans {
	for _, s := range more {
		all = all.with(s)
	}
	return all
}

// step does what an event changes.
func (r *replay) step(ctx context.Context, i int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := &r.events[i]
	if e.kind == dispatched {
		return r.before(ctx, i)
	}
	m := r.buffers[e.buffer]
	if m == nil {
		return nil
	}
	part := e.at.and(m.at)
	if part.empty() {
		return nil
	}
	switch e.kind {
	case held:
		if err := r.readPayload(e.payload, part.from-e.at.from, m.bytes(part)); err != nil {
			return err
		}
	case cleared:
		clear(m.bytes(part))
	case copied:
		return r.copy(e, part, i)
	case changed:
		return r.borrow(e.buffer, part, i)
	}
	m.missing, m.late = m.missing.without(part), m.late.without(part)
	return nil
}

// copy copies a part of a buffer. What isn't known of the source may be known of the destination
// later.
func (r *replay) copy(e *event, part span, i int) error {
	m, from := r.buffers[e.buffer], r.buffers[e.from]
	moved := func(s span, to, back uint64) span { return span{s.from - back + to, s.to - back + to} }
	source := moved(part, e.fromAt, e.at.from)
	if from == nil || !from.at.has(source) {
		return r.borrow(e.buffer, part, i)
	}
	copy(m.bytes(part), from.bytes(source))
	m.missing, m.late = m.missing.without(part), m.late.without(part)
	for _, unsure := range append(from.missing.within(source), from.late.within(source)...) {
		if err := r.borrow(e.buffer, moved(unsure, e.at.from, e.fromAt), i); err != nil {
			return err
		}
	}
	return nil
}

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
			notes = append(notes, fmt.Sprintf("`%s` has zeros in %d of its %d bytes, which the capture leaves out. Capture again with a larger maxBufferSize.", b.Name, missing, b.Bytes))
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
