package check

import (
	"context"
	"os"

	"github.com/wgslab/wgslab/internal/engine/native"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Exercise checks the learner's shader from a notebook cell: it draws the
// verdict, keeps the try, sets a right shader beside the reference, and ends the
// cell with an error when the shader is not right.
func Exercise(id string) {
	passed, err := checkCell(id)
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: verdict.Sentence(err.Error())})
	}
	if !passed {
		os.Exit(1)
	}
}

func checkCell(id string) (passed bool, err error) {
	exercise, err := lesson.Find(id)
	if err != nil {
		return false, err
	}
	source, err := learner.ReadShader(learner.ShaderPath(id))
	if err != nil {
		return false, err
	}
	device, err := gpu.Open()
	if err != nil {
		return false, err
	}
	defer device.Close()
	v, err := judge.Run(context.Background(), native.On(device), exercise, learner.ShaderPath(id), source, judge.FreshSeed())
	if err != nil {
		return false, err
	}
	show.Display(v)
	keep(learner.TryOf(v, source))
	if v.Passed() {
		showComparison(device, exercise, source, v.Seed)
	}
	return v.Passed(), nil
}

// keep puts a try into the journal. The verdict stands, whether that works or not.
func keep(try learner.Try) {
	if err := learner.Record(learner.WorkDir, try); err != nil {
		show.Display(show.Note{Title: "This try could not be kept", Body: verdict.Sentence(err.Error())})
	}
}

// showComparison is a reward: where it does not work, the pass stands.
func showComparison(device *gpu.Device, exercise *lesson.Exercise, source string, seed uint64) {
	comparison, err := compare(device, exercise, source, seed)
	if err != nil {
		show.Display(show.Note{Title: "Your shader is right, but could not be set beside the reference", Body: verdict.Sentence(err.Error())})
		return
	}
	show.Display(comparison)
}
