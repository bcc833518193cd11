// Package sim runs compute shaders and watches them: a register machine that does what WGSL says, one invocation after
// the other, and sees races, accesses out of bounds, barriers that not all reach, loops without end, and where the
// first NaN was born.
//
// Analyse reads a shader, types.Info.Pipeline gives its overrides their values, Compile makes a Program of that, and
// Program.Run dispatches it. Program.Debug steps through it, and Program.Explain follows one number back to where it
// came from. A watched run is deterministic.
//
// What the specification leaves open is settled so:
//   - An index out of bounds reads zero and writes nothing; an atomic there gives zero (§ 14.6). Making such a reference
//     or pointer is no mistake, using it is one. If the value that was read does not matter, as two runs with different
//     values show, it is only remarked.
//   - Invocations of a workgroup run in the order of their index to the next barrier, workgroups in the order of theirs.
//   - workgroupBarrier orders workgroup memory and storageBarrier buffers (§ 17.11), nothing orders two workgroups. Two
//     invocations that write the same value race, and so do a read and a later write with only the other barrier
//     between; since no GPU is known to show either, they are only remarked.
//   - Invocations at different barriers are let go on together; nothing more is told of their workgroup.
//   - Floats are never flushed to zero, and infinities and NaN are as IEEE 754 has them (§ 15.7).
//
// Textures, samplers, immediates and subgroups are not simulated: Compile says so.
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
		return d.Code == flow.NonUniformControlFlow || d.Code == flow.NonUniformValue
	})
}
