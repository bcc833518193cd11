package editor

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/fence"
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
func (d *document) diagnostics() []Diagnostic {
	list := []Diagnostic{}
	for _, f := range d.vet().Findings {
		list = append(list, d.diagnostic(f))
	}
	return list
}

func (d *document) diagnostic(f *findings.Finding) Diagnostic {
	out := Diagnostic{
		Range: d.rangeOf(f.Span), Severity: severity(f.Severity), Code: string(f.Kind), Source: "wgslab",
		Message: strings.TrimSpace(f.Message + " " + f.Hint),
	}
	if link := f.Kind.Link(); link != "" {
		out.CodeDescription = &CodeDescription{Href: link}
	}
	for _, r := range f.Related {
		out.RelatedInformation = append(out.RelatedInformation, DiagnosticRelatedInformation{
			Location: Location{URI: d.uri, Range: d.rangeOf(r.Span)}, Message: r.Message,
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

// A touching reports whether a span is in the part of the text that the editor asks about.
type touching func(syntax.Span) bool

// An actionSource offers the code actions of a kind that touch a part of a document.
type actionSource struct {
	kind  string
	offer func(*document, touching) []offered
}

// An offered code action is made when it is listed, so that a fault in one of them costs no other.
type offered func() CodeAction

var actionSources = []actionSource{{quickFix, (*document).quickFixes}, {fixAll, (*document).fixesOfAll}, {rewrite, (*document).guards}}

func (s *Server) codeActions(d *document, p *CodeActionParams) (any, error) {
	actions := []CodeAction{}
	start, end := d.span(p.Range)
	touches := func(span syntax.Span) bool { return int(span.Start) <= end && start <= int(span.End) }
	for _, source := range actionSources {
		if !wanted(p.Context.Only, source.kind) {
			continue
		}
		var offers []offered
		s.fenced(d, source.kind, func() { offers = source.offer(d, touches) })
		for _, offer := range offers {
			s.fenced(d, source.kind, func() { actions = append(actions, offer()) })
		}
	}
	return actions, nil
}

// fenced does work for one code action, or for the list of a kind. If it panics, the log says so,
// and the others are offered.
func (s *Server) fenced(d *document, kind string, work func()) {
	if fault := fence.Around(work); fault != "" {
		s.log("a code action (%s) for %s failed: %s", kind, d.uri, fault)
	}
}

// quickFixes offers the fixes of each finding.
func (d *document) quickFixes(touches touching) (offers []offered) {
	for _, f := range d.vet().Findings {
		for i, fix := range f.Fixes {
			if touches(f.Span) || slices.ContainsFunc(fix.Edits, func(e findings.Edit) bool { return touches(e.Span) }) {
				offers = append(offers, func() CodeAction {
					return CodeAction{
						Title: english.Capital(fix.Title), Kind: quickFix, Diagnostics: []Diagnostic{d.diagnostic(f)},
						IsPreferred: i == 0, Edit: d.workspaceEdit(fix.Edits),
					}
				})
			}
		}
	}
	return offers
}

// fixesOfAll offers the first fix of each finding, without those that overlap another, as one
// action.
func (d *document) fixesOfAll(touching) []offered {
	var all []findings.Edit
	for _, f := range d.vet().Findings {
		if len(f.Fixes) == 0 {
			continue
		}
		if _, err := findings.Apply(d.string, append(all[:len(all):len(all)], f.Fixes[0].Edits...)); err == nil {
			all = append(all, f.Fixes[0].Edits...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []offered{func() CodeAction {
		return CodeAction{Title: "Fix everything that has a certain fix", Kind: fixAll, Edit: d.workspaceEdit(all)}
	}}
}

// mostGuarded is the longest shader for which guards are offered: the list of edits takes time
// that grows with the square of the length.
const mostGuarded = 32 << 10

// mostGuards is the maximum number of guards offered at a time.
const mostGuards = 4

// guards offers the conditions around a statement that keep an index within its array.
func (d *document) guards(touches touching) (offers []offered) {
	shader := d.vet().Shader()
	if !shader.Valid() || len(d.string) > mostGuarded || d.isTemplate() {
		return nil
	}
	for _, e := range edit.All(shader) {
		if e.Kind != edit.Guard || !touches(e.Span) || len(offers) == mostGuards {
			continue
		}
		offers = append(offers, func() CodeAction {
			return CodeAction{Title: "Guard with `" + e.To + "`", Kind: rewrite, Edit: d.workspaceEdit(e.Changes)}
		})
	}
	return offers
}
