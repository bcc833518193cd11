package learner

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
)

// WorkDir is where the notebooks keep the learner's shaders, seen from their folder.
const WorkDir = "work"

// ShaderPath is the learner's file for an exercise, seen from the notebooks' folder.
func ShaderPath(id string) string { return filepath.Join(WorkDir, id+".wgsl") }

// ExerciseOf is the exercise whose shader a file of the learner's holds, seen from the notebooks' folder; nil for none.
func ExerciseOf(file string) *lesson.Exercise {
	id, _ := strings.CutSuffix(filepath.Base(file), ".wgsl")
	if filepath.Clean(file) != ShaderPath(id) {
		return nil
	}
	exercise, err := lesson.Find(id)
	if err != nil {
		return nil
	}
	return exercise
}

// ReadShader reads a shader file. Its errors say what to do.
func ReadShader(path string) (string, error) {
	source, err := readStart(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no file %s yet: run the cell that starts with %%%%writefile %s, then check again", path, filepath.ToSlash(path))
	}
	if err != nil {
		return "", fmt.Errorf("reading the shader: %w", err)
	}
	return string(source), nil
}

// readStart reads no more of a file than it takes to see that it is too large.
func readStart(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, shader.MaxSource+1))
}
