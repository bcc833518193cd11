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
// verdict, keeps the try, and ends the cell with an error when the shader is not
// right.
func Exercise(id string) {
	verdict, source, err := checkFile(id)
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: sentence(err.Error())})
		os.Exit(1)
	}
	show.Display(verdict)
	if err := course.Record(course.WorkDir, verdict.Try(source)); err != nil {
		// The verdict stands, whether it could be kept or not.
		show.Display(show.Note{Title: "This try could not be kept", Body: sentence(err.Error())})
	}
	if !verdict.Passed() {
		os.Exit(1)
	}
}

func checkFile(id string) (*Verdict, string, error) {
	exercise, err := lesson.Find(id)
	if err != nil {
		return nil, "", err
	}
	source, err := ReadShader(course.ShaderPath(id))
	if err != nil {
		return nil, "", err
	}
	device, err := gpu.Open()
	if err != nil {
		return nil, "", err
	}
	defer device.Close()
	verdict, err := Run(OnDevice(device), exercise, course.ShaderPath(id), source, FreshSeed())
	return verdict, source, err
}

// Try is the verdict as the learner's journal keeps it.
func (v *Verdict) Try(source string) course.Try {
	return course.Try{
		Time: time.Now().UTC(), Exercise: v.Exercise, Shader: source, ShaderSHA256: v.ShaderSHA256,
		Passed: v.Passed(), Headline: v.Headline(), Diagnosis: v.Diagnosis, Message: v.Message, Line: v.Line, Seed: v.Seed,
	}
}
