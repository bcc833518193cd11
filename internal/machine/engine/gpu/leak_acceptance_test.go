//go:build acceptance

package gpu_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

func init() {
	children["open and close"] = func() {
		submits := false
		useUp("devices", 50, 100, func() {
			d := must(gpu.Open())
			x := must(gpu.Upload(d, []uint32{1}))
			if submits = !submits; submits { // alternates, so that Close also meets a write that was never submitted
				must(0, d.Run(must(must(d.Compile("increment", increment)).Pass(one, x))))
				must(gpu.Read[uint32](x))
			}
			d.Close()
		})
	}
	children["buffers and passes"] = func() {
		d := must(gpu.Open())
		defer d.Close()
		k := must(d.Compile("increment", increment))
		useUp("buffers and passes", 500, 3000, func() {
			x := must(gpu.Alloc[uint32](d, 1000))
			p := must(k.Pass(one, x))
			must(0, d.Run(p))
			p.Free()
			x.Free()
		})
	}
	children["pipelines and mistakes"] = func() {
		d := must(gpu.Open())
		defer d.Close()
		x := must(gpu.Alloc[uint32](d, 10_000))
		useUp("pipelines and mistakes", 100, 500, func() {
			k := must(d.Compile("increment", increment))
			if _, err := d.Compile("bad", "fn main() { let x: f32 = 1u; }"); err == nil {
				os.Exit(4)
			}
			if _, err := k.Pass(one); err == nil {
				os.Exit(5)
			}
			must(gpu.Read[uint32](x))
			k.Free()
		})
	}
}

// useUp prints how much the process grows in further rounds of use, after some warm-up rounds.
func useUp(what string, warmUp, rounds int, use func()) {
	for range warmUp {
		use()
	}
	memory, files := residentBytes(), openFiles()
	for range rounds {
		use()
	}
	fmt.Printf("%d %s: %d KiB, %d files", rounds, what, (residentBytes()-memory)>>10, openFiles()-files)
}

func residentBytes() int64 {
	runtime.GC()
	statm := must(os.ReadFile("/proc/self/statm"))
	return must(strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)) * int64(os.Getpagesize())
}

func openFiles() int { return len(must(os.ReadDir("/proc/self/fd"))) }

// Closed and freed resources are released: memory and open files stay constant.
func TestNoLeaks(t *testing.T) { onEach(t, testNoLeaks) }

func testNoLeaks(t *testing.T, on engine) {
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("no /proc: cannot tell how much memory a process uses")
	}
	const allowedKiB = 16 << 10 // a leak of one buffer a round, or a tenth of a device, takes more
	for _, name := range []string{"open and close", "buffers and passes", "pipelines and mistakes"} {
		t.Run(name, func(t *testing.T) {
			// With a single arena, malloc's own growth is small compared with a leak.
			stdout, _, took := on.child(t, name, "MALLOC_ARENA_MAX=1")
			t.Log(stdout, took)
			var grownKiB, files int
			_, sizes, _ := strings.Cut(stdout, ": ")
			_, err := fmt.Sscanf(sizes, "%d KiB, %d files", &grownKiB, &files)
			require.NoError(t, err, stdout)
			require.Less(t, grownKiB, allowedKiB, stdout)
			require.Zero(t, files, stdout)
		})
	}
}
