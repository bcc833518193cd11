//go:build ignore

package main

import (
	"encoding/binary"
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

func filled[T byte | float32 | uint32](device *wgpu.Device, values []T, usage wgpu.BufferUsage) *wgpu.Buffer {
	return must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{Contents: wgpu.ToBytes(values), Usage: usage}))
}

func empty(device *wgpu.Device, numbers int, usage wgpu.BufferUsage) *wgpu.Buffer {
	return must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(4 * numbers), Usage: usage}))
}

func compiled(device *wgpu.Device, shader check.HostShader) *wgpu.ComputePipeline {
	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader.WGSL},
	}))
	defer module.Release()
	return must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
}

func bound(device *wgpu.Device, pipeline *wgpu.ComputePipeline, buffers ...*wgpu.Buffer) *wgpu.BindGroup {
	var entries []wgpu.BindGroupEntry
	for i, buffer := range buffers {
		entries = append(entries, wgpu.BindGroupEntry{Binding: uint32(i), Buffer: buffer, Size: wgpu.WholeSize})
	}
	return must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: pipeline.GetBindGroupLayout(0), Entries: entries}))
}

func groups(n, size int) uint32 { return uint32((n + size - 1) / size) }

// numbers reads rows of columns numbers that begin at a byte of the file.
func numbers(file []byte, at, rows, columns int) []float32 {
	values := make([]float32, rows*columns)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(file[at+4*i:]))
	}
	return values
}

// transposed turns rows of columns numbers into columns of rows.
func transposed(values []float32, columns int) []float32 {
	turned := make([]float32, len(values))
	rows := len(values) / columns
	for i, value := range values {
		turned[i%columns*rows+i/columns] = value
	}
	return turned
}

func readDigits(device *wgpu.Device, shaders map[string]check.HostShader, images, hidden, classes int, pixels, file []byte, at map[string]int) (probabilities []float32, digits []uint32) {
	const mean, stddev = 0.1307, 0.3081
	inputs := len(pixels) / images

	words := filled(device, pixels, wgpu.BufferUsageStorage)
	defer words.Release()
	w1 := filled(device, transposed(numbers(file, at["w1"], hidden, inputs), inputs), wgpu.BufferUsageStorage)
	defer w1.Release()
	b1 := filled(device, numbers(file, at["b1"], 1, hidden), wgpu.BufferUsageStorage)
	defer b1.Release()
	w2 := filled(device, transposed(numbers(file, at["w2"], classes, hidden), hidden), wgpu.BufferUsageStorage)
	defer w2.Release()
	b2 := filled(device, numbers(file, at["b2"], 1, classes), wgpu.BufferUsageStorage)
	defer b2.Release()
	params := filled(device, []uint32{uint32(len(pixels)), math.Float32bits(mean), math.Float32bits(stddev)}, wgpu.BufferUsageUniform)
	defer params.Release()
	dims1 := filled(device, []uint32{uint32(images), uint32(hidden), uint32(inputs)}, wgpu.BufferUsageUniform)
	defer dims1.Release()
	dims2 := filled(device, []uint32{uint32(images), uint32(classes), uint32(hidden)}, wgpu.BufferUsageUniform)
	defer dims2.Release()
	shape := filled(device, []uint32{uint32(images), uint32(classes)}, wgpu.BufferUsageUniform)
	defer shape.Release()
	x := empty(device, len(pixels), wgpu.BufferUsageStorage)
	defer x.Release()
	hiddens := empty(device, images*hidden, wgpu.BufferUsageStorage)
	defer hiddens.Release()
	scores := empty(device, images*classes, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc)
	defer scores.Release()
	answers := empty(device, images, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc)
	defer answers.Release()
	readback := empty(device, images*classes+images, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
	defer readback.Release()

	normalize := compiled(device, shaders["normalize"])
	defer normalize.Release()
	linear := compiled(device, shaders["linear"])
	defer linear.Release()
	relu := compiled(device, shaders["relu"])
	defer relu.Release()
	softmax := compiled(device, shaders["softmax"])
	defer softmax.Release()
	argmax := compiled(device, shaders["argmax"])
	defer argmax.Release()

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	run := func(pipeline *wgpu.ComputePipeline, x, y uint32, buffers ...*wgpu.Buffer) {
		group := bound(device, pipeline, buffers...)
		defer group.Release()
		pass.SetPipeline(pipeline)
		pass.SetBindGroup(0, group, nil)
		pass.DispatchWorkgroups(x, y, 1)
	}
	size := shaders["linear"].Size
	run(normalize, groups(len(pixels), shaders["normalize"].Size[0]), 1, params, words, x)
	run(linear, groups(hidden, size[0]), groups(images, size[1]), dims1, x, w1, b1, hiddens)
	run(relu, groups(images*hidden, shaders["relu"].Size[0]), 1, hiddens)
	run(linear, groups(classes, size[0]), groups(images, size[1]), dims2, hiddens, w2, b2, scores)
	run(softmax, uint32(images), 1, shape, scores)
	run(argmax, groups(images, shaders["argmax"].Size[0]), 1, shape, scores, answers)
	pass.End()
	part := uint64(4 * images * classes)
	whole := part + uint64(4*images)
	encoder.CopyBufferToBuffer(scores, 0, readback, 0, part)
	encoder.CopyBufferToBuffer(answers, 0, readback, part, uint64(4*images))
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, whole, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	bytes := readback.GetMappedRange(0, uint(whole))
	return slices.Clone(wgpu.FromBytes[float32](bytes[:part])), slices.Clone(wgpu.FromBytes[uint32](bytes[part:]))
}
