package wgpu_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	ours = "github.com/wgslab/wgslab/pkg/wgpu"
	real = "github.com/cogentcore/webgpu/wgpu"
)

// build compiles the programs in testdata with one of the two packages, with more source files
// beside main.go. The source text is the same but for the import path.
func build(t *testing.T, folder, importPath string, more ...string) string {
	t.Helper()
	source, err := filepath.Abs(filepath.Join("testdata", folder, "main.go"))
	require.NoError(t, err)
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	replace := map[string]string{}
	for i, text := range append(more, string(text)) {
		name := source
		if i < len(more) {
			name = filepath.Join(filepath.Dir(source), fmt.Sprintf("more%d.go", i))
		}
		require.Equal(t, 1, strings.Count(text, ours))
		replace[name] = filepath.Join(t.TempDir(), filepath.Base(name))
		require.NoError(t, os.WriteFile(replace[name], []byte(strings.Replace(text, ours, importPath, 1)), 0o600))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	replaced := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(replaced, overlay, 0o600))
	binary := filepath.Join(t.TempDir(), "programs")
	out, err := exec.Command("go", "build", "-overlay", replaced, "-o", binary, "./testdata/"+folder).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// run runs the programs and returns what they printed.
func run(t *testing.T, binary, engine string, programs ...string) string {
	t.Helper()
	command := exec.Command(binary, programs...)
	command.Env = append(os.Environ(), "WGSLAB_ENGINE="+engine, "NODEVICE_SELECT=1")
	out, err := command.Output()
	if command.ProcessState.ExitCode() == 3 {
		t.Skipf("left out: %s", out)
	}
	require.NoError(t, err, "%s\n%s", out, stderrOf(err))
	return string(out)
}

func stderrOf(err error) string {
	if exit, ok := err.(*exec.ExitError); ok {
		return string(exit.Stderr)
	}
	return ""
}

// A program runs on both packages after a change of its import path, and leaves the same bits.
func TestOneSourceOnBothPackages(t *testing.T) {
	mine := build(t, "programs", ours)
	simulated := run(t, mine, "simulator")
	require.Equal(t, 20, strings.Count(simulated, "\n"), simulated)
	require.NotContains(t, simulated, "false")
	t.Run("driver", func(t *testing.T) {
		theirs := run(t, build(t, "programs", real), "")
		require.Equal(t, theirs, run(t, mine, ""))
		require.Equal(t, theirs, simulated)
	})
}
