package check

import (
	"os"
	"time"

	"github.com/wgslab/wgslab/pkg/course"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/show"
)

// Exercise checks the learner's shader from a notebook cell: it draws the
// verdict, keeps the try, sets a right shader beside the reference, and ends the
// cell with an error when the shader is not right.
func Exercise(id string) {
	passed, err := checkCell(id)
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: sentence(err.Error())})
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
	source, err := ReadShader(course.ShaderPath(id))
	if err != nil {
		return false, err
	}
	device, err := gpu.Open()
	if err != nil {
		return false, err
	}
	defer device.Close()
	verdict, err := Run(OnDevice(device), exercise, course.ShaderPath(id), source, FreshSeed())
	if err != nil {
		return false, err
	}
	show.Display(verdict)
	keep(verdict.Try(source))
	if verdict.Passed() {
		showComparison(device, exercise, source, verdict.Seed)
	}
	return verdict.Passed(), nil
}

// keep puts a try into the journal. The verdict stands, whether that works or not.
func keep(try course.Try) {
	if err := course.Record(course.WorkDir, try); err != nil {
		show.Display(show.Note{Title: "This try could not be kept", Body: sentence(err.Error())})
	}
}

// showComparison is a reward: where it does not work, the pass stands.
func showComparison(device *gpu.Device, exercise *lesson.Exercise, source string, seed uint64) {
	comparison, err := Compare(device, exercise, source, seed)
	if err != nil {
		show.Display(show.Note{Title: "Your shader is right, but could not be set beside the reference", Body: sentence(err.Error())})
		return
	}
	show.Display(comparison)
}

// Try is the verdict as the learner's journal keeps it.
func (v *Verdict) Try(source string) course.Try {
	return course.Try{
		Time: time.Now().UTC(), Exercise: v.Exercise, Shader: source, ShaderSHA256: v.ShaderSHA256,
		Passed: v.Passed(), Headline: v.Headline(), Diagnosis: v.Diagnosis, Message: v.Message, Line: v.Line, Seed: v.Seed,
	}
}
