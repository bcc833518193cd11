package server

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/editor/protocol"
	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// The kinds of code actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll"
	rewrite  = "refactor.rewrite"
)

// diagnostics returns the findings of wgslab vet.
func (d *document) diagnostics() []protocol.Diagnostic {
	list := []protocol.Diagnostic{}
	for _, f := range d.vet().Findings {
		list = append(list, d.diagnostic(f))
	}
	return list
}

func (d *document) diagnostic(f *findings.Finding) protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range: d.rangeOf(f.Span), Severity: severity(f.Severity), Code: string(f.Kind), Source: "wgslab",
		Message: strings.TrimSpace(f.Message + " " + f.Hint),
	}
	if link := f.Kind.Link(); link != "" {
		out.CodeDescription = &protocol.CodeDescription{Href: link}
	}
	for _, r := range f.Related {
		out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{URI: d.uri, Range: d.rangeOf(r.Span)}, Message: r.Message,
		})
	}
	return out
}

func severity(s findings.Severity) int {
	switch s {
	case findings.Error:
		return 1
	case findings.Warning:
		return 2
	case findings.Info:
		return 3
	}
	return 4
}

// wanted reports whether an editor that asks for the given kinds wants actions of this kind.
func wanted(only []string, kind string) bool {
	return len(only) == 0 && kind != fixAll || slices.ContainsFunc(only, func(k string) bool {
		return k == kind || strings.HasPrefix(kind, k+".")
	})
}

func (s *Server) codeActions(d *document, p *protocol.CodeActionParams) (any, error) {
	actions := []protocol.CodeAction{}
	start, end := d.span(p.Range)
	touches := func(span syntax.Span) bool { return int(span.Start) <= end && start <= int(span.End) }
	if wanted(p.Context.Only, quickFix) {
		for _, f := range d.vet().Findings {
			for i, fix := range f.Fixes {
				if touches(f.Span) || slices.ContainsFunc(fix.Edits, func(e findings.Edit) bool { return touches(e.Span) }) {
					actions = append(actions, protocol.CodeAction{
						Title: english.Capital(fix.Title), Kind: quickFix, Diagnostics: []protocol.Diagnostic{d.diagnostic(f)},
						IsPreferred: i == 0, Edit: d.workspaceEdit(fix.Edits),
					})
				}
			}
		}
	}
	if all := d.allFixes(); len(all) > 0 && wanted(p.Context.Only, fixAll) {
		actions = append(actions, protocol.CodeAction{Title: "Fix everything that has a certain fix", Kind: fixAll, Edit: d.workspaceEdit(all)})
	}
	if wanted(p.Context.Only, rewrite) {
		if fault := judge.Fenced(func() { actions = append(actions, d.guards(touches)...) }); fault != "" {
			s.log("looking for guards in %s failed: %s", d.uri, fault) // the other actions are offered
		}
	}
	return actions, nil
}

// allFixes returns the edits of the first fix of each finding, without those that overlap another.
func (d *document) allFixes() (all []findings.Edit) {
	for _, f := range d.vet().Findings {
		if len(f.Fixes) == 0 {
			continue
		}
		if _, err := findings.Apply(d.string, append(all[:len(all):len(all)], f.Fixes[0].Edits...)); err == nil {
			all = append(all, f.Fixes[0].Edits...)
		}
	}
	return all
}

// mostGuarded is the longest shader for which guards are offered: the list of edits takes time
// that grows with the square of the length.
const mostGuarded = 32 << 10

// mostGuards is the maximum number of guards offered at a time.
const mostGuards = 4

// guards offers the conditions around a statement that keep an index within its array.
func (d *document) guards(touches func(syntax.Span) bool) (actions []protocol.CodeAction) {
	shader := d.vet().Shader()
	if !shader.Valid() || len(d.string) > mostGuarded {
		return nil
	}
	for _, e := range edit.All(shader) {
		if e.Kind != edit.Guard || !touches(e.Span) || len(actions) == mostGuards {
			continue
		}
		actions = append(actions, protocol.CodeAction{Title: "Guard with `" + e.To + "`", Kind: rewrite, Edit: d.workspaceEdit(e.Changes)})
	}
	return actions
}
