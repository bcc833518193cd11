package gpu_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/gpu"
)

func init() {
	children["quiet"] = func() {
		d := must(gpu.Open())
		if _, err := d.Compile("bad", "fn main() { let x: f32 = 1u; }"); err == nil {
			os.Exit(4)
		}
		x := must(gpu.Upload(d, []uint32{1}))
		k := must(d.Compile("increment", increment))
		if _, err := k.Pass(one); err == nil {
			os.Exit(5)
		}
		p := must(k.Pass(one, x))
		must(0, d.Run(p))
		if d.Adapter().Timestamps {
			must(d.Time(p))
		}
		if got := must(gpu.Read[uint32](x)); got[0] < 2 {
			os.Exit(6)
		}
		d.Close()
	}
	children["no adapter"] = func() {
		_, err := gpu.Open()
		if !errors.Is(err, gpu.ErrNoAdapter) {
			fmt.Println("not ErrNoAdapter:", err)
			return
		}
		if file := os.Getenv("GPU_TEST_ERROR"); file != "" {
			must(0, os.WriteFile(file, []byte(err.Error()), 0o600))
		}
	}
}

// The package writes nothing to stdout or stderr, right or wrong, and neither do
// the drivers.
func TestQuiet(t *testing.T) {
	stdout, stderr, _ := child(t, "quiet")
	require.Empty(t, stdout)
	require.Empty(t, stderr)
}

func TestNoAdapter(t *testing.T) {
	file := t.TempDir() + "/error"
	stdout, stderr, _ := child(t, "no adapter", "VK_DRIVER_FILES=/nonexistent", "VK_ICD_FILENAMES=/nonexistent", "GPU_TEST_ERROR="+file)
	require.Empty(t, stdout)
	require.Empty(t, stderr)
	message, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "opening a WebGPU device: no usable WebGPU adapter: no Vulkan, Metal or DX12 driver answered; install Mesa's CPU driver (Debian, Ubuntu: mesa-vulkan-drivers) or your GPU's, then run `wgslab doctor`", string(message))
}
