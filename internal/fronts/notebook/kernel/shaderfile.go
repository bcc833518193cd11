package kernel

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// ShaderFiles answers the cells that write a WGSL file. It writes the file, makes its folder if
// that is missing, and prints nothing. GoNB would make no folder, and would print to stderr.
type ShaderFiles struct{}

// Takes implements Answerer.
func (ShaderFiles) Takes(from *cell.CellSource) bool {
	_, ok := from.Shader()
	return ok
}

// Run implements Answerer.
func (s ShaderFiles) Run(_ context.Context, c Cell, _ Output) error {
	_, err := s.Save(c)
	return err
}

// Save writes a cell's file, and returns what is in it: with %%writefile -a more than the cell has.
func (ShaderFiles) Save(c Cell) (text string, err error) {
	file, _ := c.Shader()
	if text, err = writeShader(file.Resolve(c.Dir), file.Text(), file.Append); err != nil {
		return "", &protocol.Failure{Name: "WriteError", Message: withRemedy(err, "")}
	}
	return text, nil
}

// writeShader writes a file and returns what is in it. If it fails, the file is unchanged: it may
// hold the learner's work.
func writeShader(file, text string, appended bool) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", fmt.Errorf("making the shader's folder: %w", err)
	}
	if appended {
		old, err := shader.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("reading the shader: %w", err)
		}
		if len(old) > shader.MaxSource { // the rest of it would be lost
			return "", fmt.Errorf("%s is larger than %d KiB, so nothing was appended: run the cell that begins the file", file, shader.MaxSource>>10)
		}
		text = old + text
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // and the link stays
	}
	if err := atomicfile.WriteUnsynced(file, []byte(text), 0o666); err != nil {
		return "", fmt.Errorf("saving the shader: %w", err)
	}
	return text, nil
}
