package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/flow"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
)

// firstOf is the first mistake of one of these kinds, with its case; nil for none.
func (f *facts) firstOf(kinds ...string) (*outcome, *shader.Finding) {
	return f.firstWhere(func(_ outcome, finding shader.Finding) bool { return slices.Contains(kinds, finding.Kind) })
}

func (f *facts) firstWhere(is func(outcome, shader.Finding) bool) (*outcome, *shader.Finding) {
	for i, o := range f.outcomes {
		for _, finding := range f.mistakes(o) {
			if is(o, finding) {
				return &f.outcomes[i], &finding
			}
		}
	}
	return nil, nil
}

// told is a finding as a diagnosis.
func (f *facts) told(finding *shader.Finding, slug, why, ask string) *verdict.Diagnosis {
	d := &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: slug, Message: verdict.Sentence(finding.Message), Why: why, Ask: ask}
	f.point(d, finding)
	return d
}

// point shows a diagnosis the places of a finding in the source, in the order of
// the text.
func (f *facts) point(d *verdict.Diagnosis, finding *shader.Finding) {
	at := finding.Place.Span
	d.Line, d.Column = at.Line, at.Column
	spans := []shader.Span{at}
	if other := finding.Other; other != nil && other.Line > 0 && other.Line != at.Line {
		spans = append(spans, other.Span)
	}
	slices.SortFunc(spans, func(a, b shader.Span) int { return cmp.Compare(a.Line, b.Line) })
	var excerpts []string
	for _, s := range spans {
		if line, _ := f.source.Line(s.Line); strings.TrimSpace(line) != "}" { // the end of a function shows nothing
			excerpts = append(excerpts, s.Excerpt(line))
		}
	}
	d.Excerpt = strings.Join(excerpts, "\n")
}

// divergent: a barrier that not all invocations of a workgroup reach.
func divergent(f *facts) *verdict.Diagnosis {
	_, finding := f.firstOf(sim.DivergentBarrier)
	if finding == nil {
		return nil
	}
	known := lessonOf(flow.NonUniformControlFlow)
	return f.told(finding, known.slug, known.why, known.ask)
}

// racing: two invocations use the same place in workgroup memory, and nothing says
// who comes first.
func racing(f *facts) *verdict.Diagnosis {
	_, finding := f.firstOf(sim.RaceWorkgroup)
	if finding == nil {
		return nil
	}
	return f.told(finding, missingBarrier, f.byLuck()+barrierWhy, barrierAsk)
}

const (
	missingBarrier = "missing-barrier"
	barrierWhy     = "The invocations of a workgroup do not run in step. What one writes to workgroup memory, another may read only behind a workgroupBarrier; and nobody may overwrite it before all have read it."
	barrierAsk     = "Go through your shader phase by phase: who writes, who reads, and what makes the readers wait?"
)

// byLuck begins an explanation where the values do not show what is wrong.
func (f *facts) byLuck() string {
	if f.wrong == nil {
		return "The values came out right, but only because of the order in which this device happened to run the invocations. "
	}
	return ""
}

// readingOthers: one invocation reads in the output what another writes there, where
// nobody has to read it. Which values come of it is luck, whatever they look like.
func readingOthers(f *facts) *verdict.Diagnosis {
	if f.exercise.InPlace {
		return nil
	}
	_, finding := f.firstWhere(func(_ outcome, finding shader.Finding) bool {
		return finding.Kind == sim.RaceStorage && finding.Reads
	})
	return f.inBuffer(finding)
}

// racingInBuffers: the same as racing, in a buffer.
func racingInBuffers(f *facts) *verdict.Diagnosis {
	_, finding := f.firstOf(sim.RaceStorage)
	return f.inBuffer(finding)
}

func (f *facts) inBuffer(finding *shader.Finding) *verdict.Diagnosis {
	if finding == nil {
		return nil
	}
	d := f.told(finding, "race",
		f.byLuck()+"Several invocations write to the same element, or one reads what another writes, and nothing says who comes first.",
		fmt.Sprintf("For %s: which invocations read it, which write it, and who has to wait for whom?", element(finding)))
	d.Mismatch = f.mismatch
	return d
}

// crowded: the workgroup has a second dimension where the exercise has one, so
// that several invocations have the same x, and each of them races with its twin.
func crowded(f *facts) *verdict.Diagnosis {
	if f.size[1]*f.size[2] == 1 || f.inRows() || f.asksFor("local_invocation_index") {
		return nil
	}
	races := func(_ outcome, finding shader.Finding) bool {
		return finding.Kind == sim.RaceWorkgroup || finding.Kind == sim.RaceStorage
	}
	_, finding := f.firstWhere(races)
	_, other := f.firstWhere(func(o outcome, finding shader.Finding) bool { return races(o, finding) && !f.twins(finding) })
	if finding == nil || other != nil {
		return nil
	}
	return f.told(finding, "workgroup-shape",
		fmt.Sprintf("The workgroup has %d × %d × %d invocations, so several have the same x. The host dispatches in one dimension here, and your shader tells invocations apart by x alone: they do the same work twice, on the same elements.", f.size[0], f.size[1], f.size[2]),
		"How many invocations should work on one element?")
}

// twins says whether the two of a race have the same x.
func (f *facts) twins(finding shader.Finding) bool {
	a, b := finding.Place, finding.Other
	return b != nil && a.Workgroup == b.Workgroup && a.Invocation[0] == b.Invocation[0]
}

// outside: an index past the end, and no guard that is missing explains it.
func outside(f *facts) *verdict.Diagnosis {
	_, finding := f.firstOf(sim.OutOfBoundsWrite, sim.OutOfBoundsRead)
	if finding == nil {
		return nil
	}
	why := "What lies behind the end of an array is not yours. WebGPU lets nobody see it: a read gets 0 or some other element of the array, as the adapter likes, so that the same shader gives other numbers elsewhere."
	if finding.Kind == sim.OutOfBoundsWrite {
		why = "What lies behind the end of an array is not yours. WebGPU drops such a write or puts it into some other element of the array, as the adapter likes; what should have been written is missing where it belongs."
	}
	ask := fmt.Sprintf("Work the index on line %d out by hand for that invocation: which element did you want?", finding.Place.Line)
	d := f.told(finding, finding.Kind, why, ask)
	d.Mismatch = f.mismatch
	return d
}

// element names what a finding is about.
func element(finding *shader.Finding) string {
	if finding.Index < 0 {
		return "`" + finding.Variable + "`"
	}
	return fmt.Sprintf("`%s[%d]`", finding.Variable, finding.Index)
}

// telling is the order in which findings help: what is wrong first, then where
// strange numbers come from.
var telling = []string{
	sim.DivergentBarrier, sim.RaceWorkgroup, sim.RaceStorage, sim.OutOfBoundsWrite, sim.OutOfBoundsRead,
	sim.NotANumber, sim.DivisionByZero, sim.Overflow, sim.Subnormal, sim.UnwrittenRead, sim.Wrapped, sim.StepLimit,
}

// findings are all that was seen in a shader that is not right, each thing at each
// place once.
func (f *facts) findings() []verdict.Finding {
	var all []shader.Finding
	for _, o := range f.outcomes {
		if o.seen != nil {
			all = append(all, o.seen.Findings...)
		}
	}
	slices.SortStableFunc(all, func(a, b shader.Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(slices.Index(telling, a.Kind), slices.Index(telling, b.Kind)))
	})
	type once struct {
		kind         string
		line, column int
	}
	told := map[once]bool{}
	listed := []verdict.Finding{}
	for _, finding := range all {
		key := once{finding.Kind, finding.Place.Line, finding.Place.Column}
		if !told[key] {
			told[key] = true
			listed = append(listed, Told(finding))
		}
	}
	return listed
}

// Told is a finding as JSON has it.
func Told(finding shader.Finding) verdict.Finding {
	at := finding.Place
	told := verdict.Finding{
		Kind: finding.Kind, Severity: string(finding.Severity),
		Line: at.Line, Column: at.Column, EndLine: at.EndLine, EndColumn: at.EndColumn,
		Variable: finding.Variable, Index: verdict.Count(finding.Index), Length: verdict.Count(finding.Length),
		Workgroup: at.Workgroup, Invocation: at.Invocation, Message: finding.Message,
	}
	if o := finding.Other; o != nil {
		told.Other = &verdict.FindingPlace{Line: o.Line, Column: o.Column, Workgroup: o.Workgroup, Invocation: o.Invocation}
	}
	return told
}
