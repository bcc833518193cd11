package wgsl

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// advise tries the fixes of the first error, the one that a learner is shown. It keeps the first
// that helps. If none does, the advice goes with them: it would only lead to the next error.
func (s *Shader) advise(options types.Options) {
	f := findings.FirstError(s.Findings)
	if f == nil || len(f.Fixes) == 0 {
		return
	}
	helps := slices.IndexFunc(f.Fixes, func(fix findings.Fix) bool { return s.helps(f, fix, options) })
	if helps < 0 {
		f.Hint, f.Fixes = "", nil
		return
	}
	fix := f.Fixes[helps]
	f.Fixes = []findings.Fix{fix}
	if fix.Hint != "" {
		f.Hint = fix.Hint
	}
}

// helps reports whether a fix leaves fewer errors. A later stage may then find errors that this one
// could not see; of those, none may be in the text that the fix changed.
func (s *Shader) helps(f *findings.Finding, fix findings.Fix, options types.Options) bool {
	text, err := findings.Apply(s.Source.Text, fix.Edits)
	if err != nil || text == s.Source.Text {
		return false
	}
	fixed := &Shader{Source: syntax.NewSource(s.Source.Name, text)}
	fixed.analyze(options)
	if s.stage() == fixed.stage() {
		return errorsIn(fixed.Findings) < errorsIn(s.Findings)
	}
	changed := changedBy(fix.Edits)
	return !slices.ContainsFunc(fixed.Findings, func(left *findings.Finding) bool {
		return left.IsError() && left.Span.Start <= changed.End && changed.Start <= left.Span.End
	})
}

// stage returns how many stages have run.
func (s *Shader) stage() int {
	switch {
	case s.Info == nil:
		return 1
	case !s.Valid():
		return 2
	}
	return 3
}

func errorsIn(list []*findings.Finding) (n int) {
	for _, f := range list {
		if f.IsError() {
			n++
		}
	}
	return n
}

// changedBy returns where the edits of a fix are, in the text after them.
func changedBy(edits []findings.Edit) findings.Span {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b findings.Edit) int { return int(a.Span.Start - b.Span.Start) })
	changed := findings.Span{Start: sorted[0].Span.Start}
	grown := int32(0)
	for _, e := range sorted {
		grown += int32(len(e.New)) - (e.Span.End - e.Span.Start)
		changed.End = e.Span.End + grown
	}
	return changed
}
