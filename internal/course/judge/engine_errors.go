package judge

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// refused turns an error of the engine into a diagnosis if the shader caused it.
func (r *run) refused(stage verdict.CheckStage, err error) (*verdict.Diagnosis, error) {
	var compile *shader.CompileError
	var bind *shader.BindError
	var endless *shader.EndlessError
	var deadline *shader.DeadlineError
	switch {
	case errors.As(err, &compile):
		return r.notCompiled(compile), nil
	case errors.As(err, &bind) && !course.Begun(r.Source):
		return r.stub(verdict.StageBind, "Nothing is written yet: some of the host's buffers have no declaration."), nil
	case errors.As(err, &bind):
		return r.misfit(bind), nil
	case errors.As(err, &endless):
		return neverLeft(endless), nil
	case errors.As(err, &deadline) && deadline.Compiling:
		return TooMuchToCompile(fmt.Sprintf("The compiler did not finish the shader within %v.", deadline.Deadline)), nil
	case errors.As(err, &deadline) && stage != verdict.StageCompile: // at StageCompile, an earlier shader has lost the device
		return r.ranTooLong(deadline), nil
	}
	return nil, fmt.Errorf("checking %s (%s): %w", r.Exercise.ID, stage, err)
}

// notCompiled shows the mistake and, if its reason is on another line, that line too.
func (f *facts) notCompiled(e *shader.CompileError) *verdict.Diagnosis {
	known := lessonOf(e.Kind)
	switch {
	case e.Kind == findings.EngineRefuses:
		return engineRefuses(e, known)
	case e.Kind == findings.NoEntryPoint && !course.Begun(f.Source):
		return f.stub(known.stage, "Nothing is written yet: there is no entry point.")
	}
	d := &verdict.Diagnosis{Stage: known.stage, Slug: known.slug, Message: english.Sentence(e.Message), Try: e.Hint, Why: known.why, Ask: known.ask, Detail: e.Detail}
	if e.Kind == findings.NoEntryPoint && f.InPasses() {
		d.Why = fmt.Sprintf("The host starts the functions %s, one after the other, and looks for @compute @workgroup_size(…) before each.", strings.Join(f.Exercise.Entries(), ", "))
	}
	f.point(d, &e.Finding)
	f.undeclared(d, e)
	return d
}

// undeclared says of a name that isn't declared that the host gives a buffer of that name: some
// skeletons leave its declaration to the learner.
func (f *facts) undeclared(d *verdict.Diagnosis, e *shader.CompileError) {
	line, ok := f.Source.Line(e.Line)
	if e.Kind != findings.UnknownName || !ok {
		return
	}
	for number, b := range f.Exercise.Bindings {
		if rest, found := strings.CutPrefix(line[min(len(line), e.Column-1):], b.Name); found && !startsWithLetter(rest) {
			d.Message = fmt.Sprintf("Your shader doesn't declare `%s`. The host gives it at @binding(%d).", b.Name, number)
			d.Why = "A binding connects a variable of your shader with one of the host's buffers. The number decides which; the name is yours."
			d.Try = "Declare it above the entry point: the task says its type, and whether the shader writes it."
		}
	}
}

// startsWithLetter reports whether a text goes on with a name.
func startsWithLetter(text string) bool {
	return text != "" && (text[0] == '_' || text[0] >= utf8.RuneSelf || unicode.IsLetter(rune(text[0])) || unicode.IsDigit(rune(text[0])))
}

// engineRefuses puts the compiler's own message last, for readers who understand it.
func engineRefuses(e *shader.CompileError, known compilerLesson) *verdict.Diagnosis {
	if e.Lacks {
		return &verdict.Diagnosis{
			Stage: known.stage, Slug: known.slug, Message: "WGSL allows this, but " + e.Message + ".", Try: "A GPU can run it: `wgslab doctor` says which adapters are here.",
			Region: e.Region, Excerpt: e.Excerpt(),
		}
	}
	return &verdict.Diagnosis{
		Stage: known.stage, Slug: known.slug, Why: known.why,
		Message: "WGSL allows this, but the compiler in this adapter's driver rejects it.",
		Try:     "Give every number its type (`0.0`, `0u`) and spell out every conversion and zero value (`vec2<u32>()`). Every compiler accepts that.",
		Region:  e.Region, Excerpt: e.Excerpt(), Detail: strings.TrimSpace(e.Message + "\n" + e.Detail),
	}
}

// behind says that a compiler does not take a part of WGSL, in its own words but shortened.
func behind(e *shader.CompileError, adapter shader.Adapter) string {
	if extension := strings.TrimSpace(e.Text); strings.HasPrefix(extension, "enable ") {
		return fmt.Sprintf("The driver of %s does not take `%s`, so the simulator judged your shader. It isn't timed.", adapter.Name, extension)
	}
	what, said, also := "this shader", "", ""
	if line := strings.TrimSpace(e.Text); line != "" {
		what = fmt.Sprintf("line %d, `%s`", e.Line, verdict.ShortCode(line, 60))
	}
	if !internalNumber.MatchString(e.Message) {
		said = "It says: " + english.Sentence(shortened(e.Message, 120)) + " "
	}
	if adapter.Backend != shader.BrowserBackend {
		also = " and browsers run it"
	}
	return fmt.Sprintf("The compiler of %s does not take %s. %sWGSL allows this%s, so the simulator judged your shader instead. It isn't timed.",
		adapter.Name, what, said, also)
}

// internalNumber is in messages about the compiler's own numbers for expressions, which say nothing
// to a learner.
var internalNumber = regexp.MustCompile(`\[\d+\]`)

// shortened returns the beginning of a text.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// misfit points to the declaration that doesn't fit.
func (f *facts) misfit(e *shader.BindError) *verdict.Diagnosis {
	d := &verdict.Diagnosis{Stage: verdict.StageBind, Slug: "binding", Message: english.Sentence(e.Message)}
	module, err := f.Source.Module()
	if err != nil {
		return d
	}
	for _, b := range module.Bindings {
		if int(b.Number) == e.Binding && b.Name == e.Name {
			f.point(d, &findings.Finding{Location: findings.Location{Region: nameOf(b)}})
		}
	}
	return d
}

func neverLeft(e *shader.EndlessError) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: verdict.DidNotFinish,
		Message: fmt.Sprintf("The shader did not finish: the loop on line %d has no `break` and no `return`, so no invocation can ever leave it.", e.Line),
		Ask:     "What has to become true for the loop to end, and which line makes it true?",
		Region:  findings.Region{Line: e.Line, Column: e.Column},
	}
}

// TooMuchToCompile is the diagnosis of a shader whose compilation grew so large that it was
// stopped.
func TooMuchToCompile(message string) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageCompile, Slug: verdict.TooMuchToCompile,
		Message: message,
		Why:     "Compilers usually copy a function into every place that calls it. If each of thirty functions calls the next one twice, that makes a billion copies.",
		Ask:     "Could a loop replace the many calls?",
	}
}

// ranTooLong diagnoses a missed deadline. It names the loop if the watcher was in it too.
func (f *facts) ranTooLong(e *shader.DeadlineError) *verdict.Diagnosis {
	if f.stuck != nil {
		return f.neverEnds()
	}
	return unending(fmt.Sprintf("The shader did not finish within %s.", e.Limit()))
}

// neverEnds diagnoses the loop that the watcher never left.
func (f *facts) neverEnds() *verdict.Diagnosis {
	d := unending(english.Sentence(f.stuck.Message))
	f.point(d, f.stuck)
	return d
}

func unending(message string) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: verdict.DidNotFinish, Message: message,
		Why: "An invocation that never ends blocks its whole workgroup and the device. The usual cause is a loop whose condition never changes.",
		Ask: "Which variable does the loop condition depend on, and where does it change?",
	}
}
