package labextension

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
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

// The script that is installed has the words of the front end in it, and is otherwise extension.js.
func TestWordsOfTheLanguage(t *testing.T) {
	var script []byte
	for name, data := range Files() {
		if strings.HasPrefix(name, "static/") {
			script = data
		}
	}
	before, after, found := bytes.Cut(source, []byte(placeholder))
	require.True(t, found)
	require.True(t, bytes.HasPrefix(script, before))
	require.True(t, bytes.HasSuffix(script, after))

	var w words
	require.NoError(t, json.Unmarshal(script[len(before):len(script)-len(after)], &w))
	assert.Equal(t, syntax.Keywords(), w.Keywords)
	assert.Contains(t, w.Reserved, "std")
	assert.Subset(t, w.Types, []string{"f32", "vec3u", "array", "texture_2d", "sampler"})
	assert.Subset(t, w.Enumerants, []string{"storage", "read_write", "rgba8unorm"})
	assert.Subset(t, w.BuiltinValues, []string{"position", "global_invocation_id"})
	assert.Len(t, w.Functions, len(types.Builtins(types.FunctionBuiltin)))
	for _, name := range []string{"keywords", "reserved", "types", "functions", "enumerants", "builtinValues"} {
		assert.Contains(t, string(source), "words."+name, "the script reads the list")
	}
}
