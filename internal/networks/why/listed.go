// This file starts a shader for the pixels of a list alone. The list is that of the exercise
// `compact`, and a shader counts the workgroups, so the host never waits for their number.

package why

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// block is the number of pixels that a workgroup of compact takes.
const block = 256

// MostPixels is the size of the largest image: the second pass of compact is one workgroup, with an
// invocation for each block.
const MostPixels = block * block

// A Drawing is what the shader has left, and what it took.
type Drawing struct {
	Out    []float32 // a number for each pixel
	Listed int       // pixels in the list
	Groups uint32    // workgroups that the device has started
	Size   uint32    // invocations of each
}

// AllGroups returns how many workgroups would cover all pixels.
func (d *Drawing) AllGroups() uint32 { return gpu.Groups(len(d.Out), d.Size) }

// Draw runs the three passes of compact on an image. Then it runs the entry point
// `count_workgroups` of another shader over the list, and its `draw` for as many workgroups as the
// first has counted. All of it is one submission.
func Draw(device *gpu.Device, image []float32, compact, shown *shader.Source) (d Drawing, err error) {
	if len(image) > MostPixels {
		return d, fmt.Errorf("the image has %d pixels: compact can list %d", len(image), MostPixels)
	}
	empty := make([]uint32, len(image))
	for i := range empty {
		empty[i] = math.MaxUint32
	}
	blocks := gpu.Groups(len(image), block)
	p := recording{device: device}
	defer p.free()
	ink, list := upload(&p, image), upload(&p, empty)
	starts, out := upload(&p, make([]uint32, blocks)), upload(&p, make([]float32, len(image)))
	todo := p.keep(gpu.NewBuffer(device, 16, gpu.UsageStorage|gpu.UsageIndirect|gpu.UsageCopySrc|gpu.UsageCopyDst))
	if p.err == nil {
		p.err = gpu.Write(todo, []uint32{0, 1, 1, 0})
	}

	p.dispatch(compact.At("count_ink"), blocks, ink, starts, list)
	p.dispatch(compact.At("find_starts"), 1, ink, starts, list)
	p.dispatch(compact.At("write_list"), blocks, ink, starts, list)
	if k, groups := p.bind(shown.At("count_workgroups"), list, todo, out); p.err == nil {
		p.passes = append(p.passes, gpu.Dispatch(k, [3]uint32{gpu.Groups(len(image), k.WorkgroupSize()[0]), 1, 1}, groups))
	}
	if k, groups := p.bind(shown.At("draw"), list, todo, out); p.err == nil {
		d.Size = k.WorkgroupSize()[0]
		p.passes = append(p.passes, gpu.DispatchIndirect(k, todo, 0, groups))
	}
	if p.err == nil {
		p.err = gpu.SubmitCommands(device, []gpu.QueueCommand{gpu.ComputePass{Dispatches: p.passes}})
	}
	if p.err != nil {
		return d, fmt.Errorf("drawing the listed pixels: %w", p.err)
	}
	counted, err := gpu.Read[uint32](todo)
	if err != nil {
		return d, err
	}
	d.Groups, d.Listed = counted[0], int(counted[3])
	d.Out, err = gpu.Read[float32](out)
	return d, err
}

// A recording makes buffers and passes one after the other. It keeps the first failure, and the
// calls after it do nothing.
type recording struct {
	device *gpu.Device
	passes []gpu.Pass
	made   []interface{ Free() }
	err    error
}

func (p *recording) free() {
	for _, m := range p.made {
		m.Free()
	}
}

func (p *recording) keep(b *gpu.Buffer, err error) *gpu.Buffer {
	if err != nil {
		p.err = err
		return nil
	}
	p.made = append(p.made, b)
	return b
}

func upload[T gpu.Element](p *recording, data []T) *gpu.Buffer {
	if p.err != nil {
		return nil
	}
	return p.keep(gpu.Upload(p.device, data))
}

// dispatch adds a pass of so many workgroups.
func (p *recording) dispatch(source *shader.Source, workgroups uint32, buffers ...*gpu.Buffer) {
	if k, groups := p.bind(source, buffers...); p.err == nil {
		p.passes = append(p.passes, gpu.Dispatch(k, [3]uint32{workgroups, 1, 1}, groups))
	}
}

// bind compiles a shader and binds the buffers that its entry point uses, the first to @binding(0).
func (p *recording) bind(source *shader.Source, buffers ...*gpu.Buffer) (*gpu.Pipeline, []*gpu.Group) {
	if p.err != nil {
		return nil, nil
	}
	k, err := gpu.CompileUsed(p.device, source)
	if err != nil {
		p.err = err
		return nil, nil
	}
	p.made = append(p.made, k)
	used, err := source.Used()
	if err != nil {
		p.err = err
		return nil, nil
	}
	var ranges []gpu.Range
	for _, u := range used {
		if int(u.Number) >= len(buffers) {
			p.err = fmt.Errorf("%s uses @binding(%d), and there are %d buffers", source.EntryPoint(), u.Number, len(buffers))
			return nil, nil
		}
		b := buffers[u.Number]
		ranges = append(ranges, gpu.Range{Binding: u.Number, Buffer: b, Bytes: b.Bytes()})
	}
	group, err := gpu.Bind(k, 0, ranges)
	if err != nil {
		p.err = err
		return nil, nil
	}
	p.made = append(p.made, group)
	return k, []*gpu.Group{group}
}
