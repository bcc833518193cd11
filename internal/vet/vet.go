// Package vet reads a shader without running it and tells what it found: the mistakes that make it invalid, and what is
// legal and yet a mistake. Text, JSON and SARIF are three reports of the same findings.
package vet

import (
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// MaxSource is the longest shader that is read, in bytes.
const MaxSource = syntax.MaxSource

// A File is one shader and what was found in it. It is read-only.
type File struct {
	Name     string // as reports show it
	Findings []Finding

	shader *wgsl.Shader
}

// A Finding is one thing that is wrong with a shader.
type Finding struct {
	*syntax.Diagnostic
	Rule *analysis.Rule // which found it in a shader that is valid; nil for what WGSL itself forbids or warns of
}

// Read reads one shader as a check does, with the same language features. It takes any text. The findings are in the
// order of the text; the rules for what is legal speak only where no error is.
func Read(name, text string) *File {
	f := &File{Name: name, shader: shader.Read(name, text).Shader()}
	for _, d := range f.shader.Diagnostics {
		f.Findings = append(f.Findings, Finding{Diagnostic: d})
	}
	if f.shader.Valid() {
		for _, found := range analysis.Analyze(f.shader.Info) {
			f.Findings = append(f.Findings, Finding{found.Diagnostic, found.Rule})
		}
	}
	slices.SortStableFunc(f.Findings, func(a, b Finding) int { return int(a.Span.Start) - int(b.Span.Start) })
	return f
}

// Valid says whether nothing found is an error.
func (f *File) Valid() bool { return f.shader.Valid() }

// Place is where a finding stands, in lines and characters, both from 1; it may go over several lines.
func (f *File) Place(found Finding) shader.Span { return f.place(found.Span) }

// place is a span in lines and characters, both from 1; it may go over several lines.
func (f *File) place(span syntax.Span) shader.Span {
	at := f.shader.Source.Range(span)
	return shader.Span{
		Line: at.First.Line, Column: f.shader.Column(span.Start),
		EndLine: at.End.Line, EndColumn: f.shader.Column(span.End),
	}
}

// line is a line of the shader, from 1, without its end.
func (f *File) line(number int) string { return f.shader.Source.Slice(f.shader.Source.Line(number)) }

// certainty is how sure the rule is that found it; "" for what WGSL itself says.
func (f Finding) certainty() string {
	if f.Rule == nil {
		return ""
	}
	return f.Rule.Certainty.String()
}
