package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var barrierUnneeded = &Rule{
	Kind:      findings.BarrierUnneeded,
	Title:     "an unneeded barrier",
	Certainty: findings.Certain,
	Doc: "`workgroupBarrier()` orders what a workgroup's invocations write to and read from `var<workgroup>` memory. " +
		"If an entry point has none, or if another barrier comes right before, it only makes invocations wait. Delete it.",
	run: runBarrierUnneeded,
}

func runBarrierUnneeded(p *pass) {
	sharing := map[*types.Function]bool{} // functions of entry points with workgroup memory
	staged := map[*types.Function]bool{}
	for _, e := range p.info.EntryPoints {
		for _, f := range e.Functions {
			staged[f] = true
			sharing[f] = sharing[f] || len(e.Workgroup) > 0
		}
	}
	for _, f := range p.info.Functions {
		for b := range syntax.All[*syntax.BlockStmt](f.Decl.Body) {
			for i, s := range b.List {
				switch {
				case !p.isBarrier(s):
				case i > 0 && p.isBarrier(b.List[i-1]):
					p.report(s, "This barrier comes right after another one, so nothing happens between the two.").
						Try("Delete one of them.").See(b.List[i-1].Span(), "the other one")
				case staged[f] && !sharing[f]:
					p.report(s, "This barrier orders nothing: the shader has no `var<workgroup>` memory.").
						Try("Delete it; invocations that share no memory need not wait for each other.")
				}
			}
		}
	}
}

func (p *pass) isBarrier(s syntax.Stmt) bool {
	call, ok := s.(*syntax.CallStmt)
	return ok && p.builtin(call.Call) == "workgroupBarrier"
}
