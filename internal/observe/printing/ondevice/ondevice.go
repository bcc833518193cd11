// Package ondevice runs a shader on a device and reads what its print comments show there, where
// invocations really race.
package ondevice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/observe/printing"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A PrintedPass is a dispatch of a pipeline's entry point.
type PrintedPass struct {
	Pipeline   *types.Pipeline // of the shader with its comments
	Workgroups [3]uint32
}

// mostBytes limits the memory for the records of a pass, in bytes. It holds 400,000 rows of one
// number.
const mostBytes = 8 << 20

// Print runs passes on a device, one after the other on the same buffers, and returns what the
// comments show in each. The device's compiler gets the shader with the comments as statements: see
// package prints. As with a simulated run, the buffers hold what the shader left there.
func Print(ctx context.Context, device *gpu.Device, passes []PrintedPass, buffers []sim.BoundBuffer) (printed [][]*printing.Printed, err error) {
	r := &deviceRun{device: device.WithContext(ctx), given: buffers}
	defer r.free()
	if err := r.upload(); err != nil {
		return nil, err
	}
	for _, pass := range passes {
		all, err := r.run(pass)
		if err != nil {
			return nil, err
		}
		printed = append(printed, all)
	}
	return printed, r.download()
}

// A deviceRun holds what a run needs on the device until it ends.
type deviceRun struct {
	device *gpu.Device
	given  []sim.BoundBuffer
	memory []*gpu.Buffer // of the given buffers
	made   []interface{ Free() }
}

func (r *deviceRun) free() {
	for _, resource := range slices.Backward(r.made) {
		resource.Free()
	}
}

// usage lets a buffer be bound in every way, and be copied.
const usage = gpu.UsageStorage | gpu.UsageUniform | gpu.UsageCopySrc | gpu.UsageCopyDst

func (r *deviceRun) buffer(bytes uint64) (*gpu.Buffer, error) {
	b, err := gpu.NewBuffer(r.device, bytes, usage)
	if err == nil {
		r.made = append(r.made, b)
	}
	return b, err
}

func (r *deviceRun) upload() error {
	for _, given := range r.given {
		if given.Texture != nil || given.Sampler != nil { // rangeOf refuses a shader that uses it
			r.memory = append(r.memory, nil)
			continue
		}
		b, err := r.buffer(uint64(len(given.Data)))
		if err == nil {
			err = b.WriteAt(given.Data, 0)
		}
		if err != nil {
			return fmt.Errorf("@group(%d) @binding(%d): %w", given.Group, given.Binding, err)
		}
		r.memory = append(r.memory, b)
	}
	return nil
}

func (r *deviceRun) download() error {
	for i, b := range r.memory {
		if b == nil {
			continue
		}
		content, err := b.Content()
		if err != nil {
			return err
		}
		copy(r.given[i].Data, content.Bytes)
	}
	return nil
}

// run runs a pass and returns what its comments show.
func (r *deviceRun) run(pass PrintedPass) ([]*printing.Printed, error) {
	limits := r.device.Adapter().Limits
	rewritten, err := prints.Rewrite(pass.Pipeline, prints.Room{Bytes: min(mostBytes, limits.StorageBindingBytes), StorageBuffers: int(limits.StorageBuffersPerShader)})
	if err != nil {
		return nil, err
	}
	original := pass.Pipeline.Info.File.Source
	source := shader.ReadWith(original.Name, rewritten.Text, types.AllFeatures).At(pass.Pipeline.Entry.Object.Name)
	var records *gpu.Buffer
	if rewritten.Bytes > 0 {
		if records, err = r.buffer(rewritten.Bytes); err != nil {
			return nil, err
		}
	}
	if err := r.dispatch(source, original, pass.Workgroups, gpu.Range{Binding: rewritten.Binding, Buffer: records, Bytes: rewritten.Bytes}); err != nil {
		return nil, err
	}
	var content []byte
	if records != nil {
		read, err := records.Content()
		if err != nil {
			return nil, err
		}
		content = read.Bytes
	}
	return printing.Recorded(rewritten, content, pass.Pipeline.WorkgroupSize, r.device.Adapter().Name), nil
}

// dispatch compiles a shader and runs it with the given buffers and the one for the records.
func (r *deviceRun) dispatch(source *shader.Source, original *syntax.Source, workgroups [3]uint32, records gpu.Range) error {
	used, err := source.Used()
	if err != nil {
		return asWritten(err, original)
	}
	groups, err := r.ranges(used, records) // before the driver sees what it can't bind
	if err != nil {
		return err
	}
	pipeline, err := gpu.CompileUsed(r.device, source)
	if err != nil {
		return asWritten(err, original)
	}
	r.made = append(r.made, pipeline)
	if module, _ := source.Module(); len(module.Endless) > 0 {
		return &shader.EndlessError{Shader: source.Name, Line: module.Endless[0].Line, Column: module.Endless[0].Column}
	}
	bound := make([]*gpu.Group, len(groups))
	for number, list := range groups {
		if bound[number], err = gpu.Bind(pipeline, uint32(number), list); err != nil {
			return err
		}
		r.made = append(r.made, bound[number])
	}
	return r.device.Run(gpu.Dispatch(pipeline, workgroups, bound))
}

// asWritten makes a compiler's error show a line as it was written, where code was added to it.
func asWritten(err error, original *syntax.Source) error {
	var mistake *shader.CompileError
	if !errors.As(err, &mistake) || mistake.Line < 1 || mistake.Line > original.Lines() {
		return err
	}
	written := strings.TrimRight(original.Slice(original.Line(mistake.Line)), "\r\n")
	if written != mistake.Text {
		mistake.Text, mistake.Detail = written, ""
		mistake.Region = findings.Region{Line: mistake.Line, Column: 1, EndLine: mistake.Line, EndColumn: 1 + utf8.RuneCountInString(written)}
	}
	return err
}

// ranges returns what is bound in each group, up to the last that is used.
func (r *deviceRun) ranges(used []wgsl.Binding, records gpu.Range) (groups [][]gpu.Range, err error) {
	groups = make([][]gpu.Range, 1)
	for _, b := range used {
		for int(b.Group) >= len(groups) {
			groups = append(groups, nil)
		}
		bound := records
		if records.Buffer == nil || b.Group != 0 || b.Number != records.Binding {
			if bound, err = r.rangeOf(b); err != nil {
				return nil, err
			}
		}
		groups[b.Group] = append(groups[b.Group], bound)
	}
	return groups, nil
}

// rangeOf returns what is bound to a binding.
func (r *deviceRun) rangeOf(b wgsl.Binding) (gpu.Range, error) {
	if b.Space == wgsl.Handle {
		return gpu.Range{}, fmt.Errorf("`%s` is a %s, and wgslab binds only buffers on a device", b.Name, b.Type.Text)
	}
	for i, given := range r.given {
		if given.Group == b.Group && given.Binding == b.Number {
			bytes := given.Size
			if bytes == 0 {
				bytes = uint64(len(given.Data)) - given.Offset
			}
			return gpu.Range{Binding: b.Number, Buffer: r.memory[i], Offset: given.Offset, Bytes: bytes}, nil
		}
	}
	return gpu.Range{}, fmt.Errorf("nothing is bound to `%s`, @group(%d) @binding(%d)", b.Name, b.Group, b.Number)
}
