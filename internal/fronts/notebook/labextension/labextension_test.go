package labextension

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// about is what JupyterLab reads in package.json.
type about struct {
	Name       string
	JupyterLab struct {
		Extension bool
		Build     struct{ Load, Extension string } `json:"_build"`
	}
}

func TestInstalls(t *testing.T) {
	root := t.TempDir()
	require.NotEmpty(t, Missing(root))
	old := filepath.Join(Dir(root), "static", "remoteEntry.old.js")
	require.NoError(t, os.MkdirAll(filepath.Dir(old), 0o755))
	require.NoError(t, os.WriteFile(old, nil, 0o644))

	dir, err := Install(root)
	require.NoError(t, err)
	require.Empty(t, Missing(root))
	require.NoFileExists(t, old, "what an older one left is gone")

	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	require.NoError(t, err)
	var said about
	require.NoError(t, json.Unmarshal(data, &said))
	require.Equal(t, filepath.Base(dir), said.Name, "JupyterLab looks for it in the folder of its name")
	require.True(t, said.JupyterLab.Extension)
	require.Equal(t, "./extension", said.JupyterLab.Build.Extension)
	require.FileExists(t, filepath.Join(dir, said.JupyterLab.Build.Load))

	require.NoError(t, os.WriteFile(filepath.Join(dir, said.JupyterLab.Build.Load), []byte("other"), 0o644))
	require.Contains(t, Missing(root), "changed")
	require.NoError(t, os.Remove(filepath.Join(dir, said.JupyterLab.Build.Load)))
	require.Contains(t, Missing(root), "not installed")
}

// The installed script is extension.js with the language and the reader of shader cells in it.
func TestHoldsTheLanguageAndTheReaderOfCells(t *testing.T) {
	var script []byte
	for name, data := range Files() {
		if strings.HasPrefix(name, "static/") {
			script = data
		}
	}
	require.Contains(t, string(script), "\n  "+string(assist.Script()))
	require.Contains(t, string(script), "const shaderFile = "+cell.ShaderFile()+";")
	require.NotContains(t, string(script), languagePlaceholder)
	require.NotContains(t, string(script), cellPlaceholder)
}
