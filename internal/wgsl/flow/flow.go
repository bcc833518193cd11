// Package flow analyses the control flow of WGSL functions: how execution can leave statements,
// whether two names may denote the same memory, and whether all invocations reach barriers and the
// like together.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package flow

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Check runs this package's analyses that need types: aliases and uniformity. info must be free of
// errors. Behaviors needs only the tree and runs separately. The diagnostics are in source order.
func Check(info *types.Info, options types.Options) []*findings.Finding {
	order := calleesFirst(info)
	diagnostics := append(aliases(info, order), uniformity(info, order, options)...)
	sortDiagnostics(diagnostics)
	return diagnostics
}

func sortDiagnostics(list []*findings.Finding) {
	slices.SortStableFunc(list, func(a, b *findings.Finding) int { return int(a.Span.Start - b.Span.Start) })
}

// calleesFirst sorts the functions so that each one follows its callees. WGSL has no recursion.
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
