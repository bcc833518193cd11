package judge

import (
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Look runs the small cases of an exercise on the watcher alone. It returns the errors that
// the watcher saw, which make source wrong whatever its values, including a loop that did
// not end; and if the shader can't run, the reason as a diagnosis. It does not compare
// values: that is for a check. An error means that the look failed, for example because the
// context ended.
func Look(ctx context.Context, watcher shader.Backend, exercise *course.Exercise, source *shader.Source, seed uint64) ([]findings.Finding, *verdict.Diagnosis, error) {
	r := &run{values: watcher, watcher: watcher, seed: seed, facts: facts{Facts: evidence.About(exercise, source)}}
	defer r.free()
	if d := unusable(source.File()); d != nil {
		return nil, d, nil
	}
	if mistake := r.Source.Mistake(); mistake != nil {
		return nil, r.notCompiled(mistake), nil
	}
	if err := r.Read(); err != nil {
		d, err := r.refused(verdict.StageCompile, err)
		return nil, d, err
	}
	cases := exercise.Draw(seed)
	for i, seen := range r.watch(ctx, cases) {
		if seen != nil {
			x, err := evidence.In(ctx, exercise, cases[i])
			if err != nil {
				return nil, nil, err
			}
			o := evidence.CaseRun{Case: cases[i], Seen: seen}
			o.Receive(*seen, x)
			r.Outcomes = append(r.Outcomes, o)
		}
	}
	if r.unwatched != nil {
		d, err := r.refused(verdict.StageCompile, r.unwatched)
		return nil, d, err
	}
	return r.wrongAnyway(), nil, nil
}

// wrongAnyway returns the findings that are never harmless, and the loop that the shader did not
// leave.
func (f *facts) wrongAnyway() []findings.Finding {
	for i, o := range f.Outcomes {
		seen := *o.Seen
		seen.Findings = f.Mistakes(o)
		if loop := evidence.Unfinished(o.Seen); loop != nil {
			seen.Findings = append(slices.Clip(seen.Findings), *loop)
		}
		f.Outcomes[i].Seen = &seen
	}
	if d := surplus(f); d != nil {
		return []findings.Finding{*f.firstBySurplus()} // the others follow from the missing guard
	}
	return f.findings()
}
