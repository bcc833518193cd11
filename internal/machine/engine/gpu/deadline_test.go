package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// neverEnding bodies cannot be detected in advance: y[1] never changes, and the last one would end
// after days.
var neverEnding = map[string]string{
	"stores":  "loop { y[0] += 1.0; if (y[1] > 0.5) { break; } }",
	"while":   "while (y[1] < 0.5) { y[0] += 1.0; }",
	"compute": "for (var i = 0u; i < 4000000000u; i++) { for (var j = 0u; j < 4000000000u; j++) { y[0] += sin(y[0] + f32(i)); } }",
}

func hangingPass(d *gpu.Device, body string) (gpu.Pass, *gpu.Buffer) {
	y := must(gpu.Upload(d, []float32{42, 0}))
	k := must(d.Compile("hang", "@group(0) @binding(0) var<storage, read_write> y: array<f32>;\n@compute @workgroup_size(1) fn main() { "+body+" }"))
	return must(k.Pass(one, y)), y
}

// report prints how long a call took and how it ended, for the parent process to check.
func report(what string, call func() error) {
	started := time.Now()
	err := call()
	fmt.Printf("%s: %v after %d ms; lost %t\n", what, err, time.Since(started).Milliseconds(), errors.Is(err, shader.ErrLost))
}

const childDeadline = 300 * time.Millisecond

func init() {
	for name, body := range neverEnding {
		children["hang "+name] = func() {
			d := must(gpu.Open(gpu.WithDeadline(childDeadline)))
			p, y := hangingPass(d, body)
			if d.Lost() != nil {
				panic("lost before it ran")
			}
			report("run", func() error { return d.Run(p) })
			report("lost", d.Lost)
			report("read", func() error { return second(gpu.Read[float32](y)) })
			report("write", func() error { return gpu.Write(y, []float32{1}) })
			report("run again", func() error { return d.Run(p) })
			report("compile", func() error { return second(d.Compile("more", increment)) })
			report("alloc", func() error { return second(gpu.Alloc[float32](d, 1)) })
			report("free", func() error { y.Free(); p.Free(); return shader.ErrLost })
			report("close", func() error { d.Close(); d.Close(); return shader.ErrLost })
		}
	}
	children["hang while reading"] = func() {
		d := must(gpu.Open(gpu.WithDeadline(childDeadline)))
		p, y := hangingPass(d, neverEnding["stores"])
		must(0, d.Submit(p))
		report("read", func() error { return second(gpu.Read[float32](y)) })
		report("close", func() error { d.Close(); return shader.ErrLost })
	}
	children["hang in the first of two passes"] = func() {
		d := must(gpu.Open(gpu.WithDeadline(childDeadline)))
		p, y := hangingPass(d, neverEnding["stores"])
		k := must(d.Compile("double", double))
		report("run", func() error { return d.Run(p, must(k.Pass(one, y, must(gpu.Alloc[float32](d, 2))))) })
	}
	children["hang and go on"] = func() {
		d := must(gpu.Open(gpu.WithDeadline(childDeadline)))
		p, _ := hangingPass(d, neverEnding["stores"])
		k := must(d.Compile("increment", increment))
		must(0, d.Submit(p))
		x := must(gpu.Upload(d, make([]uint32, 1000)))
		q := must(k.Pass(one, x))
		must(gpu.Upload(d, []uint32{1})).Free()
		must(0, gpu.Write(x, []uint32{1, 2, 3}))
		report("run", func() error { return d.Run(q) })
	}
	children["hang while timing"] = func() {
		d := must(gpu.Open(gpu.WithDeadline(childDeadline)))
		p, _ := hangingPass(d, neverEnding["stores"])
		report("time", func() error { return second(d.Time(p)) })
		report("close", func() error { d.Close(); return shader.ErrLost })
	}
	children["hang while closing"] = func() {
		d := must(gpu.Open(gpu.WithDeadline(childDeadline)))
		p, y := hangingPass(d, neverEnding["stores"])
		must(0, d.Submit(p))
		report("close", func() error { d.Close(); return second(gpu.Read[float32](y)) })
	}
	children["slow compile"] = func() {
		d := must(gpu.Open(gpu.WithDeadline(10 * time.Millisecond)))
		long := "@compute @workgroup_size(1) fn main() { var x = 1.0; " + strings.Repeat("x=x*2.+x;", 28_000) + "}"
		report("compile", func() error { return second(d.Compile("long", long)) })
		report("alloc", func() error { return second(gpu.Alloc[float32](d, 1)) })
		report("close", func() error { d.Close(); return shader.ErrLost })
	}
	for name, breakIt := range map[string]func(*gpu.Device){"device": gpu.BreakDevice, "queue": gpu.BreakQueue} {
		children["break "+name] = func() {
			d := must(gpu.Open())
			x := must(gpu.Upload(d, []uint32{1}))
			p := must(must(d.Compile("increment", increment)).Pass(one, x))
			must(0, d.Run(p))
			breakIt(d)
			if name == "device" {
				report("wait", d.Wait)
			} else {
				report("run", func() error { return d.Run(p) })
			}
			report("read", func() error { return second(gpu.Read[uint32](x)) })
			report("close", func() error { d.Close(); return shader.ErrLost })

			runtime.GC()
			another := must(gpu.Open())
			x = must(gpu.Upload(another, []uint32{41}))
			must(0, another.Run(must(must(another.Compile("increment", increment)).Pass(one, x))))
			if got := must(gpu.Read[uint32](x)); got[0] != 42 {
				os.Exit(4)
			}
			another.Close()
		}
	}
	children["abort elsewhere"] = func() {
		must(gpu.Open())
		must(0, syscall.Kill(os.Getpid(), syscall.SIGABRT))
		time.Sleep(promptly)
	}
	children["interrupt"] = func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		d := must(gpu.Open()).WithContext(ctx)
		p, y := hangingPass(d, neverEnding["stores"])
		must(0, d.Submit(p))
		time.AfterFunc(childDeadline, func() { must(0, syscall.Kill(os.Getpid(), syscall.SIGINT)) })
		report("run", func() error {
			err := d.Wait()
			if !errors.Is(err, context.Canceled) {
				fmt.Println("not the context's error")
			}
			return err
		})
		report("read", func() error { return second(gpu.Read[float32](y)) })
		report("close", func() error { d.Close(); return shader.ErrLost })
	}
}

// promptly is the time allowed beyond the deadline. A loaded machine needs room, because the hung
// shader uses a whole core. NVIDIA's kernel driver takes four seconds to end a process whose shader
// hangs.
const promptly = 8 * time.Second

// requireReports checks a child's reports: each line's error, that the device counts as lost, and
// that only the first call took as long as the deadline.
func requireReports(t *testing.T, stdout string, want []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Len(t, lines, len(want), stdout)
	for i, line := range lines {
		report, rest, _ := strings.Cut(line, " after ")
		require.Equal(t, want[i], report)
		var milliseconds int64
		var lost bool
		_, err := fmt.Sscanf(rest, "%d ms; lost %t", &milliseconds, &lost)
		require.NoError(t, err, line)
		require.True(t, lost, line)
		took := time.Duration(milliseconds) * time.Millisecond
		require.Less(t, took, childDeadline+promptly, line)
		if i > 0 {
			require.Less(t, took, childDeadline, "only the first may wait: "+line)
		}
	}
}

func TestDeadline(t *testing.T) { onEach(t, testDeadline) }

func testDeadline(t *testing.T, on engine) {
	const missed = "the shader did not finish within 300ms: is there a loop that never ends?"
	for name := range neverEnding {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, took := on.child(t, "hang "+name)
			requireReports(t, stdout, []string{"run: " + missed, "lost: " + missed, "read: reading 2 values back: " + missed, "write: " + missed, "run again: " + missed,
				"compile: " + missed, "alloc: " + missed, "free: the device is lost", "close: the device is lost"})
			require.Empty(t, stderr)
			require.Less(t, took, childDeadline+promptly, "the process ends, though the driver hangs")
		})
	}
	t.Run("while reading", func(t *testing.T) {
		stdout, stderr, _ := on.child(t, "hang while reading")
		requireReports(t, stdout, []string{"read: reading 2 values back: " + missed, "close: the device is lost"})
		require.Empty(t, stderr)
	})
	for _, name := range []string{"hang in the first of two passes", "hang and go on"} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, _ := on.child(t, name)
			requireReports(t, stdout, []string{"run: " + missed})
			require.Empty(t, stderr)
		})
	}
	t.Run("while timing", func(t *testing.T) {
		if d := on.open(t); !d.Adapter().Timestamps {
			t.Skipf("%s has no timestamps", d.Adapter())
		}
		stdout, stderr, _ := on.child(t, "hang while timing")
		requireReports(t, stdout, []string{"time: " + missed, "close: the device is lost"})
		require.Empty(t, stderr)
	})
	t.Run("while closing", func(t *testing.T) {
		stdout, stderr, _ := on.child(t, "hang while closing")
		requireReports(t, stdout, []string{"close: reading 2 values back: " + missed})
		require.Empty(t, stderr)
	})
	t.Run("while compiling", func(t *testing.T) {
		const missed = "compiling long did not finish within 10ms: is the shader very long, or is one still running?"
		stdout, stderr, _ := on.child(t, "slow compile")
		requireReports(t, stdout, []string{"compile: " + missed, "alloc: " + missed, "close: the device is lost"})
		require.Empty(t, stderr)
	})
}

// A test cannot make a CPU driver give up its device, but it can provoke wgpu-native's reaction to
// that: it aborts. The abort must become an error, and the process and another device must
// continue.
func TestLostDevice(t *testing.T) {
	const lost = "the device is lost: the graphics driver gave up on the device, as some do when a shader runs too long"
	for name, call := range map[string]string{"device": "wait: ", "queue": "run: "} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, _ := driver.child(t, "break "+name)
			requireReports(t, stdout, []string{call + lost, "read: reading 1 values back: " + lost, "close: the device is lost"})
			require.Contains(t, stderr, "invalid "+name, "wgpu-native's own last words, which cannot be kept from it")
		})
	}
	t.Run("another abort", func(t *testing.T) {
		command := exec.CommandContext(t.Context(), os.Args[0])
		command.Env = append(os.Environ(), childVariable+"=abort elsewhere")
		said, err := command.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(said), "SIGABRT: abort", "Go's own handler")
	})
}

// Ctrl-C, through a context, ends a wait and the process at once, although the shader never ends.
func TestInterrupt(t *testing.T) { onEach(t, testInterrupt) }

func testInterrupt(t *testing.T, on engine) {
	stdout, stderr, took := on.child(t, "interrupt")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Len(t, lines, 3, stdout)
	require.Regexp(t, `^run: the shader was interrupted: context canceled after \d+ ms; lost false$`, lines[0])
	require.Regexp(t, `^read: reading 2 values back: the shader was interrupted: context canceled after \d+ ms; lost false$`, lines[1])
	require.Regexp(t, `^close: `, lines[2])
	require.Empty(t, stderr)
	require.Less(t, took, gpu.DefaultDeadline)
}

// slow returns a shader that keeps a device busy for a good fraction of a second and then ends. The
// simulator takes less, unless it is built with the race detector.
func (on engine) slow() string {
	times := map[engine]int{driver: 30_000_000, simulated: 1_000_000}[on]
	return fmt.Sprintf(`@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(1) fn main() {
  for (var i = 0u; i < %du; i++) { y[0] = fract(y[0] * 1.7 + f32(i)); }
}`, times)
}

// A context that ends during a call ends only that call: the device is usable afterwards.
func TestACancelledCallLeavesTheDeviceUsable(t *testing.T) {
	onEach(t, testACancelledCallLeavesTheDeviceUsable)
}

func testACancelledCallLeavesTheDeviceUsable(t *testing.T, on engine) {
	d := on.open(t)
	x := upload(t, d, uint32(41))
	next := bind(t, compile(t, d, increment), one, x)
	goesOn := func(want uint32) {
		t.Helper()
		require.NoError(t, d.Run(next))
		require.Equal(t, []uint32{want}, read[uint32](t, x))
	}
	t.Run("while a shader runs", func(t *testing.T) {
		k, err := d.Compile("slow", on.slow())
		require.NoError(t, err)
		y, err := gpu.Upload(d, []float32{0.5})
		require.NoError(t, err)
		p, err := k.Pass(one, y)
		require.NoError(t, err)
		err = nil
		for range 20 { // a busy machine may leave this goroutine waiting until the shader has ended
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
			err = d.WithContext(ctx).Run(p)
			cancel()
			if err != nil {
				break
			}
		}
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, shader.ErrLost)
		p.Free()
		y.Free()
		k.Free()
		goesOn(42)
	})
	t.Run("while a value is read", func(t *testing.T) {
		k, err := d.Compile("slow", on.slow())
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		y, err := gpu.Upload(d.WithContext(ctx), []float32{0.5})
		require.NoError(t, err)
		p, err := k.Pass(one, y)
		require.NoError(t, err)
		require.NoError(t, d.Submit(p))
		time.AfterFunc(5*time.Millisecond, cancel)
		_, err = gpu.Read[float32](y)
		require.ErrorIs(t, err, context.Canceled)
		goesOn(43)
	})
	t.Run("while a shader is compiled", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		long := "@compute @workgroup_size(1) fn main() { var x = 1.0; " + strings.Repeat("x = x * 2.0 + 1.0;\n", 10_000) + "}"
		_, err := d.WithContext(ctx).Compile("long", long)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		goesOn(44)
	})
}
