package debug_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/observe/debug"
)

// wide has 256 invocations in a workgroup, a tile in workgroup memory, and buffers of some thousand
// elements.
const wide = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> tile: array<f32, 256>;
@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var t = 0u; t < 16u; t++) {
    tile[i] = a[t * 256u + i];
    workgroupBarrier();
    for (var k = 0u; k < 16u; k++) {
      sum += tile[(i / 16u) * 16u + k];
    }
    workgroupBarrier();
  }
  out[id.y * 16u + id.x] = sum;
}
`

func wideSession(t require.TestingT) *debug.Session {
	return session(t, wide, [3]uint32{4, 1, 1}, words(16*256), words(4096))
}

// panel reads everything that a debugger's panel shows: the stack, the picture, and all variables
// with their first parts.
func panel(s *debug.Session) (items int) {
	for frame := range s.Stack(s.Invocation()) {
		for _, scope := range s.Scopes(s.Invocation(), frame) {
			for _, it := range scope.Items {
				items += 1 + len(it.Parts())
			}
		}
	}
	return items + len(s.Picture().HTML())
}

func BenchmarkStep(b *testing.B) {
	s := wideSession(b)
	for b.Loop() {
		if do(s, debug.StepOver); s.Done() {
			s = wideSession(b)
		}
	}
}

func BenchmarkToTheEnd(b *testing.B) {
	target := wideSession(b).Target
	for _, lines := range []int{0, 1} {
		b.Run(fmt.Sprintf("breakpoints=%d", lines), func(b *testing.B) {
			for b.Loop() {
				s, err := debug.New(context.Background(), target)
				require.NoError(b, err)
				if lines > 0 {
					s.SetBreakpoints([]*debug.Breakpoint{{ID: 1, Line: 11, Condition: "sum > 1.0"}})
				}
				do(s, debug.Continue)
			}
			b.ReportMetric(float64(wideStatements), "statements")
		})
	}
}

const wideStatements = 4 * 256 * (16*(6+32) + 4)

func BenchmarkPanel(b *testing.B) {
	s := wideSession(b)
	s.SetBreakpoints([]*debug.Breakpoint{{ID: 1, Line: 15}})
	do(s, debug.Start)
	for b.Loop() {
		panel(s)
	}
}

// BenchmarkBack goes back one statement, 10,000 steps after the start.
func BenchmarkBack(b *testing.B) {
	s := wideSession(b)
	for range 10_000 {
		do(s, debug.StepIn)
	}
	s.SetBreakpoints([]*debug.Breakpoint{{ID: 1, Line: 18}})
	do(s, debug.ReverseContinue) // drops the record of where steps began
	b.ReportMetric(float64(s.Moment()), "statements")
	for b.Loop() {
		do(s, debug.Back)
	}
}
