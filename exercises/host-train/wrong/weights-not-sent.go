//go:build ignore

// diagnosis: not-sent

package main

import (
	"math"
	"slices"

	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func words[T float32 | uint32](device *wgpu.Device, values []T, usage wgpu.BufferUsage) *wgpu.Buffer {
	return must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{Contents: wgpu.ToBytes(values), Usage: usage}))
}

func storage(device *wgpu.Device, numbers int, usage wgpu.BufferUsage) *wgpu.Buffer {
	return must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(4 * numbers), Usage: wgpu.BufferUsageStorage | usage}))
}

func pipelineOf(device *wgpu.Device, shader check.HostShader) *wgpu.ComputePipeline {
	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader.WGSL},
	}))
	defer module.Release()
	return must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
}

func up(n, size int) int { return (n + size - 1) / size }

func trainLayer(device *wgpu.Device, linear, softmax, lossGrad, gradWeights, gradBias, sgd check.HostShader, rows, steps int, x []float32, label []uint32, w, b []float32, rate float32) []float32 {
	classes := len(b)
	inputs := len(w) / classes

	var buffers []*wgpu.Buffer
	kept := func(b *wgpu.Buffer) *wgpu.Buffer {
		buffers = append(buffers, b)
		return b
	}
	dims := kept(words(device, []uint32{uint32(rows), uint32(classes), uint32(inputs)}, wgpu.BufferUsageUniform))
	shape := kept(words(device, []uint32{uint32(rows), uint32(classes)}, wgpu.BufferUsageUniform))
	stepW := kept(words(device, []uint32{uint32(len(w)), math.Float32bits(rate)}, wgpu.BufferUsageUniform))
	stepB := kept(words(device, []uint32{uint32(len(b)), math.Float32bits(rate)}, wgpu.BufferUsageUniform))
	xs := kept(storage(device, rows*inputs, wgpu.BufferUsageCopyDst))
	labels := kept(storage(device, rows, wgpu.BufferUsageCopyDst))
	ws := kept(storage(device, len(w), wgpu.BufferUsageCopySrc))
	bs := kept(words(device, b, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc))
	prob := kept(storage(device, rows*classes, 0))
	loss := kept(storage(device, rows, 0))
	d := kept(storage(device, rows*classes, 0))
	dw := kept(storage(device, len(w), 0))
	db := kept(storage(device, len(b), 0))
	readback := kept(must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: uint64(4 * (len(w) + len(b))), Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	})))

	layer, shares, losses := pipelineOf(device, linear), pipelineOf(device, softmax), pipelineOf(device, lossGrad)
	weights, biases, step := pipelineOf(device, gradWeights), pipelineOf(device, gradBias), pipelineOf(device, sgd)
	// A stage is one pass of a step: a pipeline with its buffers and workgroups.
	type stage struct {
		pipeline *wgpu.ComputePipeline
		group    *wgpu.BindGroup
		x, y     int
	}
	stageOf := func(pipeline *wgpu.ComputePipeline, x, y int, buffers ...*wgpu.Buffer) stage {
		var entries []wgpu.BindGroupEntry
		for i, buffer := range buffers {
			entries = append(entries, wgpu.BindGroupEntry{Binding: uint32(i), Buffer: buffer, Size: wgpu.WholeSize})
		}
		group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: pipeline.GetBindGroupLayout(0), Entries: entries}))
		return stage{pipeline, group, x, y}
	}
	stages := []stage{
		stageOf(layer, up(classes, linear.Size[0]), up(rows, linear.Size[1]), dims, xs, ws, bs, prob),
		stageOf(shares, rows, 1, shape, prob),
		stageOf(losses, up(rows, lossGrad.Size[0]), 1, shape, prob, labels, loss, d),
		stageOf(weights, up(classes, gradWeights.Size[0]), up(inputs, gradWeights.Size[1]), dims, xs, d, dw),
		stageOf(biases, up(classes, gradBias.Size[0]), 1, shape, d, db),
		stageOf(step, up(len(w), sgd.Size[0]), 1, stepW, dw, ws),
		stageOf(step, up(len(b), sgd.Size[0]), 1, stepB, db, bs),
	}

	queue := device.GetQueue()
	for i := range steps {
		queue.WriteBuffer(xs, 0, wgpu.ToBytes(x[i*rows*inputs:(i+1)*rows*inputs]))
		queue.WriteBuffer(labels, 0, wgpu.ToBytes(label[i*rows:(i+1)*rows]))
		encoder := must(device.CreateCommandEncoder(nil))
		pass := encoder.BeginComputePass(nil)
		for _, s := range stages {
			pass.SetPipeline(s.pipeline)
			pass.SetBindGroup(0, s.group, nil)
			pass.DispatchWorkgroups(uint32(s.x), uint32(s.y), 1)
		}
		pass.End()
		if i == steps-1 {
			encoder.CopyBufferToBuffer(ws, 0, readback, 0, uint64(4*len(w)))
			encoder.CopyBufferToBuffer(bs, 0, readback, uint64(4*len(w)), uint64(4*len(b)))
		}
		queue.Submit(must(encoder.Finish(nil)))
	}

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, readback.GetSize(), func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	result := slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(readback.GetSize()))))
	for _, s := range stages {
		s.group.Release()
	}
	for _, p := range []*wgpu.ComputePipeline{layer, shares, losses, weights, biases, step} {
		p.Release()
	}
	for _, b := range buffers {
		b.Release()
	}
	return result
}
