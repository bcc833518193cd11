package gpu_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
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
		for _, kind := range []shader.AdapterKind{shader.GPU, shader.CPU, shader.Simulated, "abacus"} {
			d, err := gpu.Open(gpu.Require(kind))
			fmt.Println(kind, errors.Is(err, shader.ErrNoAdapter), err)
			if err == nil {
				d.Close()
			}
		}
	}
}

// The package and the drivers write nothing to stdout or stderr, even after errors.
func TestQuiet(t *testing.T) { onEach(t, testQuiet) }

func testQuiet(t *testing.T, on engine) {
	stdout, stderr, _ := on.child(t, "quiet")
	require.Empty(t, stdout)
	require.Empty(t, stderr)
}

// withoutDriver hides the drivers of this machine from the Vulkan loader.
var withoutDriver = []string{"VK_DRIVER_FILES=/nonexistent", "VK_ICD_FILENAMES=/nonexistent"}

// Without a driver, a program that does not require one still runs.
func TestNoDriver(t *testing.T) {
	stdout, stderr, _ := driver.child(t, "no driver", withoutDriver...)
	require.Empty(t, stderr)
	const none = "true opening a WebGPU device: no usable WebGPU adapter: no Vulkan, Metal or DX12 driver answered; install Mesa's CPU driver (Debian, Ubuntu: mesa-vulkan-drivers) or your GPU's, then run `wgslab doctor`"
	require.Equal(t, []string{
		"simulator (no GPU or driver needed) [42]",
		"GPU " + none,
		"CPU " + none,
		"simulator false <nil>",
		"abacus false opening a WebGPU device: there is no adapter of the kind abacus",
	}, strings.Split(strings.TrimSpace(stdout), "\n"))
}

// Open opens the requested kind or nothing; an option overrides the environment.
func TestRequire(t *testing.T) {
	there := driver.open(t).Adapter().Kind
	missing := map[shader.AdapterKind]shader.AdapterKind{shader.GPU: shader.CPU, shader.CPU: shader.GPU}[there] // valid while no machine has both
	for variable, kind := range map[string]shader.AdapterKind{"gpu": shader.GPU, "cpu": shader.CPU, "simulator": shader.Simulated, "Simulator": shader.Simulated, "": there} {
		t.Setenv(gpu.EngineVariable, variable)
		d, err := gpu.Open()
		if kind == missing && err != nil {
			require.ErrorIs(t, err, shader.ErrNoAdapter)
			require.ErrorContains(t, err, fmt.Sprintf("(WGSLAB_ENGINE is %q; unset it to use the best one available)", variable))
		} else {
			require.NoError(t, err)
			require.Equal(t, kind, d.Adapter().Kind)
			d.Close()
		}
		d, err = gpu.Open(gpu.Require(shader.Simulated))
		require.NoError(t, err)
		require.Equal(t, shader.Simulated, d.Adapter().Kind)
		d.Close()
	}
	t.Setenv(gpu.EngineVariable, "vulkan")
	_, err := gpu.Open()
	require.EqualError(t, err, `opening a WebGPU device: WGSLAB_ENGINE: there is no engine "vulkan"; choose one of auto, gpu, cpu, simulator`)
}
