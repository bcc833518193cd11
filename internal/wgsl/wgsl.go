// Package wgsl is the whole front end. It turns a shader's text into a tree with every name and
// expression resolved, and a list of findings.
//
// Each stage is a package: syntax parses, types resolves and checks, flow analyses the control
// flow. This package runs each of them once, in order, and describes a valid shader to its host.
package wgsl

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// LanguageFeatures are the language features that shaders may use: those that browsers and native
// implementations have had for years, and those of subgroups. An engine may still refuse one.
const LanguageFeatures = types.UsualFeatures | types.FeatureUnrestrictedPointers | types.FeaturePointerCompositeAccess |
	types.FeatureSubgroupID | types.FeatureSubgroupUniformity

// Features are the language features and every extension. A shader that enables an extension says
// itself that its device has it.
const Features = LanguageFeatures | types.AllExtensions

// A Shader is a shader that the front end has read. It is read-only and safe for concurrent use.
type Shader struct {
	Source   *syntax.Source
	File     *syntax.TranslationUnit
	Info     *types.Info // nil where the text could not be parsed
	Findings []*findings.Finding
}

// Read runs the whole front end on a shader. Package assist alone runs only the stages that it
// needs, because it answers while somebody types. Read accepts any text. Each later stage runs only
// if the previous one found no error. The options list the features beyond core WGSL.
func Read(name, text string, options types.Options) *Shader {
	return ReadSource(syntax.NewSource(name, text), options)
}

// ReadSource works like Read for a source, which may be an expanded one.
func ReadSource(source *syntax.Source, options types.Options) *Shader {
	s := &Shader{Source: source}
	s.analyze(options)
	s.advise(options)
	s.Source.Locate(s.Findings...)
	return s
}

func (s *Shader) analyze(options types.Options) {
	s.File, s.Findings = syntax.Parse(s.Source)
	if !s.Valid() {
		return
	}
	s.Findings = append(s.Findings, analysis.Behaviors(s.File)...)
	info, found := types.Check(s.File, options)
	s.Info, s.Findings = info, append(s.Findings, found...)
	if s.Valid() {
		s.Findings = append(s.Findings, analysis.Check(s.Info, options)...)
	}
}

// Valid reports whether the shader has no error.
func (s *Shader) Valid() bool { return !findings.HasErrors(s.Findings) }

// Unrunnable returns the errors that keep the shader from running. It leaves out the rule that all
// invocations must reach barriers and the like together (§ 15.2). An engine that watches can run a
// shader that breaks only this rule, and show the consequences.
func (s *Shader) Unrunnable() []*findings.Finding {
	return slices.DeleteFunc(slices.Clone(s.Findings), func(f *findings.Finding) bool {
		return !f.IsError() || f.Kind == findings.NonUniformControlFlow || f.Kind == findings.NonUniformSubgroup || f.Kind == findings.NonUniformValue
	})
}

// Entry returns the entry point with the given name, or nil.
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
