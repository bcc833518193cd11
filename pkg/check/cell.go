package check

import (
	"os"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/show"
)

// Exercise checks the learner's shader from a notebook cell: it draws the
// verdict, and ends the cell with an error when the shader is not right.
func Exercise(id string) {
	verdict, err := checkFile(id)
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: sentence(err.Error())})
		os.Exit(1)
	}
	show.Display(verdict)
	if !verdict.Passed() {
		os.Exit(1)
	}
}

func checkFile(id string) (*Verdict, error) {
	exercise, err := lesson.Find(id)
	if err != nil {
		return nil, err
	}
	source, err := ReadShader(Path(id))
	if err != nil {
		return nil, err
	}
	device, err := gpu.Open()
	if err != nil {
		return nil, err
	}
	defer device.Close()
	return Run(OnDevice(device), exercise, Path(id), source, FreshSeed())
}
