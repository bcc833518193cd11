// Package sim runs compute shaders and watches them: a register machine that does what WGSL says, one invocation after
// the other, and sees races, accesses out of bounds, barriers that not all reach, loops without end, and where the
// first NaN was born.
//
// Compile makes a Program of a checked pipeline, Run dispatches it. A run is deterministic: see Program.Run.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package sim

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/flow"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Analyse reads and checks a shader, as far as a shader must be right to be run: that all invocations reach barriers
// together (§ 15.2) is left out, as a run shows it.
func Analyse(source *syntax.Source, features types.Features) (*types.Info, []*syntax.Diagnostic) {
	options := types.Options{Features: features}
	file, found := syntax.Parse(source)
	if syntax.HasErrors(found) {
		return nil, found
	}
	found = append(found, flow.Behaviors(file)...)
	info, more := types.Check(file, options)
	found = append(found, more...)
	if syntax.HasErrors(found) {
		return nil, found
	}
	found = append(found, flow.Check(info, options)...)
	return info, slices.DeleteFunc(found, func(d *syntax.Diagnostic) bool {
		return d.Code == "non-uniform-control-flow" || d.Code == "non-uniform-value"
	})
}
