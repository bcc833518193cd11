package reasons

import (
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// narrowed returns a finder that looks at one pass only, if that pass alone makes the shader wrong.
// It starts where the reference's passes before it end, and should leave what the reference's pass
// leaves.
func (r *finder) narrowed(ctx context.Context) *finder {
	if !r.InPasses() || r.Shader == nil || r.Wrong == nil {
		return r
	}
	examples := r.examples()
	if slices.ContainsFunc(examples, byLuck) {
		return r // so would be the results with a pass of the reference
	}
	pass, ok := r.PassToBlame(ctx, examples)
	if !ok {
		return r
	}
	facts, err := r.OnlyPass(ctx, pass, r.watched())
	if err != nil || facts == nil {
		return r
	}
	return &finder{Input: Input{Facts: *facts, Passes: r.Passes}, pass: r.Exercise.Entries()[pass]}
}

// watched returns the cases that the simulator watched to their end.
func (r *finder) watched() []evidence.CaseRun {
	return slices.DeleteFunc(slices.Clone(r.Outcomes), func(o evidence.CaseRun) bool {
		return o.Seen == nil || evidence.Unfinished(o.Seen) != nil
	})
}

// blaming puts before the reasons, if they are about one pass, how that pass was found. A place in
// a function that other passes call as well becomes one in the pass itself, because those passes
// are right.
func (r *finder) blaming(all verdict.Reasons) verdict.Reasons {
	if r.pass == "" {
		return all
	}
	telling := r.Shader.Source.Region(r.telling())
	text := fmt.Sprintf("With the reference's `%s` in place of yours, every result is right. So the mistake is in `%s`.", r.pass, r.pass)
	if r.Exercise.IsTest { // the two may divide the work between their passes in another way
		text = fmt.Sprintf("With the reference's `%s` in place of yours, every result is right. So look at `%s` first.", r.pass, r.pass)
	}
	if len(all) == 0 || !all[0].Observed() {
		return append(verdict.Reasons{*r.reason(verdict.ByComputing, telling, text)}, all...)
	}
	seen := &all[0]
	seen.Text = text + " " + seen.Text
	if decl := r.Shader.Source.Region(r.Entry.Decl.Span()); seen.Line < decl.Line || decl.EndLine < seen.Line {
		seen.Region, seen.Excerpt, seen.Also = telling, r.excerpt(telling), nil
	}
	return all
}

// inPass reports whether a place is in the function of the pass that everything is about.
func (r *finder) inPass(at syntax.Span) bool {
	decl := r.Entry.Decl.Span()
	return decl.Start <= at.Start && at.End <= decl.End
}
