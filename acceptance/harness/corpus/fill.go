package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The rule by which buffers are made for shaders whose hosts are unknown. A number that is alone,
// not in an array, is often a size. Whole ones are small, so that three sizes multiplied still fit
// in the arrays. Numbers in arrays may be indices, so they are small as well. Floats are positive,
// which hides few mistakes and makes few NaNs. Atomics count from 0. Textures are as large as the
// invocations of most dispatches, and samplers filter.
const (
	arrayLength = 1024    // of a runtime-sized array, if its elements are small
	arrayBytes  = 1 << 18 // else it has so many bytes
	aloneWhole  = 8
	aloneFloat  = 1.5
	mostBytes   = 64 << 20 // of one buffer
)

// fill makes the buffers of a program.
func fill(program *sim.Program) ([]sim.BoundBuffer, error) {
	var buffers []sim.BoundBuffer
	for _, b := range program.Bindings {
		if b.Handle() {
			bound, err := handle(program, b)
			if err != nil {
				return nil, err
			}
			buffers = append(buffers, bound)
			continue
		}
		size := b.MinBytes
		if a := runtimeArray(b.Object.Store()); a != nil {
			size += (max(2, min(arrayLength, arrayBytes/a.Stride())) - 1) * a.Stride()
		}
		if size > mostBytes {
			return nil, fmt.Errorf("`%s` needs %d MiB", b.Object.Name, size>>20)
		}
		f := filling{Program: program.Program, data: make([]byte, (size+shader.UniformRow-1)/shader.UniformRow*shader.UniformRow), end: size}
		f.fill(b.Object.Store(), 0, false)
		buffers = append(buffers, sim.BoundBuffer{Group: b.Group, Binding: b.Number, Data: f.data[:f.bound(b)]})
	}
	return buffers, nil
}

// The sizes of textures, as --bind takes them. A cube has six layers, and an external texture no
// dimension in its type.
var textureSizes = map[string]string{
	"": "64,64", "1d": "64", "2d": "64,64", "2d_array": "64,64,4", "3d": "64,64,8", "cube": "64,64,6", "cube_array": "64,64,12",
}

// handle makes a texture or a sampler.
func handle(program *sim.Program, b ir.Binding) (sim.BoundBuffer, error) {
	what := "sampler:linear"
	if t := b.Texture; t != nil {
		setting := ""
		switch t.Kind {
		case types.SampledTexture, types.DepthTexture:
			setting = ";levels=4"
		case types.MultisampledTexture, types.DepthMultisampledTexture:
			setting = ";samples=4"
		}
		if t.Dim == "1d" {
			setting = ""
		}
		what = fmt.Sprintf("texture[%s%s]", textureSizes[t.Dim], setting)
	}
	argument, err := anyshader.Parse(fmt.Sprintf("%d.%d=%s", b.Group, b.Number, what), nil)
	if err != nil {
		return sim.BoundBuffer{}, err
	}
	err = argument.Fit(program)
	return argument.Bound(), err
}

// runtimeArray returns the runtime-sized array that a type is or ends in, or nil.
func runtimeArray(t types.Type) *types.Array {
	switch t := t.(type) {
	case *types.Array:
		if t.Runtime() {
			return t
		}
	case *types.Struct:
		return runtimeArray(t.Members[len(t.Members)-1].Type)
	}
	return nil
}

// A filling is a buffer that gets its values.
type filling struct {
	*ir.Program
	data []byte
	end  uint64 // of the values, in bytes
	next uint64 // how many values in arrays there are so far
}

// bound returns the number of bytes to bind: uniforms have whole rows, and other buffers whole
// words.
func (f *filling) bound(b ir.Binding) uint64 {
	if b.Uniform {
		return uint64(len(f.data))
	}
	return (f.end + shader.ElementBytes - 1) / shader.ElementBytes * shader.ElementBytes
}

// fill gives a value of a type at an offset its numbers.
func (f *filling) fill(t types.Type, at uint64, inArray bool) {
	leaves(f.Program, t, at, f.end, inArray, func(l leaf) {
		if l.atomic {
			return
		}
		whole, float := uint32(aloneWhole), float32(aloneFloat)
		if l.inArray {
			whole, float = uint32(f.next*5%31), float32(f.next*37%64+1)/64
			f.next++
		}
		switch l.scalar {
		case types.F32:
			whole = math.Float32bits(float)
		case types.F16:
			binary.LittleEndian.PutUint16(f.data[l.at:], numeric.F16Bits(float))
			return
		}
		binary.LittleEndian.PutUint32(f.data[l.at:], whole)
	})
}

// A leaf is a number in a buffer.
type leaf struct {
	scalar  *types.Scalar
	at      uint64 // in bytes
	inArray bool
	atomic  bool
}

// leaves calls visit for each number of a value at an offset. A runtime-sized array goes to the
// end.
func leaves(p *ir.Program, t types.Type, at, end uint64, inArray bool, visit func(leaf)) {
	switch t := t.(type) {
	case *types.Scalar:
		visit(leaf{scalar: t, at: at, inArray: inArray})
	case *types.Atomic:
		for i := range types.SizeOf(t) / shader.ElementBytes {
			visit(leaf{scalar: types.U32, at: at + shader.ElementBytes*i, inArray: inArray, atomic: true})
		}
	case *types.Struct:
		for _, m := range t.Members {
			leaves(p, m.Type, at+m.Offset, end, inArray, visit)
		}
	default:
		elem, count := p.Parts(t)
		stride := uint64(p.Stride(ir.InBuffers, t))
		_, isArray := t.(*types.Array)
		if isArray && count == 0 {
			count = (end - at) / stride
		}
		for i := range count {
			leaves(p, elem, at+i*stride, end, inArray || isArray, visit)
		}
	}
}
