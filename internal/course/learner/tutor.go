// This file writes the prompt with which an AI tutor helps a learner. Nothing leaves the
// machine.

package learner

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/wgslab/wgslab/internal/course"
)

// rulesFile holds the rules for an AI tutor, in the notebooks' folder.
const rulesFile = "TUTOR.md"

// lastTries is how many verdicts the tutor sees.
const lastTries = 5

//go:embed prompt.txt
var promptSource string

var promptTemplate = template.Must(template.New("prompt").Funcs(template.FuncMap{
	"increment": func(i int) int { return i + 1 },
}).Parse(promptSource))

// Rules returns the rules for the tutor. They are beside the work folder dir, or else in one of the
// other folders.
func Rules(dir string, others []string) (string, error) {
	rules, err := os.ReadFile(filepath.Join(dir, "..", rulesFile))
	for _, other := range others {
		if errors.Is(err, fs.ErrNotExist) {
			rules, err = os.ReadFile(filepath.Join(other, rulesFile))
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("the tutor's rules are missing: copy the course's notebooks/TUTOR.md to the folder that contains work")
	case err != nil:
		return "", fmt.Errorf("reading the tutor's rules: %w", err)
	}
	return string(rules), nil
}

// WritePrompt writes what an AI tutor needs to help with one exercise: the rules, the task, the
// learner's shader or program, and the last verdicts. dir is the work folder.
func WritePrompt(w io.Writer, rules, dir string, exercise *course.Exercise) error {
	tries, _, err := ReadJournal(dir)
	if err != nil {
		return err
	}
	own := lastTry(exercise.ID, tries)
	written, err := writtenFor(dir, exercise, own)
	if err != nil {
		return err
	}
	written["Rules"], written["Exercise"], written["Tries"] = strings.TrimSpace(rules), exercise, own
	if len(own) > 0 && own[len(own)-1].Calls != "" {
		checked := own[len(own)-1]
		written["Calls"], written["Changed"] = checked.Calls, strings.TrimSpace(checked.Shader) != written["Text"]
	}
	return promptTemplate.Execute(w, written)
}

// writtenFor returns what the learner has written for an exercise. A try in the journal has a
// program's text as well.
func writtenFor(dir string, exercise *course.Exercise, tries []Try) (map[string]any, error) {
	if !exercise.IsOnHost() {
		shader, err := ReadShader(filepath.Join(dir, exercise.ID+".wgsl"))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return map[string]any{"What": "shader", "Language": "wgsl", "Text": strings.TrimSpace(shader)}, err
	}
	file, text, err := ProgramIn(dir, exercise.ID)
	if text == "" && len(tries) > 0 {
		text = tries[len(tries)-1].Shader
	}
	language := "go"
	if filepath.Ext(file) == ".js" {
		language = "js"
	}
	return map[string]any{"What": "program", "Language": language, "Text": strings.TrimSpace(text)}, err
}

// lastTry returns the latest tries at an exercise, oldest first.
func lastTry(id string, tries []Try) []Try {
	var own []Try
	for _, t := range tries {
		if t.Exercise == id {
			own = append(own, t)
		}
	}
	return own[max(0, len(own)-lastTries):]
}
