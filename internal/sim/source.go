package sim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Adapter describes the simulator to code that chooses an engine. Its limits are WebGPU's defaults
// (§ 3.6.2 of the WebGPU specification) or higher, and its clock is the host's.
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

// A Program is an entry point's code with what runs it. It is read-only and safe for concurrent
// use.
type Program struct{ *ir.Program }

// CompileEntry compiles the entry point of a source, with values for its overrides. With debug, the
// program can be stepped through. A program without either is compiled once for each source. The
// error is a *shader.CompileError.
func CompileEntry(source *shader.Source, constants map[string]float64, debug bool) (*Program, error) {
	if len(constants) > 0 || debug {
		return compileEntry(source, constants, debug)
	}
	type compiled struct {
		*Program
		error
	}
	c := shader.Keep(source, compiled{}, func() compiled {
		program, err := compileEntry(source, nil, false)
		return compiled{program, err}
	})
	return c.Program, c.error
}

func compileEntry(source *shader.Source, constants map[string]float64, debug bool) (*Program, error) {
	if mistake := source.Unrunnable(); mistake != nil {
		return nil, mistake
	}
	entry := source.EntryPoint()
	point := source.Shader().Entry(entry)
	if point == nil || point.Stage != types.ComputeStage {
		return nil, source.Error(findings.NoEntryPoint, 0, 0, 0, fmt.Sprintf("there is no compute entry point `%s`%s", entry, otherEntries(source.Shader())))
	}
	pipeline, found := source.Shader().Info.Pipeline(point, constants)
	if findings.HasErrors(found) {
		source.Shader().Source.Locate(found...)
		return nil, source.Mistaken(found[0])
	}
	compiled, err := ir.Compile(pipeline, debug)
	if err != nil {
		return nil, lacking(source, err)
	}
	return &Program{compiled}, nil
}

// lacking says what the simulator lacks to run a shader.
func lacking(source *shader.Source, err error) *shader.CompileError {
	var bad ir.Unsupported
	errors.As(err, &bad)
	found := findings.Errorf(findings.EngineRefuses, bad.At, "%s", err.Error())
	if bad.At.Len() > 0 {
		source.Shader().Source.Locate(found)
	}
	mistake := source.Mistaken(found)
	mistake.Lacks = true
	return mistake
}

func otherEntries(s *wgsl.Shader) string {
	var names []string
	for _, e := range s.Info.EntryPoints {
		if e.Stage == types.ComputeStage {
			names = append(names, "`"+e.Object.Name+"`")
		}
	}
	if len(names) == 0 {
		return ", nor any other"
	}
	return "; it has " + strings.Join(names, ", ")
}
