package evidence

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/engine/simulator"
	"github.com/wgslab/wgslab/internal/judge/expected"
	"github.com/wgslab/wgslab/internal/shader"
)

// PassToBlame returns the one pass of a wrong shader which makes every one of the wrong cases right
// when the reference's takes its place. The ok result is false if there is none, or more than one.
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
	return pass, ok
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
		before, err := f.before(ctx, pass, o.Case)
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

// before returns what the buffers of a case hold when the reference comes to a pass.
func (f *Facts) before(ctx context.Context, pass int, c course.Case) ([]course.Buffer, error) {
	if pass == 0 {
		return c.Buffers, nil
	}
	reference, err := f.Exercise.Standard()
	if err != nil {
		return nil, err
	}
	passes := f.Exercise.PassesOf(reference)
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
		return nil, fmt.Errorf("running the first %d passes of the reference, case %s: %w", pass, c.Name, err)
	}
	buffers := slices.Clone(c.Buffers)
	for i, l := range result.All() {
		buffers[written[i]] = l.Output
	}
	return buffers, nil
}

// run runs the shader in a case, watched, and compares what it leaves with what the reference does.
func (f *Facts) run(ctx context.Context, c course.Case) (*CaseRun, error) {
	right, err := expected.In(ctx, f.Exercise, c)
	if err != nil {
		return nil, err
	}
	program, err := f.Exercise.Compile(ctx, simulator.New(simulator.Options{}), f.Source)
	if err != nil {
		return nil, err
	}
	defer program.Free()
	d := f.Dispatch(c)
	d.Watch = true
	result, err := program.Run(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("running %s alone, case %s: %w", f.Exercise.Entry, c.Name, err)
	}
	o := &CaseRun{Case: c, Seen: &result}
	o.Receive(result, right)
	return o, nil
}
