// This file finds and reads the shaders in the learner's work folder.

package learner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Dir is the work folder, relative to the notebooks' folder.
const Dir = "work"

// ShaderPath is the learner's file for an exercise, relative to the notebooks' folder.
func ShaderPath(id string) string { return filepath.Join(Dir, id+".wgsl") }

// ProgramPath is the learner's JavaScript for an exercise, in the page.
func ProgramPath(id string) string { return filepath.Join(Dir, id+".js") }

// GoPath is the learner's Go for an exercise of the host's calls: a check of a cell saves it.
func GoPath(id string) string { return filepath.Join(Dir, id+".go") }

// ProgramIn returns the learner's program for an exercise of the host's calls, in a work folder: in
// Go or in JavaScript, whichever is newer. Without one, both are "".
func ProgramIn(dir, id string) (file, text string, err error) {
	var newest time.Time
	for _, name := range []string{GoPath(id), ProgramPath(id)} {
		path := filepath.Join(dir, filepath.Base(name))
		info, err := os.Stat(path)
		if err == nil && (file == "" || info.ModTime().After(newest)) {
			file, newest = path, info.ModTime()
		}
	}
	if file == "" {
		return "", "", nil
	}
	text, err = ReadShader(file)
	return file, text, err
}

// ExerciseOf returns the exercise that a file belongs to, given its path relative to the
// notebooks' folder; nil if there is none.
func ExerciseOf(file string) *course.Exercise {
	id, _ := strings.CutSuffix(filepath.Base(file), ".wgsl")
	if filepath.Clean(file) != ShaderPath(id) {
		return nil
	}
	exercise, err := course.Find(id)
	if err != nil {
		return nil
	}
	return exercise
}

// Load returns the learner's shader for an exercise, relative to the notebooks' folder.
func Load(id string, read shader.SourceReader) (*shader.Source, error) {
	path := ShaderPath(id)
	text, err := ReadShader(path)
	if err != nil {
		return nil, err
	}
	return read(path, text), nil
}

// ReadShader reads a shader file. Its errors tell the learner what to do. The error about a file
// that is not there is an fs.ErrNotExist.
func ReadShader(path string) (string, error) {
	source, err := shader.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &missing{path}
	}
	if err != nil {
		return "", fmt.Errorf("reading the shader: %w", err)
	}
	return source, nil
}

// missing is the error about a shader that is not written yet.
type missing struct{ path string }

func (m *missing) Error() string {
	id := strings.TrimSuffix(filepath.Base(m.path), ".wgsl")
	exercise, err := course.Find(id)
	if err != nil || filepath.Base(filepath.Dir(m.path)) != Dir {
		return fmt.Sprintf("there is no file %s: give the path of your shader", m.path)
	}
	return fmt.Sprintf("there is no file %s yet: in lesson %d, run the cell that starts with %%%%writefile %s, then check again",
		m.path, exercise.Lesson, filepath.ToSlash(ShaderPath(id)))
}

func (m *missing) Is(target error) bool { return target == fs.ErrNotExist }
