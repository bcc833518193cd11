package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A program is what runs in a pipeline.
type program = sim.Program

// of returns a dispatch's pipeline, whose err says why it can't run.
func (c *Capture) of(d *Dispatch) *pipeline {
	p := c.pipelines[d.pipeline]
	if p == nil {
		p = &pipeline{}
		p.err = c.compile(d.pipeline, p)
		c.pipelines[d.pipeline] = p
	}
	return p
}

// A pipelineDescriptor is what a page gave to createComputePipeline.
type pipelineDescriptor struct {
	Compute struct {
		Module     ref
		EntryPoint string
		Constants  map[string]json.RawMessage
	}
}

// pipelineTitle returns a pipeline's label, or else its shader's.
func (c *Capture) pipelineTitle(of id) string {
	o := c.objects[of]
	var d pipelineDescriptor
	if o == nil || printable(o.Label) != "" || decode(o.Descriptor, &d) != nil {
		return c.title(of, "pipeline")
	}
	return c.title(d.Compute.Module.ID, "shader")
}

func (c *Capture) compile(of id, into *pipeline) (err error) {
	var d pipelineDescriptor
	o := c.objects[of]
	if of == "" || o == nil || decode(o.Descriptor, &d) != nil {
		return errNoShader
	}
	if into.source, err = c.module(d.Compute.Module.ID); err != nil {
		return err
	}
	into.entry = d.Compute.EntryPoint
	if into.entry == "" { // WebGPU takes the only one
		into.entry = append(anyshader.ComputeEntries(into.source), shader.EntryPoint)[0]
	}
	if into.source.Unrunnable() == nil {
		if into.overrides, err = overrides(into.source.Shader().Info.Overrides, d.Compute.Constants); err != nil {
			return err
		}
	}
	into.program, err = anyshader.Compile(into.source, into.entry, into.overrides, false)
	return err
}

// overrides writes a pipeline's constants in the notation of anyshader. WebGPU converts a number to
// the override's type (§ 10.1.1).
func overrides(known []*types.Object, constants map[string]json.RawMessage) (texts []string, err error) {
	for key, raw := range constants {
		value, err := strconv.ParseFloat(string(raw), 64)
		if string(raw) == "true" {
			value, err = 1, nil
		}
		if string(raw) == "false" {
			value, err = 0, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the capture has no number for the override %s", key)
		}
		text := strconv.FormatFloat(value, 'g', -1, 64)
		if i := slices.IndexFunc(known, func(o *types.Object) bool { return o.OverrideKey() == key }); i >= 0 {
			switch known[i].Type {
			case types.Bool:
				text = strconv.FormatBool(value != 0)
			case types.I32, types.U32:
				text = strconv.FormatFloat(value, 'f', 0, 64)
			}
		}
		texts = append(texts, key+"="+text)
	}
	slices.Sort(texts)
	return texts, nil
}

// Shader returns the text that a dispatch runs, and the name of its entry point.
func (c *Capture) Shader(d *Dispatch) (*shader.Source, string, error) {
	p := c.of(d)
	if p.source == nil {
		return nil, "", p.err
	}
	return p.source, p.entry, nil
}

// A BoundVariable is what a dispatch binds to a variable of its shader.
type BoundVariable struct {
	Group, Binding uint32
	Name           string // of the variable
	Writable       bool
	Resource       string // its label, or what it is and its number
	Offset, Bytes  uint64 // of a buffer
	Of             uint64 // the buffer's size
	Texture        string // format and size

	resource
	used ir.Binding
}

// Bindings returns what a dispatch binds. An error says why it can't run.
func (c *Capture) Bindings(d *Dispatch) ([]BoundVariable, error) {
	if !d.read {
		d.bound, d.cannot = c.bindings(d)
		d.read = true
	}
	return d.bound, d.cannot
}

func (c *Capture) bindings(d *Dispatch) ([]BoundVariable, error) {
	p := c.of(d)
	if p.err != nil {
		return nil, p.err
	}
	var all []BoundVariable
	for _, used := range p.program.Bindings {
		b, err := c.bind(d, used)
		if err != nil {
			return nil, fmt.Errorf("`%s`, @group(%d) @binding(%d): %w", used.Object.Name, used.Group, used.Number, err)
		}
		all = append(all, b)
	}
	switch {
	case d.Indirect != nil:
	case slices.Min(d.Workgroups[:]) == 0:
		return nil, errors.New("it has 0 workgroups, so nothing runs")
	case slices.Max(d.Workgroups[:]) > sim.Adapter().Limits.WorkgroupsPerDimension:
		return nil, fmt.Errorf("it has more than %d workgroups in a dimension, so a device runs none", sim.Adapter().Limits.WorkgroupsPerDimension)
	}
	return all, nil
}

// bind finds what a dispatch binds to a variable.
func (c *Capture) bind(d *Dispatch, used ir.Binding) (b BoundVariable, err error) {
	b = BoundVariable{Group: used.Group, Binding: used.Number, Name: used.Object.Name, Writable: used.Writable, used: used}
	if used.Object.Space() == types.SpaceImmediate {
		return b, errors.New("captures don't have what setImmediates sets for var<immediate>")
	}
	group, set := d.groups[used.Group]
	if !set {
		return b, errors.New("the page sets no bind group for it")
	}
	resources := c.resources(group)
	i := slices.IndexFunc(resources, func(r resource) bool { return r.binding == used.Number })
	if i < 0 {
		return b, errors.New("the capture doesn't say what is bound there")
	}
	b.resource = resources[i]
	switch {
	case b.offsetMissing:
		return b, errors.New("the capture has no dynamic offset for it")
	case used.Handle():
		return b, c.describe(&b)
	case b.buffer == "":
		return b, errors.New("the capture has no buffer for it")
	}
	b.Resource, b.Offset, b.Bytes, b.Of = c.title(b.buffer, "buffer"), b.at.from, b.at.to-b.at.from, c.size(b.buffer)
	switch {
	case b.Bytes == 0:
		return b, errors.New("it has 0 bytes")
	case b.at.to > b.Of:
		return b, fmt.Errorf("it ends at byte %d of a buffer with %d", b.at.to, b.Of)
	case b.Bytes > maxBuffer:
		return b, fmt.Errorf("it has %d MiB, and the limit is %d", b.Bytes>>20, maxBuffer>>20)
	}
	return b, nil
}

// describe says which texture or sampler is bound.
func (c *Capture) describe(b *BoundVariable) error {
	b.Resource = c.title(b.other, "object")
	if b.used.Sampler != nil {
		_, err := c.filter(b.other)
		return err
	}
	v, err := c.view(b.other, b.used.Texture)
	if err != nil {
		return err
	}
	b.Resource = c.title(v.texture, "texture")
	size := v.bound.Size
	b.Texture = strings.TrimSpace(fmt.Sprintf("%s %d × %d", v.bound.Format.Name, size[0], size[1]))
	if size[2] > 1 {
		b.Texture += fmt.Sprintf(" × %d", size[2])
	}
	return nil
}
