// Package flow follows the control flow of WGSL functions: how statements can be left, whether two names may mean the
// same memory, and whether all invocations reach barriers and the like together.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package flow

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The codes of what breaks the rules of uniformity (§ 15.2).
const (
	NonUniformControlFlow = "non-uniform-control-flow"
	NonUniformValue       = "non-uniform-value"
)

// Check runs the analyses of this package that need types: aliases and uniformity. info must be free of errors.
// Behaviors needs only the tree and is run apart. The diagnostics are in source order.
func Check(info *types.Info, options types.Options) []*syntax.Diagnostic {
	order := calleesFirst(info)
	diagnostics := append(aliases(info, order), uniformity(info, order, options)...)
	sortDiagnostics(diagnostics)
	return diagnostics
}

func sortDiagnostics(list []*syntax.Diagnostic) {
	slices.SortStableFunc(list, func(a, b *syntax.Diagnostic) int { return int(a.Span.Start - b.Span.Start) })
}

// calleesFirst sorts the functions so that each comes after those that it calls. WGSL has no recursion.
func calleesFirst(info *types.Info) []*types.Function {
	order := make([]*types.Function, 0, len(info.Functions))
	seen := make(map[*types.Function]bool, len(info.Functions))
	var visit func(f *types.Function)
	visit = func(f *types.Function) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, c := range f.Calls {
			visit(c.Callee)
		}
		order = append(order, f)
	}
	for _, f := range info.Functions {
		visit(f)
	}
	return order
}
