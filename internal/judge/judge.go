// Package judge runs one shader against one exercise and says whether it is
// right; where it is not, it says why, as far as anybody can know. It knows any
// engine by the contract in package shader alone: no cgo, no display, no files.
package judge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/tensor"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// FreshSeed draws the seed of a check. It stays below 2^32, so that it can be
// typed and survives a JSON reader that knows only float64.
func FreshSeed() uint64 { return uint64(rand.Uint32()) }

// Run checks source, in the file name, against an exercise on a backend, with
// the cases that seed draws. A wrong shader is a Verdict; an error means that
// nothing could be judged, as when the context has ended.
func Run(ctx context.Context, backend shader.Backend, exercise *lesson.Exercise, name, source string, seed uint64) (*verdict.Verdict, error) {
	started := time.Now()
	v := &verdict.Verdict{
		Exercise: exercise.ID, Adapter: backend.Adapter().String(), Seed: seed,
		ShaderSHA256: verdict.Digest(source), Cases: []verdict.CaseResult{},
	}
	r := &run{backend: backend, facts: facts{exercise: exercise}}
	d, err := r.check(ctx, name, source, exercise.Draw(seed))
	for _, o := range r.outcomes {
		v.Cases = append(v.Cases, caseResult(o))
	}
	if d == nil {
		v.Pass(fmt.Sprintf("Right in all %d cases.", len(v.Cases)))
	} else {
		v.Fail(*d)
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return v, err
}

// run is one check under way.
type run struct {
	backend shader.Backend
	facts
}

// facts are what is known of a shader. Each rule looks at them.
type facts struct {
	exercise  *lesson.Exercise
	source    *shader.Source
	shader    *wgsl.Shader
	module    *wgsl.Module      // what the shader declares
	entry     *types.EntryPoint // its main
	size      [3]uint32         // of a workgroup
	outcomes  []outcome
	reordered [][]outcome // the same cases, with the invocations in other orders

	wrong    *outcome          // the first case that is not right; nil when all are
	mismatch *verdict.Mismatch // its first wrong element; nil when there is none
}

// outcome is what one case came to.
type outcome struct {
	lesson.Case
	want, got  lesson.Buffer
	difference tensor.Difference
	beyond     []int // indices past the output's end that were written
	findings   []shader.Finding
}

func (o outcome) right() bool { return o.difference.Wrong == 0 && len(o.beyond) == 0 }

// check is the way of a shader: nil when it came to the end of it.
func (r *run) check(ctx context.Context, name, text string, cases []lesson.Case) (*verdict.Diagnosis, error) {
	if d := unusable(text); d != nil {
		return d, nil
	}
	r.source = shader.Read(name, text)
	plain, err := r.backend.Compile(ctx, r.source)
	if err != nil {
		return r.refused(verdict.StageCompile, err)
	}
	defer plain.Free()
	if err := r.read(); err != nil {
		return nil, err
	}
	// The first case runs as the host will run the shader later, with nothing
	// added: mistakes in the bindings show here.
	if _, err := plain.Run(ctx, r.dispatch(cases[0], cases[0].Buffers)); err != nil {
		return r.refused(verdict.StageBind, err)
	}
	guarded, err := r.guard(ctx, r.source, plain)
	if err != nil {
		return nil, err
	}
	defer guarded.free()
	for _, c := range cases {
		o, err := r.runCase(ctx, guarded, c)
		if err != nil {
			return r.refused(verdict.StageRun, err)
		}
		r.outcomes = append(r.outcomes, o)
	}
	return r.judge(ctx)
}

// unusable: a file that is no shader at all, or far too large for one.
func unusable(text string) *verdict.Diagnosis {
	switch {
	case len(text) > shader.MaxSource:
		return &verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "too-large", Message: fmt.Sprintf("The file is larger than %d KiB; a shader of this course has two or three.", shader.MaxSource>>10)}
	case strings.TrimSpace(text) == "":
		return &verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "empty", Message: "The file is empty.", Ask: "Did the cell with the shader run, and was it saved?"}
	}
	return nil
}

// read reads what the shader declares; it has compiled.
func (r *run) read() error {
	var err error
	if r.module, err = r.source.Module(); err != nil {
		return fmt.Errorf("reading the declarations of %s: %w", r.source.Name, err)
	}
	entry, _ := r.module.Entry(shader.EntryPoint)
	r.shader, r.size = r.source.Shader(), entry.WorkgroupSize
	r.entry = r.shader.Entry(shader.EntryPoint)
	return nil
}

func (r *run) dispatch(c lesson.Case, buffers []lesson.Buffer) shader.Dispatch {
	return shader.Dispatch{Workgroups: r.workgroups(c), Buffers: buffers, Output: r.exercise.Output}
}

func (f *facts) workgroups(c lesson.Case) [3]uint32 {
	return f.exercise.Dispatch.Workgroups(c.Extent, f.size)
}

func (r *run) runCase(ctx context.Context, program *guardedProgram, c lesson.Case) (outcome, error) {
	o, err := program.run(ctx, r.dispatch(c, c.Buffers), c)
	if err != nil {
		return outcome{}, err
	}
	o.want = r.exercise.Reference(c)
	o.difference = compare(o.got, o.want, r.exercise.Allowed(c))
	return o, nil
}

func compare(got, want lesson.Buffer, tolerance tensor.Tolerance) tensor.Difference {
	if want.Element == shader.U32 {
		return tensor.Compare(got.Uints(), want.Uints(), tolerance)
	}
	return tensor.Compare(got.Floats(), want.Floats(), tolerance)
}

func caseResult(o outcome) verdict.CaseResult {
	c := verdict.CaseResult{Name: o.Name, Pass: o.right(), MaxAbsErr: verdict.Number(o.difference.MaxAbs)}
	if i := o.difference.First; i >= 0 {
		c.FirstMismatch = &verdict.Element{Index: i, Want: verdict.Number(o.want.At(i)), Got: verdict.Number(o.got.At(i))}
	}
	return c
}
