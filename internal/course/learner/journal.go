package learner

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// A Try is one check of one shader, or an answer to a question, one line of the journal.
type Try struct {
	Time         time.Time `json:"time"`
	Exercise     string    `json:"exercise"`
	Shader       string    `json:"shader"` // the source, as it was checked
	ShaderSHA256 string    `json:"shader_sha256"`
	Passed       bool      `json:"passed"`
	Headline     string    `json:"headline"` // the verdict in a few words
	Diagnosis    string    `json:"diagnosis"`
	Message      string    `json:"message"`
	Line         int       `json:"line"`
	Seed         uint64    `json:"seed"`
	RecalledIn   int       `json:"recalled_in,omitempty"` // the lesson that began with the question
	Calls        string    `json:"calls,omitempty"`       // of a host program, as in its verdict
}

// TryOf makes the journal's record of a verdict.
func TryOf(v *verdict.Verdict, source string) Try {
	return Try{
		Time: time.Now().UTC(), Exercise: v.Exercise, Shader: source, ShaderSHA256: v.ShaderSHA256,
		Passed: v.Passed(), Headline: v.Headline(), Diagnosis: v.Slug, Message: v.Message, Line: v.Line, Seed: v.Seed, Calls: v.Calls,
	}
}

// Record appends a try to the journal in dir, and updates the progress if the try passed.
func Record(dir string, try Try) error {
	if err := try.append(dir); err != nil {
		return err
	}
	if !try.Passed {
		return nil
	}
	return pass(dir, try.Exercise, Passed{Time: try.Time, ShaderSHA256: try.ShaderSHA256})
}

// RecordAnswer appends the answer to a question to the journal in dir, which may not exist yet.
// Answers are no progress.
func RecordAnswer(dir string, answer Try) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of your journal: %w", err)
	}
	return answer.append(dir)
}

func (t Try) append(dir string) error {
	if err := appendLine(filepath.Join(dir, JournalFile), t); err != nil {
		return fmt.Errorf("saving your try: %w", err)
	}
	return nil
}

// appendLine appends a value to a file, as a line of JSON.
func appendLine(path string, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	// A single write keeps the lines of two simultaneous checks apart.
	written, err := file.Write(append(line, '\n'))
	if err != nil && written > 0 { // the disk is full: half a line would damage the next one
		if info, statErr := file.Stat(); statErr == nil {
			_ = file.Truncate(info.Size() - int64(written)) // ReadJournal skips what stays
		}
	}
	return errors.Join(err, file.Close())
}

// maxLine bounds a line of the journal: a shader has at most 256 KiB, and JSON may escape
// one byte as six.
const maxLine = 2 << 20

// ReadJournal reads the tries kept in dir, in order. If there is no file, there are none.
// It skips damaged lines, which a crash may leave, and counts them.
func ReadJournal(dir string) (tries []Try, damaged int, err error) {
	tries, damaged, err = readLines[Try](filepath.Join(dir, JournalFile))
	if err != nil {
		err = fmt.Errorf("reading your journal: %w", err)
	}
	return tries, damaged, err
}

// readLines reads the values that appendLine wrote. It skips damaged lines, and counts them.
func readLines[T any](path string) (values []T, damaged int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var value T
		if json.Unmarshal(lines.Bytes(), &value) != nil {
			damaged++
			continue
		}
		values = append(values, value)
	}
	return values, damaged, lines.Err()
}

// pageTries is how many lines LastTries and LastTurns return. The page keeps as many.
const pageTries = 200

// LastTries returns the last lines of the journal kept in dir, or "" if there is none.
func LastTries(dir string) (string, error) { return lastLines(dir, JournalFile) }

// LastTurns returns the last lines of the conversation kept in dir, or "" if there is none.
func LastTurns(dir string) (string, error) { return lastLines(dir, ConversationFile) }

func lastLines(dir, file string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading your journal: %w", err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	return strings.Join(lines[max(0, len(lines)-pageTries-1):], ""), nil
}
