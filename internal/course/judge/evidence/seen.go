package evidence

import (
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Right reports whether a case has the right values and no mistake was seen in it.
func (f *Facts) Right(o CaseRun) bool { return o.CountWrong() == 0 && len(f.Mistakes(o)) == 0 }

// Unfinished returns the finding that a shader used up its step limit; nil if there is none. That
// alone is no mistake: a slow shader may need as many steps.
func Unfinished(result *shader.Result) *findings.Finding {
	if result == nil {
		return nil
	}
	for i, finding := range result.Findings {
		if finding.Kind == findings.StepLimit {
			return &result.Findings[i]
		}
	}
	return nil
}

// Mistakes returns the findings of a case that make the shader wrong.
func (f *Facts) Mistakes(o CaseRun) []findings.Finding {
	if o.Seen == nil {
		return nil
	}
	var found []findings.Finding
	for _, finding := range o.Seen.Findings {
		if (finding.Severity == findings.Error || f.refusesRead(finding)) && finding.Kind != findings.StepLimit && !f.harmless(o, finding) {
			found = append(found, finding)
		}
	}
	return found
}

// refusesRead reports whether an out-of-bounds read is a mistake although no value depends on it:
// if the exercise asks for reads in bounds. Where values are wrong, such a read isn't why.
func (f *Facts) refusesRead(finding findings.Finding) bool {
	return f.Exercise.ReadsInside && finding.Kind == findings.OutOfBoundsRead && f.Wrong == nil
}

// harmless reports whether a race changed nothing: two invocations with the same element did the
// same work twice, such as max(x, 0).
func (f *Facts) harmless(o CaseRun, finding findings.Finding) bool {
	return finding.Kind == findings.RaceStorage && f.samePlace(o, finding) && o.CountWrong() == 0 && o.wrongAsSeen() == 0
}

// wrongAsSeen counts the wrong elements of all outputs as the watcher saw them.
func (o *CaseRun) wrongAsSeen() (n int) {
	all := o.All()
	for i, seen := range o.Seen.All()[:len(all)] {
		n += Compare(seen.Output, all[i].Want, all[i].Allowed).Wrong
	}
	return n
}

// samePlace reports whether the two invocations of a race differ only in a direction in which the
// exercise does not dispatch.
func (f *Facts) samePlace(o CaseRun, finding findings.Finding) bool {
	if finding.Other() == nil || f.Exercise.Dispatch != course.Cover || f.InPasses() {
		return false
	}
	return f.Place(o.Case, finding.Location.Workgroup, finding.Location.Invocation) ==
		f.Place(o.Case, finding.Other().Workgroup, finding.Other().Invocation)
}

// Place returns the element that belongs to an invocation by its number in the dispatch, in x, y
// and z. If the exercise has no y and the shader uses local_invocation_index, all of them count in
// x.
func (f *Facts) Place(c course.Case, workgroup, invocation [3]uint32) [3]int {
	place := [3]int{int(workgroup[0]*f.Size[0] + invocation[0])}
	if c.Extent[1] == 0 && f.AsksFor("local_invocation_index") {
		inside := invocation[0] + f.Size[0]*(invocation[1]+f.Size[1]*invocation[2])
		place[0] = int(workgroup[0]*f.Size[0]*f.Size[1]*f.Size[2] + inside)
	}
	for axis := 1; axis < len(place); axis++ {
		if c.Extent[axis] > 0 {
			place[axis] = int(workgroup[axis]*f.Size[axis] + invocation[axis])
		}
	}
	return place
}

// Writers returns the places of the invocations that wrote in a case.
func (f *Facts) Writers(o CaseRun) [][3]int {
	if o.Seen == nil {
		return nil
	}
	groups, size := f.Workgroups(o.Case), f.Size
	invocations := size[0] * size[1] * size[2]
	var places [][3]int
	for i, wrote := range o.Seen.Wrote {
		if !wrote {
			continue
		}
		places = append(places, f.Place(o.Case, Unrolled(uint32(i)/invocations, groups), Unrolled(uint32(i)%invocations, size)))
	}
	return places
}

// Unrolled returns the place of a number in a box that is counted through x first, then y, then z.
func Unrolled(number uint32, box [3]uint32) [3]uint32 {
	return [3]uint32{number % box[0], number / box[0] % box[1], number / box[0] / box[1]}
}

// FirstOf returns the first mistake of the given kinds, with its case; nil if there is none.
func (f *Facts) FirstOf(kinds ...findings.Kind) (*CaseRun, *findings.Finding) {
	return f.FirstWhere(func(_ CaseRun, finding findings.Finding) bool { return slices.Contains(kinds, finding.Kind) })
}

// FirstWhere returns the first mistake for which a function reports true, with its case.
func (f *Facts) FirstWhere(is func(CaseRun, findings.Finding) bool) (*CaseRun, *findings.Finding) {
	for _, o := range f.ShownFirst() {
		for _, finding := range f.Mistakes(*o) {
			if is(*o, finding) {
				return o, &finding
			}
		}
	}
	return nil, nil
}

// ShownFirst returns the outcomes, the one whose values the verdict shows first.
func (f *Facts) ShownFirst() []*CaseRun {
	var list []*CaseRun
	for i := range f.Outcomes {
		list = append(list, &f.Outcomes[i])
	}
	slices.SortStableFunc(list, func(a, b *CaseRun) int {
		switch f.Wrong {
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
	return list
}
