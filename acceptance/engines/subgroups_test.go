//go:build acceptance

package engines

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var subgroupPrograms = flag.Int("subgroup-programs", 150, "number of random programs with functions of subgroups")

// Chromium's CPU adapter, SwiftShader, has subgroups of 4.
const tintSubgroup = 4

// Random programs that call every function of subgroups, in flow that is uniform and that isn't,
// leave the same words in the simulator and in Chromium.
func TestRandomSubgroupsInChromium(t *testing.T) {
	const invocations = 24
	device := openTint(t)
	first, end := coursetest.Range(t, *subgroupPrograms)
	for seed := first; seed < end; seed++ {
		text := subgroupProgram(rand.New(rand.NewPCG(uint64(seed), 0)), invocations)
		source := shader.ReadWith("random.wgsl", text, types.AllFeatures)
		simulated, err := sim.CompileEntry(source, nil, false)
		require.NoError(t, err, "seed %d:\n%s", seed, text)
		want := make([]byte, 4*invocations)
		_, err = simulated.With(ir.SubgroupDivision{Size: tintSubgroup}).Run(t.Context(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{{Data: want}}, sim.Options{})
		require.NoError(t, err)

		compiled, err := device.Compile(t.Context(), source)
		require.NoError(t, err, "seed %d:\n%s", seed, text)
		out := shader.UintBuffer(make([]uint32, invocations))
		result, err := compiled.Run(t.Context(), shader.Dispatch{Workgroups: [3]uint32{1, 1, 1}, Buffers: []shader.Buffer{out}})
		require.NoError(t, err)
		compiled.Free()
		require.Equal(t, want, result.Output.Bytes, "seed %d:\n%s", seed, text)
	}
}

// subgroupProgram writes a random program.
func subgroupProgram(r *rand.Rand, invocations int) string {
	w := &subgroupWriter{Rand: r}
	w.line("enable subgroups;")
	w.line("diagnostic(off, subgroup_uniformity);")
	w.line("@group(0) @binding(0) var<storage, read_write> out: array<u32>;")
	w.line("@compute @workgroup_size(%d)", invocations)
	w.line("fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_invocation_id) lane: u32) {")
	w.line("var a = i * 2654435761u + 12345u;")
	w.line("var b = (i + 3u) * 40503u;")
	w.block(2, true)
	w.line("out[i] = a ^ (b * 31u) ^ (lane << 28u);")
	w.line("}")
	return w.String()
}

type subgroupWriter struct {
	*rand.Rand
	strings.Builder
	loops int
}

func (w *subgroupWriter) line(format string, values ...any) { fmt.Fprintf(w, format+"\n", values...) }

// block writes statements. In uniform flow, all invocations of a subgroup run them together.
func (w *subgroupWriter) block(depth int, uniform bool) {
	for range 2 + w.IntN(3) {
		kind := w.IntN(8)
		switch {
		case depth > 0 && kind == 0:
			w.line("if (a >> %du) %% 3u == lane %% 3u {", w.IntN(8))
			w.block(depth-1, false)
			w.line("} else {")
			w.block(depth-1, false)
			w.line("}")
		case depth > 0 && kind == 1:
			w.loops++
			w.line("for (var k%d = 0u; k%d < %du; k%d++) {", w.loops, w.loops, 1+w.IntN(3), w.loops)
			w.block(depth-1, uniform)
			w.line("}")
		case depth > 0 && kind == 2:
			w.line("if subgroupAny(a %% %du == 0u) {", 2+w.IntN(9))
			w.block(depth-1, uniform)
			w.line("}")
		default:
			w.line("%s = %s * 3u + %s;", w.variable(), w.variable(), w.call(uniform))
		}
	}
}

func (w *subgroupWriter) variable() string { return []string{"a", "b"}[w.IntN(2)] }

// call writes a call whose result is determined. In flow that isn't uniform, another lane may not
// be there.
func (w *subgroupWriter) call(uniform bool) string {
	x := w.variable()
	anywhere := []string{
		"subgroupAdd(" + x + ")", "subgroupMul(" + x + " | 1u)", "subgroupMin(" + x + ")", "subgroupMax(" + x + ")",
		"subgroupAnd(" + x + ")", "subgroupOr(" + x + ")", "subgroupXor(" + x + ")", "subgroupExclusiveAdd(" + x + ")",
		"subgroupInclusiveAdd(" + x + ")", "subgroupExclusiveMul(" + x + ")", "subgroupInclusiveMul(" + x + ")",
		"subgroupBroadcastFirst(" + x + ")", "subgroupBallot(" + x + " % 2u == 0u).x", "select(0u, 7u, subgroupElect())",
		"select(1u, 5u, subgroupAll(" + x + " % 5u < 3u))", "select(1u, 5u, subgroupAny(" + x + " % 5u == 3u))",
		"u32(subgroupMin(bitcast<i32>(" + x + ")))", "u32(subgroupMax(i32(" + x + " >> 1u) - 100))",
		"subgroupAdd(vec3u(" + x + ", a, b)).z", "u32(subgroupAdd(f32(" + x + " % 64u)))",
	}
	together := []string{
		"subgroupBroadcast(" + x + ", 2)", "subgroupShuffle(" + x + ", a % 4u)", "subgroupShuffleXor(" + x + ", 3u)",
		"select(0u, subgroupShuffleUp(" + x + ", 1u), lane >= 1u)", "select(0u, subgroupShuffleDown(" + x + ", 2u), lane < 2u)",
		"quadBroadcast(" + x + ", 1)", "quadSwapX(" + x + ")", "quadSwapY(" + x + ")", "quadSwapDiagonal(" + x + ")",
	}
	if uniform {
		anywhere = append(anywhere, together...)
	}
	return anywhere[w.IntN(len(anywhere))]
}
