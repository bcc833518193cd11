package sim

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Adapter describes the simulator to code that chooses an engine. Its limits are WebGPU's defaults
// (§ 3.6.2 of the WebGPU specification) or higher, and its clock is the host's.
func Adapter() shader.Adapter {
	return shader.Adapter{
		Name: "simulator", Kind: shader.Simulated, Backend: "no driver", Timestamps: true,
		Halves: true, Subgroups: [2]uint32{leastSubgroup, ir.MaxSubgroup},
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

// leastSubgroup is the smallest size of subgroups that a device has (WebGPU, § GPUAdapterInfo).
const leastSubgroup = 4

// A Program is an entry point's code with what runs it. It is read-only and safe for concurrent
// use.
type Program struct {
	*ir.Program
	machineCode *machineCode
}

// CompileEntry compiles the entry point of a source, with values for its overrides. With debug, the
// program can be stepped through. A program without debug is compiled once for each source. The
// error is a *shader.CompileError.
func CompileEntry(source *shader.Source, constants map[string]float64, debug bool) (*Program, error) {
	if source = source.With(constants); debug {
		return compileEntry(source, debug)
	}
	type compiled struct {
		*Program
		error
	}
	c := shader.Keep(source, compiled{}, func() compiled {
		program, err := compileEntry(source, false)
		return compiled{program, err}
	})
	return c.Program, c.error
}

func compileEntry(source *shader.Source, debug bool) (*Program, error) {
	if mistake := source.Unrunnable(); mistake != nil {
		return nil, mistake
	}
	entry := source.EntryPoint()
	point := source.Shader().Entry(entry)
	if point == nil || point.Stage != types.ComputeStage {
		return nil, source.Error(findings.NoEntryPoint, 0, 0, 0, fmt.Sprintf("there is no compute entry point `%s`%s", entry, otherEntries(source.Shader())))
	}
	pipeline, found := source.Shader().Info.Pipeline(point, source.Constants())
	if findings.HasErrors(found) {
		source.Shader().Source.Locate(found...)
		return nil, source.Mistaken(found[0])
	}
	compiled, err := ir.Compile(pipeline, debug)
	if err != nil {
		return nil, lacking(source, err)
	}
	var mistake *shader.CompileError
	if compiled.Division, mistake = divisionIn(source); mistake != nil {
		return nil, mistake
	}
	return &Program{compiled, &machineCode{}}, nil
}

// dial matches a comment that sets the simulator's subgroups: // subgroups: 8, or 8 scattered.
var dial = regexp.MustCompile(`(?m)//[ \t]*subgroups:[ \t]*([^\r\n]*)`)

// DivisionComment returns the comment of a shader that says how the simulator divides workgroups;
// "" if there is none.
func DivisionComment(text string) string { return dial.FindString(text) }

// divisionIn reads the comment that says how the simulator divides workgroups for this shader.
func divisionIn(source *shader.Source) (d ir.SubgroupDivision, mistake *shader.CompileError) {
	at := dial.FindStringSubmatchIndex(source.Text)
	if at == nil {
		return d, nil
	}
	said := source.Text[at[2]:at[3]]
	words := strings.Fields(said)
	if len(words) == 2 && words[1] == "scattered" {
		d.Scattered, words = true, words[:1]
	}
	if len(words) == 1 {
		n, err := strconv.ParseUint(words[0], 10, 32)
		if d.Size = uint32(n); err == nil && n&(n-1) == 0 && n > 0 && n <= ir.MaxSubgroup {
			return d, nil
		}
	}
	line := 1 + strings.Count(source.Text[:at[0]], "\n")
	column := at[0] - strings.LastIndexByte(source.Text[:at[0]], '\n')
	mistake = source.Error("subgroup-size", line, column, at[1]-at[0],
		fmt.Sprintf("`%s` is no size for subgroups: write `// subgroups: 8`, with a power of 2 up to %d, or `// subgroups: 8 scattered`", strings.TrimSpace(said), ir.MaxSubgroup))
	return d, mistake
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
