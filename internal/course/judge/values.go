package judge

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// untouched diagnoses a shader that left its output as it was: the learner has not begun, or works
// on a copy.
func untouched(f *facts) *verdict.Diagnosis {
	for _, o := range f.Outcomes {
		for i, output := range f.Exercise.Outputs() {
			if writtenUpTo(o.All()[i].Got, o.Buffers[output]) > 0 {
				return nil
			}
		}
	}
	if _, beyond := f.FirstOf(findings.OutOfBoundsWrite); beyond != nil {
		return nil
	}
	if f.changesNumbers() {
		return nil // it writes NaN where NaN was
	}
	if f.Exercise.IsTest || course.Begun(f.Source) {
		return f.unchanged()
	}
	return f.stub(verdict.StageCompare, fmt.Sprintf("Nothing is written yet: `%s` is as it was before the run.", f.Output().Name))
}

// changesNumbers reports whether the shader changes an output in its smallest case once that holds
// numbers in the places of NaNs.
func (f *facts) changesNumbers() bool {
	smallest := slices.MinFunc(f.Outcomes, func(a, b evidence.CaseRun) int { return cmp.Compare(f.Work(a.Case), f.Work(b.Case)) })
	filled := withoutNaN(smallest.Case)
	result, err := f.watchAgain(filled)
	if err != nil {
		return false
	}
	outputs := f.Exercise.Outputs()
	for i, left := range result.All() {
		if writtenUpTo(left.Output, filled.Buffers[outputs[i]]) > 0 {
			return true
		}
	}
	return false
}

// stub diagnoses a shader that the learner has not begun.
func (f *facts) stub(stage verdict.CheckStage, message string) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: stage, Slug: verdict.Stub, Message: message, Ask: "The task: " + f.Exercise.Task}
}

func (f *facts) unchanged() *verdict.Diagnosis {
	name := "`" + f.Output().Name + "`"
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "unchanged",
		Message: fmt.Sprintf("Your shader ran, but it left %s unchanged.", name),
		Why:     "Either no invocation assigns to " + name + ", or each of them writes the very value that it has read. A new value that stays in a variable is lost when the invocation ends.",
		Ask:     "Which line gives an element of " + name + " another value than it had?",
	}
}

// writtenUpTo returns the index after the last element that changed.
func writtenUpTo(got, before course.Buffer) int {
	n := before.Len()
	for n > 0 && got.Same(n-1, before) {
		n--
	}
	return n
}

// fixedLength diagnoses a shader that is right up to the same index in every case and writes
// nothing from there on. A single length doesn't show that it is fixed.
func fixedLength(f *facts) *verdict.Diagnosis {
	fixed, lengths := 0, map[int]bool{}
	for _, o := range f.Outcomes {
		lengths[o.Want.Len()] = true
		if first := f.dropping(o).Difference.First; first >= 0 && (first == 0 || fixed > 0 && first != fixed) {
			return nil
		} else if first > 0 {
			fixed = first
		}
	}
	if len(lengths) < 2 {
		return nil
	}
	for _, o := range f.Outcomes {
		if writtenUpTo(f.dropping(o).Got, o.Buffers[f.Exercise.Output]) > fixed || slices.ContainsFunc(f.Writers(o), func(place [3]int) bool { return place[0] >= fixed }) {
			return nil
		}
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "fixed-length", Mismatch: f.Mismatch,
		Message: fmt.Sprintf("Only the first %d elements of `%s` are ever written, however long it is.", fixed, f.Output().Name),
		Why:     "The host decides how many elements there are, and each case has a different number. A number written into the shader fails as soon as an array is longer.",
		Ask:     fmt.Sprintf("Where does the %d come from, and where can your shader find the real length?", fixed),
	}
}

// dropping returns an evidence.CaseRun with the watcher's values, where out-of-bounds writes have
// no effect. A browser's WebGPU redirects them to an existing element.
func (f *facts) dropping(o evidence.CaseRun) evidence.CaseRun {
	if o.Seen == nil || evidence.Unfinished(o.Seen) != nil || !slices.ContainsFunc(o.Seen.Findings, func(found findings.Finding) bool {
		return found.Kind == findings.OutOfBoundsWrite
	}) {
		return o
	}
	o.Got = o.Seen.Output
	o.Difference = evidence.Compare(o.Got, o.Want, o.Allowed)
	return o
}

// constantOutput diagnoses a shader that gives every element of every case the same value. Of a
// single case, that says nothing.
func constantOutput(f *facts) *verdict.Diagnosis {
	if len(f.Outcomes) < 2 {
		return nil
	}
	value := f.Outcomes[0].Got.At(0)
	for _, o := range f.Outcomes {
		for i := range o.Got.Len() {
			if o.Got.At(i) != value {
				return nil
			}
		}
	}
	d := &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "constant", Mismatch: f.Mismatch,
		Message: fmt.Sprintf("Every element is %s, in every case.", numeric.JSONNumber(value)),
		Why:     "Your result doesn't depend on any input. The check draws new cases every time, so no single answer fits them all.",
		Ask:     "Which values should go into `" + f.Output().Name + "`?",
	}
	if f.Exercise.IsTest {
		d.Why = "" // it may depend on inputs that these cases don't have
	}
	return d
}

// half matches where a shader uses halves: their type, the short names of their vectors and
// matrices, and literals.
var half = regexp.MustCompile(`\b(f16|vec[234]h|mat[234]x[234]h|[0-9][0-9.]*h)\b`)

// inHalves diagnoses a shader that is right in every case once it computes in floats instead of
// halves.
func inHalves(f *facts) *verdict.Diagnosis {
	lines, first := strings.Split(f.Source.Text, "\n"), 0
	for i, line := range lines {
		code, _, _ := strings.Cut(line, "//")
		if strings.HasPrefix(strings.TrimSpace(line), "enable") || !half.MatchString(code) {
			continue
		}
		if first == 0 || !strings.HasPrefix(lines[first-1], " ") {
			first = i + 1 // a line of a function, if there is one: declarations are above them
		}
		lines[i] = half.ReplaceAllStringFunc(code, func(of string) string {
			if of == "f16" {
				return "f32"
			}
			return strings.TrimSuffix(of, "h") + "f"
		})
	}
	if first == 0 {
		return nil
	}
	inFloats, tried := shader.Read(f.Source.Name, strings.Join(lines, "\n")), false
	for _, o := range f.Outcomes {
		if o.CountWrong() == 0 || o.Seen == nil {
			continue
		}
		result, err := f.watchOther(inFloats, o.Case)
		if err != nil || evidence.Unfinished(result) != nil {
			return nil
		}
		for i, left := range result.All() {
			if due := o.All()[i]; evidence.Compare(left.Output, due.Want, due.Allowed).Wrong > 0 {
				return nil
			}
		}
		tried = true
	}
	if !tried {
		return nil
	}
	text, _ := f.Source.Line(first)
	at := half.FindStringIndex(text)
	region := findings.Region{Line: first, Column: at[0] + 1, EndLine: first, EndColumn: at[1] + 1}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "in-halves", Mismatch: f.Mismatch, Region: region, Excerpt: region.Excerpt(text),
		Message: "Your steps are right, but halves aren't exact enough for them.",
		Why:     "A half has 11 significant bits, and its largest number is 65,504. In `f32`, the same steps give the right values.",
		Ask:     "What is 4,096 + 1 as a half?",
	}
}

// unexplained falls back to showing the first wrong element.
func unexplained(f *facts) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: f.Mismatch.Sentence(), Ask: f.Mismatch.Question(), General: true, Mismatch: f.Mismatch}
}

// featureUnused diagnoses a shader with right values that leaves out the point of the exercise: it
// calls no function of subgroups, or it does not share values in workgroup memory.
func featureUnused(f *facts) *verdict.Diagnosis {
	switch {
	case f.Exercise.WithoutWorkgroupMemory != "" && !f.shares():
		return f.named(f.Exercise.WithoutWorkgroupMemory)
	case f.Exercise.WithoutSubgroups != "" && !f.callsSubgroups():
		return f.named(f.Exercise.WithoutSubgroups)
	case f.Exercise.WithoutWorkgroupMemory == "":
		return nil
	case !f.Shader.Waits(f.Entry) && f.Size[0]*f.Size[1]*f.Size[2] > 1:
		return &verdict.Diagnosis{
			Stage: verdict.StageCompare, Slug: missingBarrier, Why: barrierWhy, Ask: barrierAsk,
			Message: "The values are right, but no invocation ever waits for another. So none may use what another wrote to workgroup memory.",
		}
	}
	return nil
}

// callsSubgroups reports whether the shader calls a function of subgroups.
func (f *facts) callsSubgroups() bool {
	for _, call := range f.Shader.Info.Calls {
		if call.Builtin != nil && strings.HasPrefix(call.Builtin.Name, "subgroup") {
			return true
		}
	}
	return false
}

// shares reports whether the functions that run both write and read a variable in workgroup
// memory.
func (f *facts) shares() bool {
	return slices.ContainsFunc(f.Entry.Workgroup, func(v *types.Object) bool { return f.Shader.Uses(f.Entry, v.Name) > 1 })
}
