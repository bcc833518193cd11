// Package sim runs shaders in the simulator, where there is no driver at all or
// where somebody wants to know what the shader did: internal/wgsl/sim as one of
// the engines that a check can use.
package sim

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Options say how the simulator runs. The zero value watches.
type Options struct {
	Steps     uint64 // after how many instructions a dispatch is given up; 0 for sim.DefaultSteps
	Unwatched bool   // find nothing, and be faster
}

// New is the simulator as an engine. It holds nothing that must be closed and may be used by many at once.
func New(options Options) shader.Backend { return engine{options} }

type engine struct{ options Options }

// Adapter has the limits that WebGPU gives by default (§ 3.6.2 of the WebGPU specification) or more.
func (engine) Adapter() shader.Adapter {
	return shader.Adapter{
		Name: "simulator", Kind: shader.CPU, Backend: "simulator",
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

func (e engine) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if mistake := source.Unrunnable(); mistake != nil {
		return nil, mistake
	}
	if _, err := source.Entry(e.Adapter()); err != nil {
		return nil, err
	}
	if err := source.CheckLayout(); err != nil {
		return nil, err
	}
	front := source.Shader()
	pipeline, found := front.Info.Pipeline(front.Entry(shader.EntryPoint), nil)
	if syntax.HasErrors(found) {
		return nil, &shader.CompileError{Shader: source.Name, Code: shader.Code(found[0].Code), Message: found[0].Message, Hint: found[0].Hint}
	}
	compiled, err := sim.Compile(pipeline, false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	return &program{e, source, compiled}, nil
}

type program struct {
	engine   engine
	source   *shader.Source
	compiled *sim.Program
}

func (p *program) Free() {}

func (p *program) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	bound := make([]shader.Bound, len(d.Buffers))
	copies := make([]shader.Buffer, len(d.Buffers))
	buffers := make([]sim.Buffer, len(d.Buffers))
	for i, b := range d.Buffers {
		bound[i] = shader.Bound{Element: b.Element, Bytes: uint64(len(b.Bytes)), ID: i}
		copies[i] = b.Clone()
		buffers[i] = sim.Buffer{Binding: uint32(i), Data: copies[i].Bytes}
	}
	if err := p.source.CheckDispatch(p.engine.Adapter(), d.Workgroups, bound); err != nil {
		return shader.Result{}, err
	}
	result, err := p.compiled.Run(ctx, d.Workgroups, buffers, sim.Options{
		Watch: !p.engine.options.Unwatched, Steps: p.engine.options.Steps,
	})
	if err != nil {
		return shader.Result{}, fmt.Errorf("%s: %w", p.source.Name, err)
	}
	return shader.Result{Output: copies[d.Output], Findings: result.Findings}, nil
}
