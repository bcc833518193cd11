package learner

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Callers tell a file that is not there from one that can't be read.
func TestReadShader(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "relu.wgsl")
	_, err := ReadShader(path)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.EqualError(t, err, "there is no file "+path+": give the path of your shader")
	// The cell names the file as seen from the notebooks, wherever the command runs.
	for _, folder := range []string{"work", "lessons/work", "../notebooks/work"} {
		missing := filepath.Join(filepath.FromSlash(folder), "relu.wgsl")
		_, err = ReadShader(missing)
		require.EqualError(t, err, "there is no file "+missing+" yet: in lesson 4, run the cell that starts with %%writefile work/relu.wgsl, then check again")
	}

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
