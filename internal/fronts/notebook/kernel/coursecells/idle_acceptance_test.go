//go:build acceptance

package coursecells_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// oneForAll is a right vector-add in which one invocation counts for a long time if there are many
// elements. Neither the small cases nor the steps of most workgroups show it.
const oneForAll = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let n = arrayLength(&out);
  if (id.x >= n) {
    return;
  }
  var x = 1u;
  if (id.x == 0u) {
    for (var k = 0u; k < n / 64u; k++) {
      for (var i = 0u; i < n; i++) {
        x = (x ^ i) * 1664525u + 1013904223u;
      }
    }
  }
  out[id.x] = select(a[id.x] + b[id.x], 0.0, x == 12345u);
}`

// After a right shader that wastes its time, the cell is idle soon, and nothing uses the processor
// then: neither if its steps say what it would take, nor if its time runs out on the device.
func TestNothingRunsOnBehindAnIdleKernel(t *testing.T) {
	for name, c := range map[string]struct{ source, said string }{
		"counted":   {strings.Replace(oneForAll, "id.x == 0u", "n > 2000u", 1), "so it isn't timed"},
		"timed out": {oneForAll, "your shader did not finish within"},
	} {
		t.Run(name, func(t *testing.T) {
			k := overFake(t)
			k.execute(shaderCell("vector-add", c.source))
			before := k.workers()
			got := k.execute(checkCell("vector-add"))
			require.Equal(t, "ok", got.reply.Status, got.text())
			require.Contains(t, got.text(), c.said)
			require.NotContains(t, got.text(), "a loop that never ends")
			require.Less(t, got.took, 5*time.Second)
			time.Sleep(2 * time.Second)
			if name == "timed out" {
				require.NotContains(t, k.workers(), before[0])
			}
			used := k.processorTime()
			time.Sleep(time.Second)
			require.Less(t, k.processorTime()-used, 200*time.Millisecond)
		})
	}
}

// processorTime returns how long all processes of the kernel have run.
func (k *underTest) processorTime() (total time.Duration) {
	const tick = 10 * time.Millisecond // Linux counts for programs in hundredths of a second
	entries, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(k.t, err)
	for _, dir := range entries {
		environ, _ := os.ReadFile(filepath.Join(dir, "environ")) // a process may end meanwhile
		stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
		_, after, _ := bytes.Cut(stat, []byte(") "))
		fields := strings.Fields(string(after))
		if !bytes.Contains(environ, []byte(k.mark)) || len(fields) < 13 {
			continue
		}
		for _, field := range fields[11:13] { // utime and stime of proc(5)
			ticks, err := strconv.Atoi(field)
			require.NoError(k.t, err)
			total += time.Duration(ticks) * tick
		}
	}
	return total
}
