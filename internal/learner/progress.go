// Package course keeps what a learner has done: which exercises they passed, and
// every try on the way. Both are files in the folder of their shaders; nothing
// leaves the machine.
package learner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"
)

// The files, in the folder of the learner's shaders.
const (
	progressFile = "progress.json"
	journalFile  = "journal.jsonl"
)

// Progress is which exercises were passed, by id.
type Progress map[string]Passed

// Passed says when an exercise was passed for the first time, and with what.
type Passed struct {
	Time         time.Time `json:"time"`
	ShaderSHA256 string    `json:"shader_sha256"`
}

// ReadProgress reads the progress kept in dir. No file is no progress yet; a
// file that cannot be read is an error that says so.
func ReadProgress(dir string) (Progress, error) {
	path := filepath.Join(dir, progressFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Progress{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading your progress: %w", err)
	}
	progress := Progress{}
	if err := json.Unmarshal(data, &progress); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w): delete it, and the next passed checks fill it again", path, err)
	}
	return progress, nil
}

// pass notes in dir that an exercise was passed. The first time stays.
func pass(dir, id string, passed Passed) error {
	progress, err := ReadProgress(dir)
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
	if err := renameio.WriteFile(filepath.Join(dir, progressFile), append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("keeping your progress: %w", err)
	}
	return nil
}
