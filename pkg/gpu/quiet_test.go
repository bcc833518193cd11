package gpu_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
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
	children["no driver"] = func() {
		d := must(gpu.Open())
		x := must(gpu.Upload(d, []uint32{41}))
		must(0, d.Run(must(must(d.Compile("increment", increment)).Pass(one, x))))
		fmt.Println(d.Adapter(), must(gpu.Read[uint32](x)))
		d.Close()
		for _, kind := range []gpu.Kind{gpu.GPU, gpu.CPU, gpu.Simulated, "abacus"} {
			d, err := gpu.Open(gpu.Require(kind))
			fmt.Println(kind, errors.Is(err, gpu.ErrNoAdapter), err)
			if err == nil {
				d.Close()
			}
		}
	}
}

// The package writes nothing to stdout or stderr, right or wrong, and neither do
// the drivers.
func TestQuiet(t *testing.T) { onEach(t, testQuiet) }

func testQuiet(t *testing.T, on engine) {
	stdout, stderr, _ := on.child(t, "quiet")
	require.Empty(t, stdout)
	require.Empty(t, stderr)
}

// withoutDriver hides the drivers of this machine from the Vulkan loader.
var withoutDriver = []string{"VK_DRIVER_FILES=/nonexistent", "VK_ICD_FILENAMES=/nonexistent"}

// Where there is no driver, a program that does not ask for one runs all the same.
func TestNoDriver(t *testing.T) {
	stdout, stderr, _ := driver.child(t, "no driver", withoutDriver...)
	require.Empty(t, stderr)
	const none = "true opening a WebGPU device: no usable WebGPU adapter: no Vulkan, Metal or DX12 driver answered; install Mesa's CPU driver (Debian, Ubuntu: mesa-vulkan-drivers) or your GPU's, then run `wgslab doctor`"
	require.Equal(t, []string{
		"simulator (no GPU or driver needed) [42]",
		"GPU " + none,
		"CPU " + none,
		"simulator false <nil>",
		"abacus false opening a WebGPU device: no adapter is of the kind abacus",
	}, strings.Split(strings.TrimSpace(stdout), "\n"))
}

// What is asked for is opened, or nothing; an option counts more than the environment.
func TestRequire(t *testing.T) {
	there := driver.open(t).Adapter().Kind
	missing := map[gpu.Kind]gpu.Kind{gpu.GPU: gpu.CPU, gpu.CPU: gpu.GPU}[there] // as long as nobody has both
	for variable, kind := range map[string]gpu.Kind{"gpu": gpu.GPU, "cpu": gpu.CPU, "simulator": gpu.Simulated, "Simulator": gpu.Simulated, "": there} {
		t.Setenv(gpu.EngineVariable, variable)
		d, err := gpu.Open()
		if kind == missing && err != nil {
			require.ErrorIs(t, err, gpu.ErrNoAdapter)
			require.ErrorContains(t, err, fmt.Sprintf("(WGSLAB_ENGINE is %q: without it, the best that is there is taken)", variable))
		} else {
			require.NoError(t, err)
			require.Equal(t, kind, d.Adapter().Kind)
			d.Close()
		}
		d, err = gpu.Open(gpu.Require(gpu.Simulated))
		require.NoError(t, err)
		require.Equal(t, gpu.Simulated, d.Adapter().Kind)
		d.Close()
	}
	t.Setenv(gpu.EngineVariable, "vulkan")
	_, err := gpu.Open()
	require.EqualError(t, err, `opening a WebGPU device: WGSLAB_ENGINE is "vulkan"; it may be gpu, cpu or simulator, or unset for the best that is there`)
}
