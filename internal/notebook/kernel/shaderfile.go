package kernel

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/atomicfile"
	"github.com/wgslab/wgslab/internal/desk/protocol"
	"github.com/wgslab/wgslab/internal/ipynb/cell"
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
func (ShaderFiles) Run(_ context.Context, c Cell, _ Output) error {
	file, _ := c.Shader()
	if err := writeShader(file.Resolve(c.Dir), file.Text(), file.Append); err != nil {
		return &protocol.Failure{Name: "WriteError", Message: withRemedy(err, "")}
	}
	return nil
}

// writeShader writes a file. If it fails, the file is unchanged: it may hold the learner's work.
func writeShader(file, text string, appended bool) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("making the shader's folder: %w", err)
	}
	data := []byte(text)
	if appended {
		old, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading the shader: %w", err)
		}
		data = append(old, data...)
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // and the link stays
	}
	if err := atomicfile.WriteUnsynced(file, data, 0o666); err != nil {
		return fmt.Errorf("saving the shader: %w", err)
	}
	return nil
}
