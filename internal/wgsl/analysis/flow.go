// This file analyses the control flow of WGSL functions: how execution can leave statements,
// whether two names may denote the same memory, and whether all invocations reach barriers and the
// like together. Behaviors runs the first analysis, Check the other two.
//
// # Behaviors (§ 9.7)
//
// The behavior of a statement is the set of ways in which execution can leave it: next, break,
// continue and return. It comes from the statements inside, bottom up:
//   - A sequence has the behaviors of its statements, up to the first one that lacks next.
//   - An if or a switch unites its arms. An if without else adds next.
//   - A break in a switch becomes next.
//   - A loop has next if its body has a break, and return if its body has a return. With neither it
//     never ends: that is an error.
//
// A function with a result must not have next.
//
// # Aliases (§ 11.4.1)
//
// For each function, callees first, we collect the roots that it reads and writes: module-scope
// variables and pointer parameters. A call adds the callee's effects to the caller's, with each
// parameter replaced by its argument's root. A call is an error if the callee reaches one variable
// by two names, and writes through one: by two pointers, or by a pointer and the variable's name.
//
// # Uniformity (§ 15.2)
//
// We visit each function once, callees first. A walker goes through the statements in order and
// builds a graph (graph.go). Its nodes are values and points of the control flow. An edge from a
// to b means that a is uniform only if b is.
//
//  1. Two nodes exist from the start: nonUni, which is never uniform, and cfStart, the control flow
//     at the call. Ids of invocations and reads of memory that others may write lead to nonUni.
//  2. An if or a loop's condition makes a node that leads to the condition's value. It is the
//     control flow of the statements inside. After an if whose only behavior is next, the control
//     flow is the one from before; otherwise it leads to the ends of all arms.
//  3. Each variable has a current node. An assignment makes a new one, which leads to the value and
//     to the control flow. Where arms meet, a variable that one of them changed gets a node that
//     leads to its node in each arm. A loop does the same for the variables that it changes.
//  4. A builtin that needs uniformity, such as a barrier, adds a requirement: on the control flow,
//     or on an argument.
//  5. A call repeats the callee's summary: requirements on its call site and its arguments, and
//     what its result depends on.
//
// At the end, conclude searches the graph breadth-first. A requirement whose node reaches nonUni is
// a violation, and the path between them is its explanation. A requirement that reaches cfStart or
// a parameter becomes part of the summary for callers. So does what the result reaches.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.

package analysis

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
