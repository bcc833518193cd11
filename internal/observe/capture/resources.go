package capture

import (
	"cmp"
	"encoding/json"
	"slices"
)

// A groupDescriptor is what a page gave to createBindGroup.
type groupDescriptor struct {
	Layout  ref
	Entries []struct {
		Binding  uint32
		Resource json.RawMessage
	}
}

// A layoutDescriptor is what a page gave to createBindGroupLayout.
type layoutDescriptor struct {
	Entries []struct {
		Binding uint32
		Buffer  *struct {
			Type             string
			HasDynamicOffset bool
		}
	}
}

// A resource is what an entry of a bind group binds: one of the ids is set.
type resource struct {
	binding                uint32
	buffer, other          id   // other is a view, a texture or a sampler
	at                     span // of the buffer
	doubtful               bool // the recorder may have read another place than this one
	stored                 bool // the layout lets shaders write to it
	dynamic, offsetMissing bool
}

// descriptor reads an object's descriptor once.
func descriptor[T any](c *Capture, known map[id]*T, of id) *T {
	if known[of] == nil {
		known[of] = new(T)
		if o := c.objects[of]; o != nil {
			_ = decode(o.Descriptor, known[of])
		}
	}
	return known[of]
}

// resources returns what a bind group binds with its dynamic offsets, in the order of its entries.
func (c *Capture) resources(g boundGroup) []resource {
	d := descriptor(c, c.groups, g.id)
	layout := descriptor(c, c.layouts, d.Layout.ID)
	all := make([]resource, len(d.Entries))
	for i, entry := range d.Entries {
		all[i] = c.resource(entry.Binding, entry.Resource)
		for j, l := range layout.Entries {
			if l.Binding != entry.Binding || l.Buffer == nil {
				continue
			}
			all[i].stored = l.Buffer.Type == "storage"
			if l.Buffer.HasDynamicOffset {
				all[i].dynamic = true
				// The recorder looks for offsets by position, and leaves out the static offset.
				all[i].doubtful = i != j || all[i].at.from > 0
			}
		}
	}
	// WebGPU takes dynamic offsets in the order of binding numbers (§ 14.1, setBindGroup).
	var dynamic []*resource
	for i := range all {
		if all[i].dynamic {
			dynamic = append(dynamic, &all[i])
		}
	}
	slices.SortFunc(dynamic, func(a, b *resource) int { return cmp.Compare(a.binding, b.binding) })
	for i, r := range dynamic {
		if i >= len(g.offsets) {
			r.offsetMissing = true
			continue
		}
		offset := min(g.offsets[i], whole.to/2)
		r.at = span{r.at.from + offset, r.at.to + offset}
	}
	return all
}

// resource reads an entry: {buffer, offset, size}, a buffer itself, a view, a texture or a sampler.
func (c *Capture) resource(binding uint32, data json.RawMessage) resource {
	r := resource{binding: binding}
	var given struct {
		ref
		Buffer ref
		Offset json.RawMessage
		Size   json.RawMessage
	}
	_ = decode(data, &given)
	if o := c.objects[given.ID]; given.ID != "" && o != nil && o.Type == "Buffer" {
		given.Buffer.ID = given.ID
	}
	if given.Buffer.ID == "" {
		r.other = given.ID
		return r
	}
	r.buffer = given.Buffer.ID
	r.at.from = number(given.Offset)
	size, some := optional(given.Size)
	if !some {
		size = max(c.size(r.buffer), r.at.from) - r.at.from
	}
	r.at.to = r.at.from + size
	return r
}

// size returns a buffer's size.
func (c *Capture) size(buffer id) uint64 {
	var d struct{ Size json.RawMessage }
	if o := c.objects[buffer]; o != nil {
		_ = decode(o.Descriptor, &d)
	}
	return number(d.Size)
}
