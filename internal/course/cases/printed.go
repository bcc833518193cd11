package cases

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/printing"
)

// PrintsAfterCheck returns what the comments in a checked shader show: in a case that failed if any
// did, and the one of the verdict's table if it shows as much as others.
func PrintsAfterCheck(ctx context.Context, e *course.Exercise, source *shader.Source, v *verdict.Verdict) []view.View {
	shown := ""
	if v.Mismatch != nil {
		shown = v.Mismatch.Case
	}
	failed := func(c course.Case) bool {
		return slices.ContainsFunc(v.Cases, func(r verdict.CaseResult) bool { return r.Name == c.Name && !r.Pass })
	}
	return printsOf(ctx, e, source, v.Seed, telling(e.Draw(v.Seed), failed, shown))
}

// PrintsAtFirstSight returns what the comments in a shader show before any check.
func PrintsAtFirstSight(ctx context.Context, e *course.Exercise, source *shader.Source, seed uint64) []view.View {
	return printsOf(ctx, e, source, seed, telling(e.Draw(seed), func(course.Case) bool { return false }, ""))
}

// telling names the case whose picture shows most. If some have failed, it is the shown one or the
// first, unless another one has several elements where they have one. If none has, it is the
// smallest with rows and columns: a grid that can be read. Without rows it is "", for the first
// case with work for a whole workgroup.
func telling(cases []course.Case, failed func(course.Case) bool, shown string) string {
	wrong := slices.DeleteFunc(slices.Clone(cases), func(c course.Case) bool { return !failed(c) })
	if len(wrong) > 0 {
		rank := func(c course.Case) (n int) {
			if spreads(c) {
				n = 2
			}
			if c.Name == shown {
				n++
			}
			return n
		}
		return slices.MaxFunc(wrong, func(a, b course.Case) int { return cmp.Compare(rank(a), rank(b)) }).Name
	}
	grids := slices.DeleteFunc(slices.Clone(cases), func(c course.Case) bool { return c.Extent[1] == 0 || !spreads(c) })
	if len(grids) == 0 {
		return ""
	}
	return slices.MinFunc(grids, func(a, b course.Case) int { return cmp.Compare(a.Covered(), b.Covered()) }).Name
}

// spreads reports whether a case has several elements in each direction.
func spreads(c course.Case) bool { return !slices.Contains(c.Extent[:], 1) }

func printsOf(ctx context.Context, e *course.Exercise, source *shader.Source, seed uint64, name string) []view.View {
	if e.IsOnHost() || e.Break != nil {
		return nil
	}
	printed, err := printing.Run(ctx, source, func(marked *shader.Source) (*debug.Target, error) {
		target, err := TargetOf(e, marked, seed, name)
		if err == nil {
			target.Title += fmt.Sprintf(", seed %d", seed) // another seed, other numbers
		}
		return target, err
	})
	if err != nil {
		return nil // the check says what is wrong
	}
	return printing.Views(printed)
}
