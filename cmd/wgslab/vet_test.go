package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

const (
	vetRight   = "@compute @workgroup_size(1) fn main() {}\n"
	vetWrong   = "@compute @workgroup_size(1) fn main() { let x = 1 }\n"
	vetWarning = "@group(0) @binding(0) var<storage, read> a: array<f32>;\n" + vetRight
)

// vetFolder is the folder to work in: right.wgsl, below/wrong.wgsl, and what is left out.
func vetFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"right.wgsl": vetRight, "below/wrong.wgsl": vetWrong, "warning.wgsl": vetWarning,
		".hidden/wrong.wgsl": vetWrong, "notes.txt": "no shader", "empty/notes.txt": "no shader",
		"large.txt": strings.Repeat("/", shader.MaxSource+1), "just-so.txt": strings.Repeat("/", shader.MaxSource),
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

// vetted are the files and codes of the JSON report.
func vetted(t *testing.T, args ...string) (code int, found []string) {
	t.Helper()
	code, stdout, stderr := wgslab(t, append([]string{"vet", "--json"}, args...)...)
	require.Empty(t, stderr)
	var list []struct{ File, Code string }
	require.NoError(t, json.Unmarshal([]byte(stdout), &list), stdout)
	for _, f := range list {
		found = append(found, filepath.ToSlash(f.File)+" "+f.Code)
	}
	return code, found
}

func TestVetExitCodes(t *testing.T) {
	vetFolder(t)
	for name, c := range map[string]struct {
		args  []string
		code  int
		found []string
	}{
		"right":        {[]string{"right.wgsl"}, exitOK, nil},
		"wrong":        {[]string{"below/wrong.wgsl"}, exitNotRight, []string{"below/wrong.wgsl missing-semicolon"}},
		"warning":      {[]string{"warning.wgsl"}, exitOK, []string{"warning.wgsl unused-binding"}},
		"a folder":     {[]string{"."}, exitNotRight, []string{"below/wrong.wgsl missing-semicolon", "warning.wgsl unused-binding"}},
		"a hidden one": {[]string{".hidden"}, exitNotRight, []string{".hidden/wrong.wgsl missing-semicolon"}},
		"a pattern":    {[]string{"[rw]*.wgsl"}, exitOK, []string{"warning.wgsl unused-binding"}},
		"folders too":  {[]string{"b*"}, exitNotRight, []string{"below/wrong.wgsl missing-semicolon"}},
		"twice":        {[]string{"warning.wgsl", "./warning.wgsl"}, exitOK, []string{"warning.wgsl unused-binding"}},
	} {
		code, found := vetted(t, c.args...)
		assert.Equal(t, c.code, code, name)
		assert.Equal(t, c.found, found, name)
	}
}

// A target comes from --target, or else from the project; what it lacks is an error.
func TestVetTargets(t *testing.T) {
	vetFolder(t)
	const needs = "requires linear_indexing;\n" + vetRight
	require.NoError(t, os.WriteFile("right.wgsl", []byte(needs), 0o644))
	for _, c := range []struct {
		project string
		args    []string
		code    int
		said    string
	}{
		{"", nil, exitOK, "info: Safari 26.5, Firefox 151 and wgpu 30 have no `linear_indexing`"},
		{"", []string{"--target", "chrome-150"}, exitOK, "1 shader, nothing found"},
		{"", []string{"--target", "safari-26,firefox-151"}, exitNotRight, "error: Safari 26 and Firefox 151 have no `linear_indexing`. [target-lacks]"},
		{"target = 'safari-26'", nil, exitNotRight, "error: Safari 26 has no `linear_indexing`"},
		{"target = 'safari-26'", []string{"--target", "chrome-150"}, exitOK, "nothing found"},
		{"target = 'safari-26'\n[[variant]]\nname = 'a'\n[[variant]]\nname = 'b'", nil, exitNotRight, "1 error in 1 of 1 shader"},
		{"target = 'safari-new'", nil, exitAsked, "wgslab.toml: target: \"new\" isn't a version of Safari"},
	} {
		require.NoError(t, os.WriteFile("wgslab.toml", []byte(c.project), 0o644))
		code, stdout, stderr := wgslab(t, append([]string{"vet", "right.wgsl"}, c.args...)...)
		assert.Equal(t, c.code, code, c.project)
		assert.Contains(t, stdout+stderr, c.said, c.project)
	}
	const large = "var<workgroup> a: array<u32, 5000>;\n@compute @workgroup_size(1024) fn main() { a[0] = 1; _ = a[1]; }\n"
	for target, said := range map[string]string{"core": "\n2 errors in", "chrome-150": "\n2 warnings in"} {
		_, stdout, _ := wgslab(t, "vet", "--target", target, shaderFile(t, large))
		assert.Contains(t, stdout, said, "a limit is told once")
	}
	code, table, _ := wgslab(t, "vet", "--targets")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, table, "linear_indexing")
}

func TestVetAskedWrongly(t *testing.T) {
	vetFolder(t)
	for name, c := range map[string]struct {
		args []string
		said string
	}{
		"no file named":  {nil, "name a shader or a folder: there is no wgslab.toml here or above"},
		"unknown format": {[]string{"right.wgsl", "--format", "xml"}, `there is no format "xml"`},
		"two formats":    {[]string{"right.wgsl", "--format", "sarif", "--json"}, "exclude each other: choose one"},
		"no such target": {[]string{"right.wgsl", "--target", "opera-1"}, `--target: there is no target "opera-1"`},
		"two questions":  {[]string{"right.wgsl", "--targets"}, "--targets prints a table, and takes no files"},
	} {
		code, stdout, stderr := wgslab(t, append([]string{"vet"}, c.args...)...)
		assert.Equal(t, exitAsked, code, name)
		assert.Empty(t, stdout, name)
		assert.Contains(t, stderr, c.said, name)
	}
	code, _ := vetted(t, "just-so.txt")
	assert.Equal(t, exitOK, code, "one comment, as large as may be")
}

// unreadable puts files into a folder that can't be read as shaders, and returns what is said of
// each.
func unreadable(t *testing.T, folder string) map[string]string {
	t.Helper()
	in := func(name string) string { return filepath.Join(folder, name) }
	said := map[string]string{
		in("large.wgsl"): "is larger than 256 KiB", in("dangling.wgsl"): "no such file", in("pipe.wgsl"): "is a pipe",
		in("folder.wgsl"): "is a folder", in("loop.wgsl"): "too many levels", in("null.wgsl"): "is a device",
	}
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(in("large.wgsl"), []byte(strings.Repeat("/", shader.MaxSource+1)), 0o644))
	require.NoError(t, syscall.Mkfifo(in("pipe.wgsl"), 0o644))
	for name, to := range map[string]string{"dangling.wgsl": "nowhere", "folder.wgsl": ".", "loop.wgsl": "loop.wgsl", "null.wgsl": "/dev/null"} {
		require.NoError(t, os.Symlink(to, in(name)))
	}
	if os.Geteuid() == 0 {
		t.Log("left out: files without permission, because root reads them as well")
		return said
	}
	require.NoError(t, os.WriteFile(in("locked.wgsl"), nil, 0))
	require.NoError(t, os.Mkdir(in("locked"), 0))
	said[in("locked.wgsl")], said[in("locked")] = "permission denied", "permission denied"
	return said
}

// A file that can't be read hides no other, in none of the reports, and a pipe doesn't hang.
func TestVetGoesOn(t *testing.T) {
	vetFolder(t)
	said := unreadable(t, "bad")
	said["none.wgsl"], said["x*.wgsl"], said["[.wgsl"], said["empty"] = "there is no file none.wgsl", "no file matches", "syntax error in pattern", "there is no .wgsl or .wesl file in the folder empty"
	args := []string{"none.wgsl", "bad", "x*.wgsl", "[.wgsl", "empty", "below/wrong.wgsl"}

	code, stdout, stderr := wgslab(t, append([]string{"vet", "--json"}, args...)...)
	require.Equal(t, exitAsked, code)
	require.Equal(t, fmt.Sprintf("wgslab: %d files could not be read\n", len(said)), stderr)
	var list []struct {
		File, Code, Severity, Message string
		Line                          int
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &list), stdout)
	require.Len(t, list, len(said)+1)
	for _, f := range list[:len(said)] {
		assert.Equal(t, []string{"unreadable-file", "error"}, []string{f.Code, f.Severity})
		assert.Equal(t, 1, f.Line, "readers of the report need a line")
		assert.Contains(t, f.Message, said[f.File], f.File)
		assert.NotEmpty(t, said[f.File], f.File)
	}
	assert.Equal(t, "missing-semicolon", list[len(said)].Code)

	code, stdout, _ = wgslab(t, append([]string{"vet"}, args...)...)
	require.Equal(t, exitAsked, code)
	assert.Contains(t, stdout, "bad/pipe.wgsl: error: bad/pipe.wgsl is a pipe: save its content in a file, and name that [unreadable-file]\n")
	assert.Contains(t, stdout, "below/wrong.wgsl:1:49: error: ")
	assert.Contains(t, stdout, fmt.Sprintf("1 error in 1 of 1 shader; %d files could not be read\n", len(said)))

	code, stdout, _ = wgslab(t, append([]string{"vet", "--format", "sarif"}, args...)...)
	require.Equal(t, exitAsked, code)
	var log struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &log))
	require.Len(t, log.Runs[0].Results, len(said)+1)
	assert.Equal(t, "unreadable-file", log.Runs[0].Results[0].RuleID)

	code, stdout, _ = wgslab(t, "vet", "none.wgsl", "right.wgsl")
	require.Equal(t, exitAsked, code)
	assert.Contains(t, stdout, "1 shader, nothing found; 1 file could not be read\n")
}

func TestVetShowsThePlace(t *testing.T) {
	vetFolder(t)
	code, stdout, stderr := wgslab(t, "vet", "below/wrong.wgsl")
	assert.Equal(t, exitNotRight, code)
	assert.Empty(t, stderr, "the report says it all")
	assert.Contains(t, stdout, "below/wrong.wgsl:1:49: error: ")
	assert.Contains(t, stdout, "^")
	assert.Contains(t, stdout, "1 error in 1 of 1 shader\n")
}

func TestVetAsSARIF(t *testing.T) {
	vetFolder(t)
	code, stdout, stderr := wgslab(t, "vet", ".", "--format", "sarif")
	assert.Equal(t, exitNotRight, code)
	assert.Empty(t, stderr)
	var log struct {
		Version string
		Runs    []struct{ Results []any }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &log))
	assert.Equal(t, "2.1.0", log.Version)
	assert.Len(t, log.Runs[0].Results, 2)
}

// Without a GPU, and with the shader from a pipe.
func TestVetStandardInputWithoutAnAdapter(t *testing.T) {
	command := exec.CommandContext(t.Context(), buildCommand(t), "vet", "-")
	command.Env = append(os.Environ(), "VK_DRIVER_FILES=/nonexistent", "VK_ICD_FILENAMES=/nonexistent")
	command.Stdin = strings.NewReader(vetWrong)
	out, err := command.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, exitNotRight, exit.ExitCode())
	assert.Contains(t, string(out), "<stdin>:1:49: error: ")
}

func TestVetInterrupted(t *testing.T) {
	vetFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, said bytes.Buffer
	assert.Equal(t, exitInterrupted, run(ctx, []string{"vet", "."}, &out, &said))
	assert.Empty(t, out.String())
}
