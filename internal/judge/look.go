package judge

import (
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
)

// Look runs the small cases of an exercise on the watcher alone. It gives the errors
// that the watcher saw, which make source wrong whatever values come out, and a loop
// that was not left; of a shader that cannot be run, why. It says nothing of values:
// those are the check's. An error means that nobody could look, as when the context
// has ended.
func Look(ctx context.Context, watcher shader.Backend, exercise *lesson.Exercise, name, source string, seed uint64) ([]verdict.Finding, *verdict.Diagnosis, error) {
	r := &run{values: watcher, watcher: watcher, seed: seed, facts: facts{exercise: exercise}}
	defer r.free()
	if d := unusable(source); d != nil {
		return nil, d, nil
	}
	r.source = shader.Read(name, source)
	if mistake := r.source.Mistake(); mistake != nil {
		return nil, notCompiled(mistake), nil
	}
	if err := r.read(); err != nil {
		return nil, nil, err
	}
	cases := exercise.Draw(seed)
	for i, seen := range r.watch(ctx, cases) {
		if seen != nil {
			want := exercise.Reference(cases[i])
			r.outcomes = append(r.outcomes, outcome{
				Case: cases[i], want: want, got: seen.Output, seen: seen,
				difference: compare(seen.Output, want, exercise.Allowed(cases[i])),
			})
		}
	}
	if r.unwatched != nil {
		d, err := r.refused(verdict.StageCompile, r.unwatched)
		return nil, d, err
	}
	return r.wrongAnyway(), nil, nil
}

// wrongAnyway are the findings that nothing makes harmless, and the loop that was
// not left.
func (f *facts) wrongAnyway() []verdict.Finding {
	for i, o := range f.outcomes {
		seen := *o.seen
		seen.Findings = f.mistakes(o)
		if loop := unfinished(o.seen); loop != nil {
			seen.Findings = append(slices.Clip(seen.Findings), *loop)
		}
		f.outcomes[i].seen = &seen
	}
	return f.findings()
}
