//go:build acceptance

package kernel

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// The suites test this package's kernel with GoNB and one more answerer (sayings), because none of
// the notebooks' cells has an execute_result yet.

const testedKernel = "wgslab-tested"

// installTested makes a kernel spec of this program. It returns the folder for JUPYTER_PATH, and
// the mark of the kernel's processes.
func installTested(t *testing.T) (path, mark string) {
	t.Helper()
	path, mark = t.TempDir(), uuid.NewString()
	argv, env := goNBCommand(t)
	env[kernelMode] = mark
	spec, err := json.Marshal(kernelspec.Spec{
		Argv:        append([]string{os.Args[0], "{connection_file}"}, argv...),
		DisplayName: testedKernel, Language: "go", InterruptMode: "message", Env: env,
	})
	require.NoError(t, err)
	dir := filepath.Join(path, "kernels", testedKernel)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kernel.json"), spec, 0o644))
	return path, mark
}

// runSuite runs a program against the kernel, and returns its output.
func runSuite(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, mark := installTested(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	suite := exec.CommandContext(ctx, name, args...)
	suite.Dir = t.TempDir()
	suite.Env = append(os.Environ(), "JUPYTER_PATH="+path)
	out, err := suite.CombinedOutput()
	t.Logf("%s", out)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(processesWith(kernelMode+"="+mark)) == 0 }, 10*time.Second, 10*time.Millisecond)
	return string(out)
}

func TestJupyterKernelTest(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	script, err := filepath.Abs("testdata/conformance.py")
	require.NoError(t, err)
	said := runSuite(t, filepath.Join(root, ".venv/bin/python"), script, filepath.Join(root, ".build/conformance"), testedKernel)
	// Paging is what the protocol gives up, and no cell clears an output.
	skipped := regexp.MustCompile(`(?m)^(test_\w+) .*skipped`).FindAllStringSubmatch(said, -1)
	var names []string
	for _, match := range skipped {
		names = append(names, match[1])
	}
	require.ElementsMatch(t, []string{"test_clear_output", "test_pager"}, names)
}

// testbed names a folder with runtimed/kernel-testbed, a suite in Rust.
const testbed = "WGSLAB_KERNEL_TESTBED"

func TestKernelTestbed(t *testing.T) {
	source := os.Getenv(testbed)
	if source == "" {
		t.Skipf("%s names no clone of https://github.com/runtimed/kernel-testbed; with one, and with cargo, this test runs its 27 tests", testbed)
	}
	dir := t.TempDir()
	for _, part := range []string{"src", "snippets"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(source, part))))
	}
	manifest, err := os.ReadFile(filepath.Join(source, "Cargo.toml"))
	require.NoError(t, err)
	fitTestbed(t, dir, string(manifest))
	target := filepath.Join(source, "target") // cargo's own place: it builds once
	build := exec.Command("cargo", "build", "--quiet", "--manifest-path", filepath.Join(dir, "Cargo.toml"), "--target-dir", target)
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	said := runSuite(t, filepath.Join(target, "debug", "jupyter-kernel-test"), "--timeout", "60000", "--format", "json", testedKernel)
	var report struct {
		Results []struct {
			Name   string
			Result json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal([]byte(said), &report))
	require.Len(t, report.Results, 27)
	for _, r := range report.Results {
		require.Contains(t, string(r.Result), `"pass"`, r.Name)
		require.NotContains(t, string(r.Result), "partial", r.Name)
	}
}

// fitTestbed makes the suite build from the registry's crates, and replaces its snippets by cells:
// GoNB's statements go below %%, and nothing is downloaded.
func fitTestbed(t *testing.T, dir, manifest string) {
	t.Helper()
	manifest = regexp.MustCompile(`git = "[^"]*", branch = "[^"]*"`).ReplaceAllString(manifest, `version = "1.4"`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Cargo.toml"), []byte(manifest), 0o644))

	path := filepath.Join(dir, "snippets", "snippets.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var snippets map[string]any
	require.NoError(t, json.Unmarshal(text, &snippets))
	code := snippets["languages"].(map[string]any)["go"].(map[string]any)
	for _, name := range []string{"print_hello", "print_stderr", "sleep_code"} {
		code[name] = "%%\n" + code[name].(string)
	}
	code["complete_code"] = "%%\nfmt.Print()"
	code["completion_setup"] = "var testVariableForCompletion = 42"
	code["simple_expr"], code["rich_execute_result_code"] = "%%say result", "%%say result"
	code["input_prompt"] = "%with_inputs\n!read name"
	const imports = "%noautoget\nimport \"github.com/janpfeifer/gonb/gonbui\"\n%%\n"
	code["display_data_code"] = imports + "gonbui.DisplayHTML(\"<b>bold</b>\")\ngonbui.Sync()"
	code["update_display_data_code"] = imports + "gonbui.UpdateHTML(\"it\", \"one\")\ngonbui.UpdateHTML(\"it\", \"two\")\ngonbui.Sync()"
	text, err = json.Marshal(snippets)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o644))
}

// starts is how often TestStartsAndEndsLeaveNothing starts a kernel, unless WGSLAB_STARTS says so.
const starts = 30

// TestStartsAndEndsLeaveNothing ends kernels in three ways: killed in a cell, killed at some moment
// of their life, and as Jupyter ends them. No process and no temporary file outlives them.
func TestStartsAndEndsLeaveNothing(t *testing.T) {
	count := starts
	if n, err := strconv.Atoi(os.Getenv("WGSLAB_STARTS")); err == nil {
		count = n
	}
	temporary, err := os.MkdirTemp("/tmp", "starts") // a short path, for sockets
	require.NoError(t, err)
	defer os.RemoveAll(temporary)
	t.Setenv("TMPDIR", temporary)
	for i := range count {
		k := overFake(t)
		switch i % 3 {
		case 0:
			c := k.connect()
			id := c.run(jupytertest.Endless)
			c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Parent.ID == id && m.Header.Type == "stream" })
			require.NoError(t, k.process.Signal(os.Kill))
		case 1:
			time.Sleep(time.Duration(i%150) * time.Millisecond)
			require.NoError(t, k.process.Signal(os.Kill))
		case 2:
			c := k.connect()
			c.ask(c.sockets.Control, "shutdown_request", map[string]any{"restart": false})
		}
		k.requireNothingLeft()
		require.Eventually(t, func() bool {
			left, err := filepath.Glob(filepath.Join(temporary, "*", "wgslab-kernel-*")) // GoNB's, in the front's
			return err == nil && len(left) == 0
		}, 10*time.Second, 5*time.Millisecond, "files are left")
		require.NoError(t, k.process.Kill())
	}
	left, err := filepath.Glob(filepath.Join(temporary, "wgslab-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
