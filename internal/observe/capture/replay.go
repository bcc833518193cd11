package capture

import (
	"context"
	"fmt"

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
