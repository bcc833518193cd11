package gpu_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// A program that is built without a C compiler can use the simulator.
func TestItBuildsWithoutC(t *testing.T) {
	program := filepath.Join(t.TempDir(), "adapter")
	source := program + ".go"
	require.NoError(t, os.WriteFile(source, []byte(`package main

import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/gpu"
)

func main() {
	device, err := gpu.Open()
	fmt.Println(device.Adapter(), err)
	_, err = gpu.Open(gpu.Require(gpu.CPU))
	fmt.Println(err)
}
`), 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := exec.CommandContext(t.Context(), program)
	run.Env = append(os.Environ(), gpu.EngineVariable+"=")
	out, err = run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "simulator (no GPU or driver needed) <nil>\nopening a WebGPU device: no usable WebGPU adapter: "+
		"this program was built without cgo, which WebGPU needs; install a C compiler, leave CGO_ENABLED unset and build it again, or use the browser's WebGPU with wgslab site\n", string(out))
}
