package sim

import (
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Adapter is the simulator as those see it who choose what runs a shader. It has the limits that WebGPU gives by
// default (§ 3.6.2 of the WebGPU specification) or more, and the host's clock.
func Adapter() shader.Adapter {
	return shader.Adapter{
		Name: "simulator", Kind: shader.Simulated, Backend: "no driver", Timestamps: true,
		Limits: shader.Limits{
			BufferBytes:             256 << 20,
			StorageBindingBytes:     128 << 20,
			UniformBindingBytes:     64 << 10,
			StorageBuffersPerShader: 10,
			WorkgroupStorageBytes:   32 << 10,
			InvocationsPerWorkgroup: 1024,
			WorkgroupSize:           [3]uint32{1024, 1024, 64},
			WorkgroupsPerDimension:  65535,
		},
	}
}

// CompileSource compiles the entry point of a shader that can be run: Unrunnable says nothing of it. Its error is a
// *shader.CompileError.
func CompileSource(source *shader.Source) (*Program, error) {
	front := source.Shader()
	pipeline, found := front.Info.Pipeline(front.Entry(shader.EntryPoint), nil)
	if syntax.HasErrors(found) {
		return nil, &shader.CompileError{Shader: source.Name, Code: shader.Code(found[0].Code), Message: found[0].Message, Hint: found[0].Hint}
	}
	compiled, err := Compile(pipeline, false)
	if err != nil {
		return nil, &shader.CompileError{Shader: source.Name, Code: shader.EngineRefuses, Message: err.Error()}
	}
	return compiled, nil
}
