package wgpu

import "github.com/wgslab/wgslab/internal/machine/webgpu"

// A CommandEncoder records commands.
type CommandEncoder struct{ made *webgpu.CommandEncoder }

// ComputePassTimestampWrites are the queries that receive the times of a pass. Only this package
// has it: nil leaves a time out.
type ComputePassTimestampWrites struct {
	QuerySet                  *QuerySet
	BeginningOfPassWriteIndex *uint32
	EndOfPassWriteIndex       *uint32
}

// ComputePassDescriptor describes a pass.
type ComputePassDescriptor struct {
	Label           string
	TimestampWrites *ComputePassTimestampWrites
}

// BeginComputePass begins a pass. Until its End, record nothing else with this encoder. End returns
// what is wrong with the pass.
func (p *CommandEncoder) BeginComputePass(descriptor *ComputePassDescriptor) *ComputePassEncoder {
	var label string
	var times *webgpu.PassTimes
	if descriptor != nil {
		label = descriptor.Label
		if w := descriptor.TimestampWrites; w != nil {
			times = &webgpu.PassTimes{Set: w.QuerySet.object(), Begin: w.BeginningOfPassWriteIndex, End: w.EndOfPassWriteIndex}
		}
	}
	pass, _ := p.made.BeginComputePass(here(), label, times)
	return &ComputePassEncoder{pass}
}

// CopyBufferToBuffer copies size bytes. The source needs BufferUsageCopySrc, the destination
// BufferUsageCopyDst. They are two buffers, and all three numbers are multiples of 4.
func (p *CommandEncoder) CopyBufferToBuffer(source *Buffer, sourceOffset uint64, destination *Buffer, destinatonOffset uint64, size uint64) (err error) {
	return p.made.CopyBufferToBuffer(here(), source.object(), sourceOffset, destination.object(), destinatonOffset, size)
}

// ClearBuffer sets bytes to zero; WholeSize means up to the end.
func (p *CommandEncoder) ClearBuffer(buffer *Buffer, offset uint64, size uint64) (err error) {
	return p.made.ClearBuffer(here(), buffer.object(), offset, size)
}

// ResolveQuerySet writes queries to a buffer, 8 bytes each. The buffer needs
// BufferUsageQueryResolve, and the offset is a multiple of 256.
func (p *CommandEncoder) ResolveQuerySet(querySet *QuerySet, firstQuery uint32, queryCount uint32, destination *Buffer, destinationOffset uint64) (err error) {
	return p.made.ResolveQuerySet(here(), querySet.object(), firstQuery, queryCount, destination.object(), destinationOffset)
}

// WriteTimestamp writes the time to a query.
func (p *CommandEncoder) WriteTimestamp(querySet *QuerySet, queryIndex uint32) (err error) {
	return p.made.WriteTimestamp(here(), querySet.object(), queryIndex)
}

// PushDebugGroup opens a group of commands, for a debugger.
func (p *CommandEncoder) PushDebugGroup(string) (err error) { return p.made.PushDebugGroup(here()) }

// PopDebugGroup closes a group of commands.
func (p *CommandEncoder) PopDebugGroup() (err error) { return p.made.PopDebugGroup(here()) }

// InsertDebugMarker marks a place among the commands.
func (p *CommandEncoder) InsertDebugMarker(string) (err error) {
	return p.made.InsertDebugMarker(here())
}

// CommandBufferDescriptor describes a command buffer.
type CommandBufferDescriptor struct{ Label string }

// A CommandBuffer holds recorded commands, for one submission.
type CommandBuffer struct{ made *webgpu.CommandBuffer }

// Finish ends the recording. The encoder records nothing after that.
func (p *CommandEncoder) Finish(descriptor *CommandBufferDescriptor) (*CommandBuffer, error) {
	var label string
	if descriptor != nil {
		label = descriptor.Label
	}
	c, err := p.made.Finish(here(), label)
	if err != nil {
		return nil, err
	}
	return &CommandBuffer{c}, nil
}

// Release releases the encoder.
func (p *CommandEncoder) Release() { p.made.Release(here()) }

// Release releases the command buffer.
func (p *CommandBuffer) Release() { p.made.Release(here()) }

// A ComputePassEncoder records dispatches.
type ComputePassEncoder struct{ made *webgpu.ComputePassEncoder }

// here returns the place of the program's call if a check records it. A mistake finds its own.
func (p *ComputePassEncoder) here() (at webgpu.HostSite) {
	if p.made.Judged() {
		at = webgpu.Caller(2)
	}
	return at
}

// SetPipeline sets the pipeline of the dispatches that follow.
func (p *ComputePassEncoder) SetPipeline(pipeline *ComputePipeline) {
	var k *webgpu.ComputePipeline
	if pipeline != nil {
		k = pipeline.made
	}
	_ = p.made.SetPipeline(p.here(), k)
}

// SetBindGroup sets a bind group of the dispatches that follow: 0 for @group(0). dynamicOffsets is
// nil without such offsets.
func (p *ComputePassEncoder) SetBindGroup(groupIndex uint32, group *BindGroup, dynamicOffsets []uint32) {
	var g *webgpu.BindGroup
	if group != nil {
		g = group.made
	}
	_ = p.made.SetBindGroup(p.here(), groupIndex, g, dynamicOffsets)
}

// DispatchWorkgroups starts x · y · z workgroups, not invocations: at most 65,535 in each
// dimension.
func (p *ComputePassEncoder) DispatchWorkgroups(workgroupCountX, workgroupCountY, workgroupCountZ uint32) {
	_ = p.made.DispatchWorkgroups(p.here(), workgroupCountX, workgroupCountY, workgroupCountZ)
}

// DispatchWorkgroupsIndirect runs as many workgroups as three u32 in a buffer say.
func (p *ComputePassEncoder) DispatchWorkgroupsIndirect(indirectBuffer *Buffer, indirectOffset uint64) {
	_ = p.made.DispatchWorkgroupsIndirect(p.here(), indirectBuffer.object(), indirectOffset)
}

// PushDebugGroup opens a group of dispatches, for a debugger.
func (p *ComputePassEncoder) PushDebugGroup(string) { _ = p.made.PushDebugGroup(p.here()) }

// PopDebugGroup closes a group of dispatches.
func (p *ComputePassEncoder) PopDebugGroup() { _ = p.made.PopDebugGroup(p.here()) }

// InsertDebugMarker marks a place among the dispatches.
func (p *ComputePassEncoder) InsertDebugMarker(string) { _ = p.made.InsertDebugMarker(p.here()) }

// End ends the pass. The error is that of the first call in the pass that was wrong.
func (p *ComputePassEncoder) End() (err error) { return p.made.End(p.here()) }

// Release releases the pass encoder.
func (p *ComputePassEncoder) Release() { p.made.Release(p.here()) }

// A Queue receives the commands of a device.
type Queue struct{ made *webgpu.Queue }

// QueueWorkDoneCallback hears how submitted work ended.
type QueueWorkDoneCallback func(QueueWorkDoneStatus)

// OnSubmittedWorkDone calls back in Device.Poll when all work submitted so far has ended.
func (p *Queue) OnSubmittedWorkDone(callback QueueWorkDoneCallback) {
	p.made.OnSubmittedWorkDone(here(), func(err error) {
		if err != nil {
			callback(QueueWorkDoneStatusDeviceLost)
			return
		}
		callback(QueueWorkDoneStatusSuccess)
	})
}

// Submit sends command buffers to the device, and returns at once. Submissions run in order. Submit
// a command buffer once. Submit panics if they can't be submitted.
func (p *Queue) Submit(commands ...*CommandBuffer) (submissionIndex SubmissionIndex) {
	buffers := make([]*webgpu.CommandBuffer, len(commands))
	for i, c := range commands {
		if c != nil {
			buffers[i] = c.made
		}
	}
	must(p.made.Submit(here(), buffers))
	return SubmissionIndex(p.made.Submitted())
}

// WriteBuffer copies data to a buffer, from byte bufferOffset on. It waits its turn: earlier
// submissions see the old data, later ones the new. The buffer needs BufferUsageCopyDst, and offset
// and length are multiples of 4.
func (p *Queue) WriteBuffer(buffer *Buffer, bufferOffset uint64, data []byte) (err error) {
	return p.made.WriteBuffer(here(), buffer.object(), bufferOffset, data)
}

// Release releases the queue.
func (p *Queue) Release() { p.made.Release(here()) }
