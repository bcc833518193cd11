// Package check runs one shader against one exercise and says whether it is
// right; where it is not, it says why, as far as anybody can know.
package check

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/tensor"
	"github.com/wgslab/wgslab/pkg/wgsl"
)

// MaxSource bounds a shader, in bytes. The reference shaders have about 1,000.
const MaxSource = 256 << 10

// Run checks source, in the file name, against an exercise on a backend, with
// the cases that seed draws. A wrong shader is a Verdict; an error means that
// nothing could be judged.
func Run(backend Backend, exercise *lesson.Exercise, name, source string, seed uint64) (*Verdict, error) {
	started := time.Now()
	r := &run{
		backend: backend, exercise: exercise, name: name, source: source,
		verdict: &Verdict{
			Exercise: exercise.ID, Adapter: backend.Adapter(), Seed: seed,
			ShaderSHA256: Digest(source), Cases: []CaseResult{},
		},
	}
	err := r.check(exercise.Draw(seed))
	r.verdict.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return r.verdict, err
}

// Digest is the SHA-256 of a shader, in hexadecimal.
func Digest(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:])
}

// run is one check under way.
type run struct {
	backend   Backend
	exercise  *lesson.Exercise
	name      string
	source    string
	verdict   *Verdict
	module    *wgsl.Module // what the shader declares
	functions *wgsl.Functions
	size      [3]uint32
	outcomes  []outcome
	reordered [][]outcome // the same cases, with the invocations in other orders
}

// outcome is what one case came to.
type outcome struct {
	lesson.Case
	want, got  lesson.Buffer
	difference tensor.Difference
	beyond     []int // indices past the output's end that were written
}

func (o outcome) right() bool { return o.difference.Wrong == 0 && len(o.beyond) == 0 }

func (r *run) check(cases []lesson.Case) error {
	switch {
	case len(r.source) > MaxSource:
		r.fail(StageCompile, "too-large", fmt.Sprintf("The file is larger than %d KiB; a shader of this course has two or three.", MaxSource>>10))
		return nil
	case strings.TrimSpace(r.source) == "":
		r.fail(StageCompile, "empty", "The file is empty.")
		r.verdict.Ask = "Did the cell with the shader run, and was it saved?"
		return nil
	}
	plain, err := r.backend.Compile(r.name, r.source)
	if err != nil {
		return r.failed(StageCompile, err)
	}
	defer plain.Free()
	r.size = plain.WorkgroupSize()
	r.functions = wgsl.ReadFunctions(r.source)
	if r.divergent() || r.refusedElsewhere() {
		return nil
	}
	// The first case runs as the host will run the shader later, with nothing
	// added: mistakes in the bindings show here.
	if _, err := plain.Run(r.workgroups(cases[0]), cases[0].Buffers, r.exercise.Output); err != nil {
		return r.failed(StageBind, err)
	}
	if r.module, err = wgsl.Parse(r.source); err != nil {
		return fmt.Errorf("reading the declarations of %s: %w", r.name, err)
	}
	guarded, err := guard(r.backend, r.exercise, r.name, r.source, r.module, plain)
	if err != nil {
		return err
	}
	defer guarded.free()
	for _, c := range cases {
		o, err := r.runCase(guarded, c)
		if err != nil {
			return r.failed(StageRun, err)
		}
		r.outcomes = append(r.outcomes, o)
		r.verdict.Cases = append(r.verdict.Cases, caseResult(o))
	}
	if err := r.judge(); err != nil {
		return r.failed(StageRun, err)
	}
	return nil
}

func (r *run) workgroups(c lesson.Case) [3]uint32 {
	return r.exercise.Dispatch.Workgroups(c.Extent, r.size)
}

func (r *run) runCase(program *guardedProgram, c lesson.Case) (outcome, error) {
	got, beyond, err := program.run(r.workgroups(c), c)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{Case: c, want: r.exercise.Reference(c), got: got, beyond: beyond}
	o.difference = compare(o.got, o.want, r.exercise.Allowed(c))
	return o, nil
}

func compare(got, want lesson.Buffer, tolerance tensor.Tolerance) tensor.Difference {
	if want.U32 != nil {
		return tensor.Compare(got.U32, want.U32, tolerance)
	}
	return tensor.Compare(got.F32, want.F32, tolerance)
}

// failed turns an error of the backend into a verdict, when it is the shader's.
func (r *run) failed(stage Stage, err error) error {
	var compile *gpu.CompileError
	var bind *gpu.BindError
	var endless *gpu.EndlessError
	var deadline *gpu.DeadlineError
	switch {
	case errors.As(err, &compile):
		r.failCompile(compile)
	case errors.As(err, &bind):
		r.fail(StageBind, "binding", sentence(bind.Message))
	case errors.As(err, &endless):
		r.fail(StageRun, "did-not-finish", fmt.Sprintf("The shader did not finish: the loop on line %d has no `break` and no `return`, so no invocation can ever leave it.", endless.Line))
		r.verdict.Line, r.verdict.Column = endless.Line, endless.Column
		r.verdict.Ask = "What has to become true for the loop to end, and who changes it?"
	case errors.As(err, &deadline) && deadline.What == "compiling "+r.name:
		r.fail(StageCompile, "too-much-to-compile", fmt.Sprintf("The compiler did not get through the shader within %v.", deadline.Deadline))
		r.verdict.Why = "The usual cause: WGSL has no recursion, so that compilers copy each function into every place that calls it: two calls in each of thirty functions make a thousand million copies."
		r.verdict.Ask = "Can a loop do what the many calls do?"
	case errors.As(err, &deadline) && stage != StageCompile: // then an earlier shader has lost the device
		r.fail(StageRun, "did-not-finish", fmt.Sprintf("The shader did not finish within %v.", deadline.Deadline))
		r.verdict.Why = "An invocation that never ends keeps its whole workgroup, and the device, busy. The usual cause is a loop whose condition never changes."
		r.verdict.Ask = "Which variable does the loop condition look at, and where does it change?"
	default:
		return fmt.Errorf("checking %s (%s): %w", r.exercise.ID, stage, err)
	}
	return nil
}

func (r *run) failCompile(e *gpu.CompileError) {
	r.fail(StageCompile, "", sentence(e.Message))
	r.verdict.Line, r.verdict.Column = e.Line, e.Column
	r.verdict.Excerpt, r.verdict.Detail = e.Excerpt(), e.Detail
	if known, ok := explain(e); ok {
		r.fail(StageCompile, known.slug, sentence(known.message(e.Message)))
		r.verdict.Why = known.why
	}
}

func (r *run) fail(stage Stage, diagnosis, message string) {
	v := r.verdict
	v.Outcome, v.Stage, v.Diagnosis, v.Message = Fail, stage, diagnosis, message
}
