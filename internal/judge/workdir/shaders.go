package workdir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/shader"
)

// Dir is the work folder, relative to the notebooks' folder.
const Dir = "work"

// ShaderPath is the learner's file for an exercise, relative to the notebooks' folder.
func ShaderPath(id string) string { return filepath.Join(Dir, id+".wgsl") }

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

// ReadShader reads a shader file. Its errors tell the learner what to do. The error about a file
// that is not there is an fs.ErrNotExist.
func ReadShader(path string) (string, error) {
	source, err := readStart(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &missing{path}
	}
	if err != nil {
		return "", fmt.Errorf("reading the shader: %w", err)
	}
	return string(source), nil
}

// readStart reads a file. If it is too large, it reads just enough to tell.
func readStart(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, shader.MaxSource+1))
}

// missing is the error about a shader that is not written yet.
type missing struct{ path string }

func (m *missing) Error() string {
	return fmt.Sprintf("there is no file %s yet: run the cell that starts with %%%%writefile %s, then check again", m.path, filepath.ToSlash(m.path))
}

func (m *missing) Is(target error) bool { return target == fs.ErrNotExist }
