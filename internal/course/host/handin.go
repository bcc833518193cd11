package host

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// A JudgedHandIn is the verdict on a learner's program, with what to show below it.
type JudgedHandIn struct {
	Verdict *verdict.Verdict

	below []view.View
}

// Judge checks a learner's function with the shaders in the work folder that are right, and with
// references for the others. It checks those on the device, and runs a task of parts there.
func (t *HostTask) Judge(ctx context.Context, device *gpu.Device, seed uint64, function LearnersFunction) (*JudgedHandIn, error) {
	byID, shaders, err := ownshaders.Sources(ctx, device, learner.Dir, t.Work.Shaders...)
	if err != nil {
		return nil, err
	}
	sources := make([]string, len(shaders))
	for i, id := range t.Work.Shaders {
		sources[i] = byID[id]
	}
	v, record, err := t.Check(device, sources, seed, function)
	if err != nil {
		return nil, err
	}
	if t.Work.Own && v.Passed() && given == nil { // a graded program gets references
		v.Message += notYet(shaders)
	}
	j := &JudgedHandIn{v, []view.View{ownshaders.Whose(shaders...)}}
	if record != nil && v.Slug != verdict.Stub && v.Stage != verdict.StageCompile && !t.Work.Opens {
		v.Calls = RoadOf(record).Text()
		j.below = append(j.below, folded(RoadOf(record)))
	}
	return j, nil
}

// notYet names the shaders that aren't the learner's, with their lessons; "" if all are.
func notYet(shaders []ownshaders.LessonShader) string {
	var missing []string
	for _, s := range shaders {
		if e, err := course.Find(s.ID); err == nil && !s.Learners {
			missing = append(missing, fmt.Sprintf("`%s` (lesson %d)", s.ID, e.Lesson))
		}
	}
	if missing == nil {
		return " Every shader is yours."
	}
	return " Not yours yet, so the reference stands in: " + english.List(missing) + "."
}

// Add puts a view below the verdict; nil is none.
func (j *JudgedHandIn) Add(v view.View) {
	if v != nil {
		j.below = append([]view.View{v}, j.below...)
	}
}

// Show displays the verdict and what belongs below it, and records the try. program is its text, ""
// if it isn't known, and file the one in the work folder that has it. A right piece is kept.
func (j *JudgedHandIn) Show(display func(...view.View), file, program string) {
	display(j.Verdict)
	display(j.below...)
	if note := session.Record(learner.TryOf(j.Verdict, program)); note != nil {
		display(note)
	}
	if err := j.Keep(learner.Dir, file, program); err != nil {
		display(view.Note{Title: "Your host file could not be written", Body: english.Sentence(err.Error())})
	}
}

// Keep puts a right piece into the host file of a work folder.
func (j *JudgedHandIn) Keep(dir, file, program string) error {
	if j.Verdict.Passed() {
		return Keep(j.Verdict.Exercise, dir, file, program)
	}
	return nil
}
