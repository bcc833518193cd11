package evidence

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// PassToBlame returns the one pass of a wrong shader which makes every one of the wrong cases right
// when the reference's takes its place. The ok result is false if there is none, or more than one.
// It is also false if the pass doesn't begin with what the reference's begins with: then its inputs
// are wrong, and the reference's pass may need others.
func (f *Facts) PassToBlame(ctx context.Context, wrong []CaseRun) (pass int, ok bool) {
	reference, err := f.Exercise.Standard()
	if err != nil || len(wrong) == 0 {
		return 0, false
	}
	for i, entry := range f.Exercise.Entries() {
		mixed := f.Exercise.PassesOf(f.Source)
		mixed[i] = reference.At(entry)
		if !f.mends(ctx, mixed, wrong) {
			continue
		}
		if ok {
			return 0, false
		}
		pass, ok = i, true
	}
	return pass, ok && f.beginsAlike(ctx, pass, wrong)
}

// beginsAlike reports whether a pass finds the same in the buffers that it uses as if the
// reference's passes had run before it, in all cases.
func (f *Facts) beginsAlike(ctx context.Context, pass int, cases []CaseRun) bool {
	if pass == 0 {
		return true
	}
	reference, err := f.Exercise.Standard()
	if err != nil {
		return false
	}
	used, err := f.Source.At(f.Exercise.Entries()[pass]).Used()
	if err != nil {
		return false
	}
	for _, o := range cases {
		mine, errMine := f.before(ctx, f.Source, pass, o.Case)
		due, errDue := f.before(ctx, reference, pass, o.Case)
		if errMine != nil || errDue != nil {
			return false
		}
		for _, b := range used {
			if i := int(b.Number); b.Group == 0 && i < len(mine) && !alike(mine[i], due[i]) {
				return false
			}
		}
	}
	return true
}

// alike reports whether two buffers hold the same, but for rounding.
func alike(a, b course.Buffer) bool {
	const rounding = 1e-3
	for i := range a.Len() {
		if x, y := a.At(i), b.At(i); !a.Same(i, b) && !(a.Element == shader.F32 && math.Abs(x-y) <= rounding*max(1, math.Abs(x), math.Abs(y))) {
			return false
		}
	}
	return true
}

// mends reports whether passes from several shaders leave the right values in all cases.
func (f *Facts) mends(ctx context.Context, passes []*shader.Source, cases []CaseRun) bool {
	program, err := shader.CompileAll(ctx, simulator.New(simulator.Options{}), passes)
	if err != nil {
		return false
	}
	defer program.Free()
	for _, o := range cases {
		d, err := f.Exercise.DispatchedEach(o.Case, passes)
		if err != nil {
			return false
		}
		result, err := program.Run(ctx, d)
		if err != nil || Unfinished(&result) != nil || Compare(result.Output, o.Want, o.Allowed).Wrong > 0 {
			return false
		}
		for i, l := range result.Also {
			if Compare(l.Output, o.Also[i].Want, o.Also[i].Allowed).Wrong > 0 {
				return false
			}
		}
	}
	return true
}

// OnlyPass returns what is known about one pass of a shader that starts, in each of the cases,
// where the reference's passes before it end. It returns nil if the pass leaves what the
// reference's does.
func (f *Facts) OnlyPass(ctx context.Context, pass int, cases []CaseRun) (*Facts, error) {
	var starts []course.Case
	for _, o := range cases {
		before, err := f.beforeRight(ctx, pass, o.Case)
		if err != nil {
			return nil, err
		}
		starts = append(starts, o.Case.OnlyPass(pass, before))
	}
	for _, output := range f.written() {
		filled := false
		for i, c := range starts {
			filled = filled || !bytes.Equal(c.Buffers[output].Bytes, cases[i].Buffers[output].Bytes)
		}
		one := About(f.Exercise.OnlyPass(pass, output, filled), f.Source)
		if err := one.Read(); err != nil {
			return nil, err
		}
		for _, c := range starts {
			alone, err := one.run(ctx, c)
			if err != nil {
				return nil, err
			}
			one.Outcomes = append(one.Outcomes, *alone)
		}
		for i := range one.Outcomes {
			if one.Outcomes[i].Difference.Wrong > 0 {
				one.Wrong = &one.Outcomes[i]
				one.Mismatch = FirstMismatch(one.Exercise, *one.Wrong)
				return &one, nil
			}
		}
	}
	return nil, nil
}

// written lists the bindings that passes may write, the exercise's outputs first.
func (f *Facts) written() []int {
	all := f.Exercise.Outputs()
	for i, b := range f.Exercise.Bindings {
		if b.Access == shader.ReadWrite && !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	return all
}

// beforeRight returns what the buffers of a case hold when the reference comes to a pass.
func (f *Facts) beforeRight(ctx context.Context, pass int, c course.Case) ([]course.Buffer, error) {
	reference, err := f.Exercise.Standard()
	if err != nil {
		return nil, err
	}
	return f.before(ctx, reference, pass, c)
}

// before returns what the buffers of a case hold when a shader comes to a pass.
func (f *Facts) before(ctx context.Context, source *shader.Source, pass int, c course.Case) ([]course.Buffer, error) {
	if pass == 0 {
		return c.Buffers, nil
	}
	passes := f.Exercise.PassesOf(source)
	d, err := f.Exercise.DispatchedEach(c, passes)
	if err != nil {
		return nil, err
	}
	program, err := shader.CompileAll(ctx, simulator.New(simulator.Options{}), passes[:pass])
	if err != nil {
		return nil, err
	}
	defer program.Free()
	written := f.written()
	d.Output, d.Also, d.Later = written[0], written[1:], d.Later[:pass-1]
	result, err := program.Run(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("running the first %d passes of %s, case %s: %w", pass, source.Name, c.Name, err)
	}
	buffers := slices.Clone(c.Buffers)
	for i, l := range result.All() {
		buffers[written[i]] = l.Output
	}
	return buffers, nil
}

func watched(d *shader.Dispatch) { d.Watch = true }

// run runs the shader in a case, watched, and compares what it leaves with what the reference does.
func (f *Facts) run(ctx context.Context, c course.Case) (*CaseRun, error) {
	right, err := In(ctx, f.Exercise, c)
	if err != nil {
		return nil, err
	}
	result, err := f.Exercise.RunOnce(ctx, simulator.New(simulator.Options{}), f.Source, c, watched)
	if err != nil {
		return nil, fmt.Errorf("running %s alone, case %s: %w", f.Exercise.Entry, c.Name, err)
	}
	o := &CaseRun{Case: c, Seen: &result}
	o.Receive(result, right)
	return o, nil
}
