package wgpu

import "github.com/wgslab/wgslab/internal/machine/webgpu"

// A Device makes everything that a program needs.
type Device struct{ made *webgpu.Device }

// GetQueue returns the device's queue, which takes your work in order.
func (p *Device) GetQueue() *Queue { return &Queue{p.made.Queue()} }

// GetLimits returns what the device allows.
func (p *Device) GetLimits() SupportedLimits { return SupportedLimits{p.made.Limits()} }

// EnumerateFeatures returns the features that were required.
func (p *Device) EnumerateFeatures() []FeatureName { return p.made.Features() }

// HasFeature reports whether a feature was required.
func (p *Device) HasFeature(feature FeatureName) bool { return contains(p.made.Features(), feature) }

// SubmissionIndex is the number of a submission.
type SubmissionIndex uint64

// WrappedSubmissionIndex is a submission to wait for. Poll waits for all of them.
type WrappedSubmissionIndex struct {
	Queue           *Queue
	SubmissionIndex SubmissionIndex
}

// Poll runs the callbacks of what has ended, and without it no callback ever runs. With wait, it
// sleeps until all submitted work has ended. It belongs in a loop even so: cogentcore/webgpu gives
// up after 5 seconds, without an error. Poll reports whether no work is left, which is also true of
// a lost device.
func (p *Device) Poll(wait bool, _ *WrappedSubmissionIndex) (queueEmpty bool) {
	idle, err := p.made.Poll(wait)
	return idle || err != nil
}

// Release releases the device, and everything made on it.
func (p *Device) Release() { p.made.Release(here()) }

// BufferDescriptor describes a buffer. Size is in bytes.
type BufferDescriptor = webgpu.BufferDescriptor

// CreateBuffer makes a buffer of Size bytes, all 0. List every usage here: you can't add one later.
func (p *Device) CreateBuffer(descriptor *BufferDescriptor) (*Buffer, error) {
	var desc BufferDescriptor
	if descriptor != nil {
		desc = *descriptor
	}
	b, err := p.made.CreateBuffer(here(), desc)
	if err != nil {
		return nil, err
	}
	return &Buffer{b}, nil
}

// BufferInitDescriptor describes a buffer that starts with some bytes.
type BufferInitDescriptor struct {
	Label    string
	Contents []byte
	Usage    BufferUsage
}

// CreateBufferInit makes a buffer that starts with the bytes in Contents. Its size is theirs,
// rounded up to a multiple of 4.
func (p *Device) CreateBufferInit(descriptor *BufferInitDescriptor) (*Buffer, error) {
	if descriptor == nil {
		panic("got nil descriptor")
	}
	at, n := here(), uint64(len(descriptor.Contents))
	size := (n + CopyBufferAlignment - 1) / CopyBufferAlignment * CopyBufferAlignment
	b, err := p.made.CreateBuffer(at, BufferDescriptor{Label: descriptor.Label, Usage: descriptor.Usage, Size: size, MappedAtCreation: n > 0})
	if err != nil {
		return nil, err
	}
	if n > 0 {
		into, err := b.MappedRange(at, 0, size)
		if err != nil {
			return nil, err
		}
		copy(into, descriptor.Contents)
		if err := b.Unmap(at); err != nil {
			return nil, err
		}
	}
	return &Buffer{b}, nil
}

// ShaderModuleWGSLDescriptor holds a shader's text.
type ShaderModuleWGSLDescriptor struct{ Code string }

// ShaderModuleDescriptor describes a shader.
type ShaderModuleDescriptor struct {
	Label          string
	WGSLDescriptor *ShaderModuleWGSLDescriptor
}

// A ShaderModule is a shader's text, checked.
type ShaderModule struct{ made *webgpu.ShaderModule }

// CreateShaderModule checks the WGSL in Code. The device needs each feature that the shader
// enables.
func (p *Device) CreateShaderModule(descriptor *ShaderModuleDescriptor) (*ShaderModule, error) {
	var label, code string
	if descriptor != nil {
		label = descriptor.Label
		if descriptor.WGSLDescriptor != nil {
			code = descriptor.WGSLDescriptor.Code
		}
	}
	m, err := p.made.CreateShaderModule(here(), label, code)
	if err != nil {
		return nil, err
	}
	return &ShaderModule{m}, nil
}

// Release releases the module. Pipelines keep what they need of it.
func (p *ShaderModule) Release() { p.made.Release(here()) }

// BufferBindingLayout says how a shader sees a buffer.
type BufferBindingLayout = webgpu.BufferBindingLayout

// BindGroupLayoutEntry describes a binding.
type BindGroupLayoutEntry = webgpu.BindGroupLayoutEntry

// BindGroupLayoutDescriptor describes the bindings of a group.
type BindGroupLayoutDescriptor struct {
	Label   string
	Entries []BindGroupLayoutEntry
}

// A BindGroupLayout describes the bindings of a group.
type BindGroupLayout struct{ made *webgpu.BindGroupLayout }

// CreateBindGroupLayout makes a bind group layout.
func (p *Device) CreateBindGroupLayout(descriptor *BindGroupLayoutDescriptor) (*BindGroupLayout, error) {
	var desc BindGroupLayoutDescriptor
	if descriptor != nil {
		desc = *descriptor
	}
	l, err := p.made.CreateBindGroupLayout(here(), desc.Label, desc.Entries)
	if err != nil {
		return nil, err
	}
	return &BindGroupLayout{l}, nil
}

// Release releases the layout.
func (p *BindGroupLayout) Release() { p.made.Release(here()) }

// PushConstantRange describes push constants, which only the other package has.
type PushConstantRange struct {
	Stages ShaderStage
	Start  uint32
	End    uint32
}

// PipelineLayoutDescriptor lists the bind group layouts of a pipeline, by the number of their
// group.
type PipelineLayoutDescriptor struct {
	Label              string
	BindGroupLayouts   []*BindGroupLayout
	PushConstantRanges []PushConstantRange
}

// A PipelineLayout lists the bind group layouts of a pipeline.
type PipelineLayout struct{ made *webgpu.PipelineLayout }

// CreatePipelineLayout makes a pipeline layout.
func (p *Device) CreatePipelineLayout(descriptor *PipelineLayoutDescriptor) (*PipelineLayout, error) {
	var label string
	var groups []*webgpu.BindGroupLayout
	if descriptor != nil {
		label = descriptor.Label
		for _, g := range descriptor.BindGroupLayouts {
			if g == nil {
				groups = append(groups, nil)
				continue
			}
			groups = append(groups, g.made)
		}
	}
	l, err := p.made.CreatePipelineLayout(here(), label, groups)
	if err != nil {
		return nil, err
	}
	return &PipelineLayout{l}, nil
}

// Release releases the layout.
func (p *PipelineLayout) Release() { p.made.Release(here()) }

// ProgrammableStageDescriptor is a shader with the function to start.
type ProgrammableStageDescriptor struct {
	Module     *ShaderModule
	EntryPoint string
}

// ComputePipelineDescriptor describes a pipeline. Without a Layout, it gets an automatic one.
type ComputePipelineDescriptor struct {
	Label   string
	Layout  *PipelineLayout
	Compute ProgrammableStageDescriptor
}

// A ComputePipeline is a shader that is ready to run.
type ComputePipeline struct{ made *webgpu.ComputePipeline }

// CreateComputePipeline makes the shader ready to run. It starts at the function that EntryPoint
// names, which is marked @compute. One pipeline is enough for many dispatches.
func (p *Device) CreateComputePipeline(descriptor *ComputePipelineDescriptor) (*ComputePipeline, error) {
	var desc webgpu.PipelineDescriptor
	if descriptor != nil {
		desc.Label, desc.EntryPoint = descriptor.Label, descriptor.Compute.EntryPoint
		if descriptor.Layout != nil {
			desc.Layout = descriptor.Layout.made
		}
		if descriptor.Compute.Module != nil {
			desc.Module = descriptor.Compute.Module.made
		}
	}
	k, err := p.made.CreateComputePipeline(here(), desc)
	if err != nil {
		return nil, err
	}
	return &ComputePipeline{k}, nil
}

// GetBindGroupLayout returns the layout of one of the shader's groups: 0 for @group(0). A bind
// group made with an automatic layout works with this pipeline only.
func (p *ComputePipeline) GetBindGroupLayout(groupIndex uint32) *BindGroupLayout {
	l, err := p.made.BindGroupLayout(here(), groupIndex)
	must(err)
	return &BindGroupLayout{l}
}

// Release releases the pipeline.
func (p *ComputePipeline) Release() { p.made.Release(here()) }

// BindGroupEntry gives a buffer to a binding. Offset and Size are in bytes; WholeSize binds the
// rest of the buffer.
type BindGroupEntry struct {
	Binding uint32
	Buffer  *Buffer
	Offset  uint64
	Size    uint64
}

// BindGroupDescriptor describes a bind group.
type BindGroupDescriptor struct {
	Label   string
	Layout  *BindGroupLayout
	Entries []BindGroupEntry
}

// A BindGroup gives buffers to the bindings of a group.
type BindGroup struct{ made *webgpu.BindGroup }

// CreateBindGroup gives a buffer to each @binding. There is one entry for each binding that the
// shader uses, and no other.
func (p *Device) CreateBindGroup(descriptor *BindGroupDescriptor) (*BindGroup, error) {
	var label string
	var layout *webgpu.BindGroupLayout
	var entries []webgpu.BindGroupEntry
	if descriptor != nil {
		label = descriptor.Label
		if descriptor.Layout != nil {
			layout = descriptor.Layout.made
		}
		for _, e := range descriptor.Entries {
			entries = append(entries, webgpu.BindGroupEntry{Binding: e.Binding, Buffer: e.Buffer.object(), Offset: e.Offset, Size: e.Size})
		}
	}
	g, err := p.made.CreateBindGroup(here(), label, layout, entries)
	if err != nil {
		return nil, err
	}
	return &BindGroup{g}, nil
}

// Release releases the bind group.
func (p *BindGroup) Release() { p.made.Release(here()) }

// QuerySetDescriptor describes a query set.
type QuerySetDescriptor struct {
	Label              string
	Type               QueryType
	Count              uint32
	PipelineStatistics []PipelineStatisticName
}

// A QuerySet holds timestamps.
type QuerySet struct{ made *webgpu.QuerySet }

// CreateQuerySet makes room for Count times, at most 4,096. The device needs the feature
// timestamp-query.
func (p *Device) CreateQuerySet(descriptor *QuerySetDescriptor) (*QuerySet, error) {
	var desc QuerySetDescriptor
	if descriptor != nil {
		desc = *descriptor
	}
	q, err := p.made.CreateQuerySet(here(), desc.Label, desc.Type, desc.Count)
	if err != nil {
		return nil, err
	}
	return &QuerySet{q}, nil
}

// object returns the watched query set, or nil.
func (p *QuerySet) object() *webgpu.QuerySet {
	if p == nil {
		return nil
	}
	return p.made
}

// Release releases the query set.
func (p *QuerySet) Release() { p.made.Release(here()) }

// CommandEncoderDescriptor describes an encoder.
type CommandEncoderDescriptor struct{ Label string }

// CreateCommandEncoder begins a recording.
func (p *Device) CreateCommandEncoder(descriptor *CommandEncoderDescriptor) (*CommandEncoder, error) {
	var label string
	if descriptor != nil {
		label = descriptor.Label
	}
	e, err := p.made.CreateCommandEncoder(here(), label)
	if err != nil {
		return nil, err
	}
	return &CommandEncoder{e}, nil
}
