package workdir

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/shader"
)

// Callers tell a file that is not there from one that can't be read.
func TestReadShader(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "relu.wgsl")
	_, err := ReadShader(path)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "run the cell that starts with %%writefile "+filepath.ToSlash(path))

	require.NoError(t, os.Symlink("nowhere.wgsl", path))
	_, err = ReadShader(path)
	require.ErrorIs(t, err, fs.ErrNotExist)

	_, err = ReadShader(dir)
	require.ErrorContains(t, err, "reading the shader")
	require.NotErrorIs(t, err, fs.ErrNotExist)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "large.wgsl"), []byte(strings.Repeat(" ", 3*shader.MaxSource)), 0o600))
	text, err := ReadShader(filepath.Join(dir, "large.wgsl"))
	require.NoError(t, err)
	require.Len(t, text, shader.MaxSource+1)
}
