package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

func TestWhatNeedsAClone(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range [][]string{{"install", "--plain"}, {"lab"}, {"lessons"}, {"doctor"}} {
		var stdout, stderr strings.Builder
		require.Equal(t, exitAsked, run(t.Context(), command, &stdout, &stderr))
		require.Contains(t, stderr.String(), "is not inside a clone of wgslab")
	}
}

// Without a clone, the kernel and the extension go to the user's Jupyter, or to an environment. The
// kernel is this program, wherever its folder is.
func TestInstallWithoutAClone(t *testing.T) {
	t.Chdir(t.TempDir())
	users := filepath.Join(t.TempDir(), "their data")
	t.Setenv("JUPYTER_DATA_DIR", users)
	program, err := os.Executable()
	require.NoError(t, err)
	for data, args := range map[string][]string{users: {"install"}, filepath.Join("env", "share", "jupyter"): {"install", "--prefix", "env"}} {
		var stdout, stderr strings.Builder
		require.Equal(t, exitOK, run(t.Context(), args, &stdout, &stderr), stderr.String())
		spec, err := kernelspec.Read(filepath.Join(data, "kernels", kernelspec.Name))
		require.NoError(t, err)
		require.Equal(t, []string{program, "kernel", "--connection-file", "{connection_file}"}, spec.Argv)
		require.FileExists(t, filepath.Join(data, "labextensions", "wgslab", "package.json"))
		require.Contains(t, stdout.String(), data)
	}
}

// The kernel takes GoNB only with a Go that builds its cells.
func TestTheKernelLooksForGoNB(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	require.Nil(t, gonbCommand(nil))
	gonb := filepath.Join(dir, "gonb")
	for _, name := range []string{gonb, filepath.Join(dir, "go")} {
		require.Nil(t, gonbCommand(nil))
		require.NoError(t, os.WriteFile(name, nil, 0o755))
	}
	require.Equal(t, []string{gonb, "--kernel", "{connection_file}"}, gonbCommand(nil))
	require.Equal(t, []string{"other", "-x", "--kernel", "{connection_file}"}, gonbCommand([]string{"other", "-x"}))
}

// JupyterLab gets the clone's folders, even if the user has set others, and its terminal finds
// wgslab.
func TestLabsEnvironment(t *testing.T) {
	for _, name := range []string{"JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTER_PREFER_ENV_PATH"} {
		t.Setenv(name, "/theirs")
	}
	t.Setenv("PATH", "/usr/bin")
	root := t.TempDir()
	require.NoError(t, setLabEnvironment(root))
	for _, entry := range os.Environ() {
		require.NotContains(t, entry, "/theirs")
	}
	require.Equal(t, filepath.Join(root, ".build", "jupyter", "config"), os.Getenv("JUPYTER_CONFIG_DIR"))
	program, err := os.Executable()
	require.NoError(t, err)
	require.Equal(t, filepath.Dir(program)+":/usr/bin", os.Getenv("PATH"))
}

func TestLabSaysWhenTheSetUpIsMissing(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/wgslab/wgslab\n"), 0o644))
	t.Chdir(root)
	var stdout, stderr strings.Builder
	require.Equal(t, exitNotRight, run(t.Context(), []string{"lab"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "run make setup")
}
