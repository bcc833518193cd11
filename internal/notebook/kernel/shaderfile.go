package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/desk/protocol"
	"github.com/wgslab/wgslab/internal/ipynb/cell"
)

// ShaderFiles answers the cells that write a WGSL file. It writes the file, makes its folder if
// that is missing, and prints nothing. GoNB would make no folder, and would print to stderr.
type ShaderFiles struct{}

// Takes implements Answerer.
func (ShaderFiles) Takes(from *cell.Source) bool {
	_, ok := from.Shader()
	return ok
}

// Run implements Answerer.
func (ShaderFiles) Run(_ context.Context, c Cell, _ Output) error {
	file, _ := c.Shader()
	if err := writeShader(file.Resolve(c.Dir), file.Text(), file.Append); err != nil {
		return &protocol.Failure{Name: "WriteError", Message: err.Error()}
	}
	return nil
}

func writeShader(file, text string, appended bool) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("making the shader's folder: %w", err)
	}
	how := os.O_TRUNC
	if appended {
		how = os.O_APPEND
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|how, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("writing the shader: %w", err)
	}
	return nil
}
