package kernelspec

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeSpec installs a kernel spec under a data folder.
func writeSpec(t *testing.T, data, name, content string) {
	t.Helper()
	dir := filepath.Join(data, "kernels", name)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kernel.json"), []byte(content), 0o644))
}

const someSpec = `{"argv": ["run", "{connection_file}"], "display_name": "D", "language": "go"}`

func TestFindFollowsThePath(t *testing.T) {
	first, user := t.TempDir(), t.TempDir()
	prefix := t.TempDir()
	t.Setenv("JUPYTER_PATH", first)
	t.Setenv("JUPYTER_DATA_DIR", user)

	writeSpec(t, user, "k", someSpec)
	requireFound(t, user, prefix)
	writeSpec(t, filepath.Join(prefix, "share", "jupyter"), "k", someSpec)
	requireFound(t, filepath.Join(prefix, "share", "jupyter"), prefix)
	writeSpec(t, first, "k", someSpec)
	requireFound(t, first, prefix)
}

func requireFound(t *testing.T, data, prefix string) {
	t.Helper()
	spec, err := Find("k", prefix)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(data, "kernels", "k"), spec.Dir)
	require.Equal(t, "k", spec.Name)
	require.Equal(t, "go", spec.Language)
}

func TestFindSaysWhatThereIs(t *testing.T) {
	data := t.TempDir()
	t.Setenv("JUPYTER_PATH", data)
	writeSpec(t, data, "wgslab-test-kernel", someSpec)
	_, err := Find("nope")
	var missing *MissingError
	require.ErrorAs(t, err, &missing)
	require.Contains(t, missing.Known, "wgslab-test-kernel")
	require.Contains(t, missing.Dirs, data)
	require.ErrorContains(t, err, `no kernel is named "nope"`)
}

func TestBadSpecs(t *testing.T) {
	for content, want := range map[string]string{
		`not JSON`:     "invalid character",
		`{"argv": []}`: "has no argv",
	} {
		data := t.TempDir()
		t.Setenv("JUPYTER_PATH", data)
		writeSpec(t, data, "bad", content)
		_, err := Find("bad")
		require.ErrorContains(t, err, want)
	}
}

func TestSpecEnvironment(t *testing.T) {
	t.Setenv("PATH", "/usr/bin")
	t.Setenv("HOME", "/home/me")
	spec := Spec{
		Dir: "/opt/env/share/jupyter/kernels/k",
		Env: map[string]string{"PATH": "/x:${PATH}", "A": "$HOME/$UNKNOWN_THING/$$"},
	}
	env := spec.Environ()
	require.Equal(t, "/x:/opt/env/bin:/usr/bin", env["PATH"])
	require.Equal(t, "/home/me/$UNKNOWN_THING/$", env["A"])
}

func TestSpecCommand(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "prog")
	require.NoError(t, os.WriteFile(program, nil, 0o755))
	spec := Spec{
		Dir:  "/opt/env/share/jupyter/kernels/k",
		Argv: []string{"prog", "-f={connection_file}", "{resource_dir}/r", "{prefix}/p"},
	}
	found, args, err := spec.Command("/c.json", map[string]string{"PATH": "/nowhere:" + dir})
	require.NoError(t, err)
	require.Equal(t, program, found)
	require.Equal(t, []string{"-f=/c.json", "/opt/env/share/jupyter/kernels/k/r", "/opt/env/p"}, args)
}
