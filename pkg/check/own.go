package check

import (
	"fmt"
	"path/filepath"

	"github.com/wgslab/wgslab/pkg/course"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/shaders"
)

// A Shader is the source that a lesson runs for an exercise, and whose it is.
type Shader struct {
	ID       string
	Source   string
	Learners bool   // false: the reference stands in
	Because  string // why it does
}

// Whose is "yours" or "the reference", with the reason.
func (s Shader) Whose() string {
	if s.Learners {
		return "yours"
	}
	return "the reference: " + s.Because
}

// Own gives the learner's shader for an exercise when it is right just now, and
// the reference otherwise: a later lesson builds on what the learner wrote, and
// must still work where that is not finished. It looks for the learner's in the
// folder work beside the notebooks, where a cell runs.
func Own(device *gpu.Device, id string) (Shader, error) {
	return OwnIn(device, course.WorkDir, id)
}

// OwnIn is Own for a program that runs elsewhere: work is the folder of the
// learner's shaders.
func OwnIn(device *gpu.Device, work, id string) (Shader, error) {
	exercise, err := lesson.Find(id)
	if err != nil {
		return Shader{}, err
	}
	reference, err := shaders.Source(id)
	if err != nil {
		return Shader{}, err
	}
	path := filepath.Join(work, id+".wgsl")
	source, err := ReadShader(path)
	if err != nil {
		return Shader{ID: id, Source: reference, Because: "yours is not written yet"}, nil
	}
	verdict, err := Run(OnDevice(device), exercise, path, source, FreshSeed())
	if err != nil {
		return Shader{}, fmt.Errorf("checking your %s: %w", id, err)
	}
	if !verdict.Passed() {
		return Shader{ID: id, Source: reference, Because: "yours does not pass its check yet"}, nil
	}
	return Shader{ID: id, Source: source, Learners: true}, nil
}
