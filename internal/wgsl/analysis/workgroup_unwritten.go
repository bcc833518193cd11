package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var workgroupUnwritten = &Rule{
	Kind:      findings.WorkgroupUnwritten,
	Title:     "workgroup memory that is read and never written",
	Certainty: findings.Certain,
	Doc: "Workgroup memory is all zeros when a workgroup starts, and only the shader writes to it. " +
		"If no function stores anything in the variable, every read gives 0. Fill it first, and put `workgroupBarrier()` between writing and reading.",
	run: runWorkgroupUnwritten,
}

func runWorkgroupUnwritten(p *pass) {
	written := map[*types.Object]bool{}
	read := map[*types.Object]*syntax.IdentExpr{}
	for n := range inFunctions[syntax.Node](p) {
		written[p.info.Root(mayChange(n))] = true
		if x, ok := n.(*syntax.IdentExpr); ok {
			if o := p.info.Uses[x]; o != nil && o.Global && o.Space() == types.SpaceWorkgroup && read[o] == nil {
				read[o] = x
			}
		}
	}
	for _, g := range p.info.Globals {
		if x := read[g]; x != nil && !written[g] {
			p.report(x, "`%s` is read, but nothing ever writes to it: every value is 0.", g.Name).
				Try("Write to it first, and put `workgroupBarrier()` before the read.").See(g.Span(), "the workgroup memory")
		}
	}
}
