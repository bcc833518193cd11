package check

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// FreshSeed draws the seed of a check. It stays below 2^32, so that it can be
// typed and survives a JSON reader that knows only float64.
func FreshSeed() uint64 { return uint64(rand.Uint32()) }

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
	return io.ReadAll(io.LimitReader(file, MaxSource+1))
}
