package course

import (
	"fmt"
	"path"

	"github.com/wgslab/wgslab/exercises"
)

// ReadHost reads an exercise of kind Host: the learner writes the host's calls in Go. No notebook
// has these exercises yet, so they are in no list of the course.
func ReadHost(id string) (*Exercise, error) {
	d, err := readDescription(exercises.Files, id)
	if err != nil {
		return nil, err
	}
	if d.Kind != Host {
		return nil, fmt.Errorf("%s: kind is %q: use %q", path.Join(id, "exercise.toml"), d.Kind, Host)
	}
	hints, err := readHints(exercises.Files, id)
	if err != nil {
		return nil, err
	}
	return &Exercise{ID: id, Kind: Host, Lesson: d.Lesson, position: d.Position, Title: d.Title, Task: d.Task, Practice: d.Practice, Hints: hints}, nil
}
