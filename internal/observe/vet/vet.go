// Package vet reads a shader without running it and reports what it finds: errors that make the
// shader invalid, and legal code that is probably a mistake. Text, JSON and SARIF format the same
// findings.
package vet

import (
	"cmp"
	"slices"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Report is one shader with its findings.
type Report struct {
	Name     string // as reports show it
	Findings []*findings.Finding
	Unread   bool // the file could not be read
	Tested   bool // the findings are what tests of the shader found, and not what vet did

	shader   *wgsl.Shader
	variants []*Report // of which this is what they have together
	in       map[*findings.Finding][]string
	lacks    []lack
}

// A lack is a name that a shader lacks: its host sets it, or a branch or another file has it.
type lack struct {
	name string
	host bool
}

// Read reads one shader. It accepts any text. The findings are in source order; the
// rules for legal code run only if there is no error.
func Read(name, text string) *Report { return Of(shader.Read(name, text)) }

// Unread returns a file that could not be read, with one finding that says why. So a report that
// leaves it out never looks complete.
func Unread(name string, why error) *Report {
	f := &Report{Name: name, Unread: true, shader: wgsl.Read(name, "", types.Options{})}
	f.Findings = []*findings.Finding{{Kind: findings.Unreadable, Message: why.Error(), Location: findings.Location{Region: f.region(findings.Span{})}}}
	return f
}

// Tested returns a shader with what its tests found wrong. A finding without a place is about the
// first line.
func Tested(source *shader.Source, found []*findings.Finding) *Report {
	f := &Report{Name: source.Name, Findings: found, Tested: true, shader: source.Shader()}
	for _, one := range found {
		if one.Line == 0 {
			one.Location = findings.Location{Region: f.region(findings.Span{})}
		}
	}
	return f
}

// Of is like Read, for a shader that was read already.
func Of(source *shader.Source) *Report {
	f := &Report{Name: source.Name, shader: source.Shader()}
	f.Findings = slices.Clone(f.shader.Findings)
	if f.shader.Valid() {
		f.Findings = append(f.Findings, analysis.Analyze(f.shader.Info)...)
		f.Findings = append(f.Findings, prints.Check(f.shader.Info)...)
	}
	// An included file serves several shaders, and each uses some of its bindings.
	f.Findings = slices.DeleteFunc(f.Findings, func(found *findings.Finding) bool { return found.Kind == findings.UnusedBinding && found.File != "" })
	f.sort()
	return f
}

// Add adds what others found in the shader.
func (f *Report) Add(found []*findings.Finding) {
	for _, worse := range found { // an error about a target says more than that some device is too small
		if worse.Kind == findings.TargetLacks && worse.IsError() {
			f.Findings = slices.DeleteFunc(f.Findings, func(f *findings.Finding) bool { return f.Kind == findings.LimitExceeded && f.Span == worse.Span })
		}
	}
	f.Findings = append(f.Findings, found...)
	f.sort()
}

func (f *Report) sort() {
	slices.SortStableFunc(f.Findings, func(a, b *findings.Finding) int { return int(a.Span.Start) - int(b.Span.Start) })
}

// Valid reports whether the file was read and nothing in it is an error, in any variant.
func (f *Report) Valid() bool {
	invalid := func(v *Report) bool { return !v.Valid() }
	return !f.Unread && !findings.HasErrors(f.Findings) && !slices.ContainsFunc(f.variants, invalid)
}

// Shader returns what the front end read.
func (f *Report) Shader() *wgsl.Shader { return f.shader }

// Excerpt returns the line of a region with carets, or the first line if the region has several.
func (f *Report) Excerpt(r findings.Region) string {
	shader := f.shader
	for _, v := range f.variants { // another one may include other files
		if file := v.shader.Source.File(r.File); r.File != "" && file.Name == r.File {
			shader = v.shader
		}
	}
	return r.Excerpt(plaintext.OneLine(shader.Source.WrittenLine(r)))
}

// file returns the name of the file that a region is in.
func (f *Report) file(r findings.Region) string { return cmp.Or(r.File, f.Name) }

func (f *Report) region(span findings.Span) findings.Region { return f.shader.Source.Region(span) }
