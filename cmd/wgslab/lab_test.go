package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInstallNeedsAClone(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{"install", "lab", "doctor"} {
		var stdout, stderr strings.Builder
		require.Equal(t, exitAsked, run(t.Context(), []string{command}, &stdout, &stderr))
		require.Contains(t, stderr.String(), "is not inside a clone of wgslab")
	}
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
