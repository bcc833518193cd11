// Package learner keeps a learner's way through the course in the work folder: the journal of all
// tries, and which exercises are passed. It draws the course map and the journal's page from them.
// Nothing leaves the machine.
package learner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
)

// The files that the package writes beside the shaders.
const (
	progressFile = "progress.json"

	JournalFile      = "journal.jsonl" // a Try in each line
	ConversationFile = "tutor.jsonl"   // a Turn in each line
)

// PassedExercises holds the passed exercises, by id.
type PassedExercises map[string]Passed

// Passed says when an exercise was passed for the first time, and with what.
type Passed struct {
	Time         time.Time `json:"time"`
	ShaderSHA256 string    `json:"shader_sha256"`
}

// Read reads the progress kept in dir. If there is no file, the progress is empty.
func Read(dir string) (PassedExercises, error) {
	path := filepath.Join(dir, progressFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return PassedExercises{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading your progress: %w", err)
	}
	progress := PassedExercises{}
	if err := json.Unmarshal(data, &progress); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w): delete it, and each exercise that you pass is recorded again", path, err)
	}
	return progress, nil
}

// pass records in dir that an exercise was passed. Only the first time counts.
func pass(dir, id string, passed Passed) error {
	progress, err := Read(dir)
	if err != nil {
		return err
	}
	if _, already := progress[id]; already {
		return nil
	}
	progress[id] = passed
	data, err := json.MarshalIndent(progress, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(dir, progressFile), append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("saving your progress: %w", err)
	}
	return nil
}
