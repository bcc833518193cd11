package capture

import (
	"encoding/json"
	"strconv"
	"strings"
)

// An event changes what buffers hold, or is a dispatch.
type event struct {
	kind     eventKind
	buffer   id   // that changes, or a texture
	at       span // in it
	payload  payload
	from     id // copied
	fromAt   uint64
	dispatch *Dispatch
}

type eventKind uint8

const (
	dispatched eventKind = iota
	held                 // the capture has what the buffer holds now: payload
	cleared              // to 0
	copied
	changed // to something that the capture doesn't tell
)

// whole is a span as large as any buffer.
var whole = span{0, 1 << 62}

// A timeline puts the commands of a capture in the order in which a device executes them: what an
// encoder records happens when its command buffer is submitted.
type timeline struct {
	*Capture
	encoders map[id]*encoder
	order    []id      // of the encoders
	finished map[id]id // the encoder of a command buffer
	passes   map[id]*Pass
}

// An encoder holds what waits for a submit.
type encoder struct {
	passes []*Pass
	events []event
}

func newTimeline(c *Capture) *timeline {
	return &timeline{Capture: c, encoders: map[id]*encoder{}, finished: map[id]id{}, passes: map[id]*Pass{}}
}

func (t *timeline) read(commands []*command) {
	for _, c := range commands {
		if c == nil {
			continue
		}
		args := c.args()
		if pass := t.passes[c.Object]; pass != nil {
			t.inPass(pass, c, args)
		} else {
			t.outside(c, args)
		}
	}
	for _, pass := range t.passes {
		t.end(pass) // those that end after the capture; the map's order doesn't matter, as each has its encoder
	}
	for _, e := range t.order {
		t.submit(e)
	}
}

// encoder returns the encoder with a name, which may be older than the capture.
func (t *timeline) encoder(name id) *encoder {
	if t.encoders[name] == nil {
		t.encoders[name] = &encoder{}
		t.order = append(t.order, name)
	}
	return t.encoders[name]
}

// outside reads a command that isn't one of a pass.
func (t *timeline) outside(c *command, args []json.RawMessage) {
	switch c.Method {
	case "beginComputePass", "beginRenderPass":
		var d struct{ Label string }
		_ = decode(arg(args, 0), &d)
		pass := &Pass{
			Label: printable(d.Label), Render: c.Method == "beginRenderPass", encoder: c.Object,
			set: settings{groups: map[uint32]boundGroup{}}, binds: map[id]bool{},
		}
		if pass.Render {
			t.rendered(arg(args, 0))
		}
		e := t.encoder(c.Object)
		e.passes = append(e.passes, pass)
		t.passes[c.Result] = pass
	case "createCommandEncoder":
		delete(t.passes, c.Result) // names come again in the next frame
	case "finish":
		t.finished[c.Result] = c.Object
	case "submit":
		var buffers []ref
		_ = decode(arg(args, 0), &buffers)
		for _, b := range buffers {
			if e, ok := t.finished[b.ID]; ok {
				t.submit(e)
			}
		}
	case "createBuffer":
		var d struct {
			Size   uint64
			Mapped bool `json:"mappedAtCreation"`
		}
		if decode(arg(args, 0), &d) == nil && !d.Mapped {
			t.events = append(t.events, event{kind: cleared, buffer: c.Result, at: span{0, d.Size}})
		}
	case "unmap":
		t.events = append(t.events, event{kind: changed, buffer: c.Object, at: whole})
	case "writeBuffer":
		from := number(arg(args, 1))
		t.events = append(t.events, event{kind: changed, buffer: object0(args), at: span{from, whole.to}})
	case "copyBufferToTexture", "copyTextureToTexture":
		t.seen[textureIn(arg(args, 1))] += many
	case "writeTexture":
		t.seen[textureIn(arg(args, 0))] += many
	case "copyExternalImageToTexture":
		t.seen[textureIn(arg(args, 1))] += many
	default:
		if events := encoded(c.Method, args); len(events) > 0 {
			e := t.encoder(c.Object)
			e.events = append(e.events, events...)
		}
	}
}

// many is more passes than one, for a texture that changes otherwise.
const many = 2

// textureIn returns the texture of a place to copy to.
func textureIn(data json.RawMessage) id {
	var to struct{ Texture ref }
	_ = decode(data, &to)
	return to.Texture.ID
}

// rendered notes the textures that a render pass draws into.
func (t *timeline) rendered(descriptor json.RawMessage) {
	type attachment struct{ View, ResolveTarget ref }
	var d struct {
		ColorAttachments       []attachment
		DepthStencilAttachment attachment
	}
	_ = decode(descriptor, &d)
	for _, a := range append(d.ColorAttachments, d.DepthStencilAttachment) {
		t.seen[t.textureOf(a.View.ID)] += many
		t.seen[t.textureOf(a.ResolveTarget.ID)] += many
	}
}

// textureOf returns the texture of a view, or the texture itself.
func (c *Capture) textureOf(view id) id {
	if o := c.objects[view]; o != nil && o.Type == "TextureView" {
		return o.Texture.ID
	}
	return view
}

// encoded returns what a command of an encoder, outside of its passes, changes.
func encoded(method string, args []json.RawMessage) []event {
	switch method {
	case "clearBuffer":
		at := span{number(arg(args, 1)), whole.to}
		if size, given := optional(arg(args, 2)); given {
			at.to = at.from + size
		}
		return []event{{kind: cleared, buffer: object0(args), at: at}}
	case "copyBufferToBuffer":
		var second ref
		e := event{kind: copied, from: object0(args)}
		size := arg(args, 4)
		if decode(arg(args, 1), &second) == nil && second.ID != "" { // source, destination, size
			e.buffer, size = second.ID, arg(args, 2)
		} else {
			var to ref
			_ = decode(arg(args, 2), &to)
			e.buffer, e.fromAt, e.at.from = to.ID, number(arg(args, 1)), number(arg(args, 3))
		}
		e.at.to = whole.to
		if n, given := optional(size); given {
			e.at.to = e.at.from + n
		}
		return []event{e}
	case "copyTextureToBuffer":
		var to struct{ Buffer ref }
		_ = decode(arg(args, 1), &to)
		return []event{{kind: changed, buffer: to.Buffer.ID, at: whole}}
	case "resolveQuerySet":
		var to ref
		_ = decode(arg(args, 3), &to)
		return []event{{kind: changed, buffer: to.ID, at: whole}}
	}
	return nil
}

// inPass reads a command of a pass.
func (t *timeline) inPass(pass *Pass, c *command, args []json.RawMessage) {
	switch {
	case c.Method == "setPipeline":
		pass.set.pipeline = object0(args)
	case c.Method == "setBindGroup":
		var group ref
		var offsets []uint64
		_ = decode(arg(args, 1), &group)
		_ = decode(arg(args, 2), &offsets)
		bound := boundGroup{group.ID, offsets}
		groups := map[uint32]boundGroup{}
		for n, g := range pass.set.groups { // earlier dispatches keep the map
			groups[n] = g
		}
		groups[uint32(number(arg(args, 0)))] = bound
		pass.set.groups = groups
		if pass.Render {
			pass.events = append(pass.events, t.drawn(bound)...)
		}
		for _, r := range t.resources(bound) {
			pass.binds[t.textureOf(r.other)] = true
		}
		pass.after = append(pass.after, t.held(bound, c.BufferData)...)
	case c.Method == "dispatchWorkgroups":
		d := t.dispatch(pass)
		for axis := range d.Workgroups {
			d.Workgroups[axis] = 1
			if n, given := optional(arg(args, axis)); given {
				d.Workgroups[axis] = uint32(min(n, 1<<32-1))
			}
		}
	case c.Method == "dispatchWorkgroupsIndirect":
		d := t.dispatch(pass)
		buffer := object0(args)
		d.Indirect = &Place{Buffer: t.title(buffer, "buffer"), Offset: number(arg(args, 1)), id: buffer}
		for _, data := range c.BufferData {
			if p, ok := t.resolve(data); ok {
				pass.after = append(pass.after, event{kind: held, buffer: buffer, at: span{0, p.size()}, payload: p})
			}
		}
	case strings.HasPrefix(c.Method, "draw"), c.Method == "executeBundles":
		pass.Draws++
	case c.Method == "end":
		t.end(pass)
	}
}

// dispatch adds a dispatch to a pass. It gets its number when its encoder is submitted.
func (t *timeline) dispatch(pass *Pass) *Dispatch {
	d := &Dispatch{Pipeline: t.pipelineTitle(pass.set.pipeline), settings: pass.set}
	pass.events = append(pass.events, event{kind: dispatched, dispatch: d})
	pass.Dispatches = append(pass.Dispatches, d)
	return d
}

// held returns what the capture has of the buffers in a bind group.
func (t *timeline) held(g boundGroup, data []payloadRef) (events []event) {
	if len(data) == 0 {
		return nil
	}
	resources := t.resources(g)
	for _, d := range data {
		p, ok := t.resolve(d)
		if !ok || d.EntryIndex < 0 || d.EntryIndex >= len(resources) {
			continue
		}
		if r := resources[d.EntryIndex]; r.buffer != "" && !r.doubtful {
			events = append(events, event{kind: held, buffer: r.buffer, at: span{r.at.from, r.at.from + p.size()}, payload: p})
		}
	}
	return events
}

// drawn returns what a draw may change: the buffers that a bind group gives a fragment shader to
// write to. A layout that the pipeline made tells nothing, and such buffers count as unchanged.
func (t *timeline) drawn(g boundGroup) (events []event) {
	for _, r := range t.resources(g) {
		if r.buffer != "" && r.stored {
			events = append(events, event{kind: changed, buffer: r.buffer, at: r.at})
		}
	}
	return events
}

// end gives a pass's events to its encoder.
func (t *timeline) end(pass *Pass) {
	e := t.encoder(pass.encoder)
	e.events = append(append(e.events, pass.events...), pass.after...)
	for texture := range pass.binds {
		t.seen[texture]++
	}
	pass.events, pass.after, pass.binds = nil, nil, map[id]bool{}
}

// submit executes what an encoder holds.
func (t *timeline) submit(name id) {
	e := t.encoders[name]
	if e == nil {
		return
	}
	t.Passes = append(t.Passes, e.passes...)
	for _, happened := range e.events {
		if d := happened.dispatch; d != nil {
			t.Dispatches = append(t.Dispatches, d)
			d.Number, d.event = len(t.Dispatches), len(t.events)
		}
		t.events = append(t.events, happened)
	}
	e.passes, e.events = nil, nil
}

// arg returns an argument, or nothing.
func arg(args []json.RawMessage, i int) json.RawMessage {
	if i >= len(args) {
		return nil
	}
	return args[i]
}

// object0 returns the object that is the first argument.
func object0(args []json.RawMessage) id {
	var r ref
	_ = decode(arg(args, 0), &r)
	return r.ID
}

// number reads a whole number; 0 if it isn't one.
func number(data json.RawMessage) uint64 {
	n, _ := optional(data)
	return n
}

// optional reads a whole number, if there is one.
func optional(data json.RawMessage) (n uint64, given bool) {
	f, err := strconv.ParseFloat(string(data), 64)
	if err != nil || f < 0 || f > float64(whole.to)/2 {
		return 0, false
	}
	return uint64(f), true
}
