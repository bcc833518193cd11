package judge

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
)

// refused turns an error of the engine into a diagnosis, when it is the
// shader's.
func (r *run) refused(stage verdict.Stage, err error) (*verdict.Diagnosis, error) {
	var compile *shader.CompileError
	var bind *shader.BindError
	var endless *shader.EndlessError
	var deadline *shader.DeadlineError
	switch {
	case errors.As(err, &compile):
		return notCompiled(compile), nil
	case errors.As(err, &bind):
		return &verdict.Diagnosis{Stage: verdict.StageBind, Slug: "binding", Message: verdict.Sentence(bind.Message)}, nil
	case errors.As(err, &endless):
		return neverLeft(endless), nil
	case errors.As(err, &deadline) && deadline.Compiling:
		return TooMuchToCompile(fmt.Sprintf("The compiler did not get through the shader within %v.", deadline.Deadline)), nil
	case errors.As(err, &deadline) && stage != verdict.StageCompile: // then an earlier shader has lost the device
		return r.ranTooLong(deadline), nil
	}
	return nil, fmt.Errorf("checking %s (%s): %w", r.exercise.ID, stage, err)
}

func notCompiled(e *shader.CompileError) *verdict.Diagnosis {
	known := lessonOf(e.Code)
	if e.Code == shader.EngineRefuses {
		return engineRefuses(e, known)
	}
	return &verdict.Diagnosis{
		Stage: known.stage, Slug: known.slug, Message: verdict.Sentence(e.Message), Try: e.Hint, Why: known.why, Ask: known.ask,
		Line: e.Line, Column: e.Column, Excerpt: e.Excerpt(), Detail: e.Detail,
	}
}

// engineRefuses: the compiler's own words come last, for whoever can read them.
func engineRefuses(e *shader.CompileError, known compilerLesson) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: known.stage, Slug: known.slug, Why: known.why,
		Message: "WGSL allows this, but the compiler of this adapter's driver does not take it.",
		Try:     "Write every number with its type (`0.0`, `0u`), and every conversion and zero value (`vec2<u32>()`) out: then all of them do.",
		Line:    e.Line, Column: e.Column, Excerpt: e.Excerpt(), Detail: strings.TrimSpace(e.Message + "\n" + e.Detail),
	}
}

func neverLeft(e *shader.EndlessError) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: verdict.DidNotFinish,
		Message: fmt.Sprintf("The shader did not finish: the loop on line %d has no `break` and no `return`, so no invocation can ever leave it.", e.Line),
		Ask:     "What has to become true for the loop to end, and who changes it?",
		Line:    e.Line, Column: e.Column,
	}
}

// TooMuchToCompile is the diagnosis of a shader of which a compiler makes so much
// that it was stopped.
func TooMuchToCompile(message string) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageCompile, Slug: verdict.TooMuchToCompile,
		Message: message,
		Why:     "The usual cause: WGSL has no recursion, so that compilers copy each function into every place that calls it: two calls in each of thirty functions make a thousand million copies.",
		Ask:     "Can a loop do what the many calls do?",
	}
}

// ranTooLong names the loop, where the watcher went round it too.
func (f *facts) ranTooLong(e *shader.DeadlineError) *verdict.Diagnosis {
	if f.stuck != nil {
		return f.neverEnds()
	}
	return unending(fmt.Sprintf("The shader did not finish within %v.", e.Deadline))
}

// neverEnds is the loop that the watcher did not come out of.
func (f *facts) neverEnds() *verdict.Diagnosis {
	d := unending(verdict.Sentence(f.stuck.Message))
	f.point(d, f.stuck)
	return d
}

func unending(message string) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: verdict.DidNotFinish, Message: message,
		Why: "An invocation that never ends keeps its whole workgroup, and the device, busy. The usual cause is a loop whose condition never changes.",
		Ask: "Which variable does the loop condition look at, and where does it change?",
	}
}
