// Package wgsl is the front end as a whole: a shader's text becomes a tree whose
// every name and expression is understood, and a list of what is wrong with it.
//
// The stages are packages of their own: syntax reads, types resolves and checks,
// flow follows the control flow. This package runs them once, in order, and says
// what a host must know of a shader that is right.
package wgsl

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/flow"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// LanguageFeatures are what browsers and native implementations have had for years:
// a shader of the course may use them. Each engine may still refuse one.
const LanguageFeatures = types.UsualFeatures | types.FeatureUnrestrictedPointers | types.FeaturePointerCompositeAccess

// A Shader is one shader, read. It is read-only and safe for concurrent use.
type Shader struct {
	Source      *syntax.Source
	File        *syntax.File
	Info        *types.Info // nil where the text could not be parsed
	Diagnostics []*syntax.Diagnostic
}

// Read reads a shader. It takes any text; each later stage needs the one before
// to be content. The options say what beyond core WGSL there is.
func Read(name, text string, options types.Options) *Shader {
	s := &Shader{Source: syntax.NewSource(name, text)}
	s.File, s.Diagnostics = syntax.Parse(s.Source)
	if !s.Valid() {
		return s
	}
	var found []*syntax.Diagnostic
	s.Info, found = types.Check(s.File, options)
	s.Diagnostics = append(s.Diagnostics, flow.Behaviors(s.File)...)
	s.Diagnostics = append(s.Diagnostics, found...)
	if s.Valid() {
		s.Diagnostics = append(s.Diagnostics, flow.Check(s.Info, options)...)
	}
	return s
}

// Valid says whether the shader has no error.
func (s *Shader) Valid() bool { return !syntax.HasErrors(s.Diagnostics) }

// FirstError is the first error in the order of the text, those with the codes
// besides left out; nil where there is none.
func (s *Shader) FirstError(besides ...string) *syntax.Diagnostic {
	var first *syntax.Diagnostic
	for _, d := range s.Diagnostics {
		if d.Severity == syntax.Error && !slices.Contains(besides, d.Code) && (first == nil || d.Span.Start < first.Span.Start) {
			first = d
		}
	}
	return first
}

// Entry is the entry point of that name; nil where there is none.
func (s *Shader) Entry(name string) *types.EntryPoint {
	if s.Info == nil {
		return nil
	}
	for _, e := range s.Info.EntryPoints {
		if e.Object.Name == name {
			return e
		}
	}
	return nil
}
