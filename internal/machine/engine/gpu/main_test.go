package gpu_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// childVariable names the child process that this binary plays: some tests hang a driver thread or
// would end the process.
const childVariable = "GPU_TEST_CHILD"

var children = map[string]func(){}

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		children[name]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// An engine is the engine of a test, in the notation of WGSLAB_ENGINE.
type engine string

const (
	driver    engine = "" // the best on this machine
	simulated engine = "simulator"
)

// onEach runs a test on this machine's driver and on the simulator: the device must behave the same
// on both, with the same messages.
func onEach(t *testing.T, test func(*testing.T, engine)) {
	t.Run("driver", func(t *testing.T) { test(t, driver) })
	t.Run("simulator", func(t *testing.T) { test(t, simulated) })
}

func (on engine) open(t testing.TB, options ...gpu.Option) *gpu.Device {
	t.Helper()
	t.Setenv(gpu.EngineVariable, string(on))
	d, err := gpu.Open(options...)
	require.NoError(t, err)
	require.Equal(t, on == simulated, d.Adapter().Kind == shader.Simulated, "on a machine without a driver only -run /simulator can pass")
	t.Cleanup(d.Close)
	return d
}

// child runs this binary as children[name] with more environment variables. It removes the desktop
// session's variables, because Mesa prints comments on them. It fails the test if the child does
// not end by itself with status 0.
func (on engine) child(t *testing.T, name string, environment ...string) (stdout, stderr string, took time.Duration) {
	t.Helper()
	require.Contains(t, children, name)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "XDG_RUNTIME_DIR=") })
	command.Env = append(append(command.Env, childVariable+"="+name, gpu.EngineVariable+"="+string(on)), environment...)
	var out, err bytes.Buffer
	command.Stdout, command.Stderr = &out, &err
	started := time.Now()
	failure := command.Run()
	require.NoError(t, failure, "child %s printed\n%s%s", name, out.String(), err.String())
	return out.String(), err.String(), time.Since(started)
}

// must ends a child that cannot continue.
func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(3)
	}
	return value
}

func compile(t testing.TB, d *gpu.Device, source string) *gpu.Pipeline {
	t.Helper()
	k, err := d.Compile("pipeline", source)
	require.NoError(t, err)
	return k
}

func upload[T gpu.Element](t testing.TB, d *gpu.Device, values ...T) *gpu.Buffer {
	t.Helper()
	b, err := gpu.Upload(d, values)
	require.NoError(t, err)
	return b
}

func alloc[T gpu.Element](t testing.TB, d *gpu.Device, n int) *gpu.Buffer {
	t.Helper()
	b, err := gpu.Alloc[T](d, n)
	require.NoError(t, err)
	return b
}

func read[T gpu.Element](t testing.TB, b *gpu.Buffer) []T {
	t.Helper()
	values, err := gpu.Read[T](b)
	require.NoError(t, err)
	return values
}

func bind(t testing.TB, k *gpu.Pipeline, workgroups [3]uint32, buffers ...*gpu.Buffer) gpu.Pass {
	t.Helper()
	p, err := k.Pass(workgroups, buffers...)
	require.NoError(t, err)
	return p
}

var one = [3]uint32{1, 1, 1}

// increment adds 1 to each element of its only buffer.
const increment = `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x)) { x[id.x] += 1u; }
}`

// double makes y twice x.
const double = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x)) { y[id.x] = 2.0 * x[id.x]; }
}`
