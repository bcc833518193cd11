package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var unusedBinding = &Rule{
	Kind:      findings.UnusedBinding,
	Title:     "a binding that no entry point uses",
	Certainty: findings.Certain,
	Doc: "The host binds a buffer or texture to this variable, but no entry point reaches it, not even through other functions. " +
		"If the layout of the bindings comes from the shader, this one is missing, and binding it fails. Use it or delete it.",
	run: runUnusedBinding,
}

func runUnusedBinding(p *pass) {
	if len(p.info.EntryPoints) == 0 {
		return
	}
	used := map[*types.Object]bool{}
	for _, e := range p.info.EntryPoints {
		for _, r := range e.Resources {
			used[r] = true
		}
	}
	for _, g := range p.info.Globals {
		if g.Group != nil && !used[g] {
			p.report(g.Ident, "No entry point uses `%s`.", g.Name).Try("Use it, or delete its declaration.")
		}
	}
}
