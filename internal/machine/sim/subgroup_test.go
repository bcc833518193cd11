package sim_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// divisions are all sizes of subgroups, numbered in both ways.
func divisions(yield func(ir.SubgroupDivision) bool) {
	for size := uint32(1); size <= ir.MaxSubgroup; size *= 2 {
		for _, scattered := range []bool{false, true} {
			if !yield(ir.SubgroupDivision{Size: size, Scattered: scattered}) {
				return
			}
		}
	}
}

// subgroupRun runs a program with one workgroup, whose result is an array of u32.
func subgroupRun(t *testing.T, p *sim.Program, results int, options sim.Options) ([]uint32, *sim.Result) {
	t.Helper()
	out := make([]byte, 4*results)
	result := run(t, p, [3]uint32{1, 1, 1}, options, out)
	words := make([]uint32, results)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(out[4*i:])
	}
	return words, result
}

// Each function gives what the specification says, whatever the size and the order of subgroups.
// The values by lane are taken from what the shader reports of its lanes.
func TestSubgroupFunctions(t *testing.T) {
	const none = 1 << 40 // an indeterminate value
	at := func(values []uint64, lane int) uint64 {
		if lane < 0 || lane >= len(values) {
			return none
		}
		return values[lane]
	}
	reduce := func(first uint64, f func(a, b uint64) uint64) func(int, []uint64) uint64 {
		return func(_ int, values []uint64) uint64 {
			all := first
			for _, v := range values {
				all = f(all, v)
			}
			return all & math.MaxUint32
		}
	}
	add, multiply := func(a, b uint64) uint64 { return a + b }, func(a, b uint64) uint64 { return a * b & math.MaxUint32 }
	for expression, want := range map[string]func(lane int, values []uint64) uint64{
		"subgroupAdd(x)": reduce(0, add),
		"subgroupMul(x)": reduce(1, multiply),
		"subgroupMin(x)": reduce(math.MaxUint32, func(a, b uint64) uint64 { return min(a, b) }),
		"subgroupMax(x)": reduce(0, func(a, b uint64) uint64 { return max(a, b) }),
		"subgroupAnd(x)": reduce(math.MaxUint32, func(a, b uint64) uint64 { return a & b }),
		"subgroupOr(x)":  reduce(0, func(a, b uint64) uint64 { return a | b }),
		"subgroupXor(x)": reduce(0, func(a, b uint64) uint64 { return a ^ b }),
		"subgroupExclusiveAdd(x)": func(lane int, values []uint64) uint64 {
			return reduce(0, add)(lane, values[:lane])
		},
		"subgroupInclusiveAdd(x)": func(lane int, values []uint64) uint64 {
			return reduce(0, add)(lane, values[:lane+1])
		},
		"subgroupExclusiveMul(x)": func(lane int, values []uint64) uint64 {
			return reduce(1, multiply)(lane, values[:lane])
		},
		"subgroupInclusiveMul(x)": func(lane int, values []uint64) uint64 {
			return reduce(1, multiply)(lane, values[:lane+1])
		},
		"subgroupBroadcastFirst(x)":        func(_ int, values []uint64) uint64 { return at(values, 0) },
		"subgroupBroadcast(x, 3)":          func(_ int, values []uint64) uint64 { return at(values, 3) },
		"subgroupShuffle(x, lane * 7 % 5)": func(lane int, values []uint64) uint64 { return at(values, lane*7%5) },
		"subgroupShuffleUp(x, 2)":          func(lane int, values []uint64) uint64 { return at(values, lane-2) },
		"subgroupShuffleDown(x, 5)":        func(lane int, values []uint64) uint64 { return at(values, lane+5) },
		"subgroupShuffleXor(x, 6)":         func(lane int, values []uint64) uint64 { return at(values, lane^6) },
		"quadBroadcast(x, 2)":              func(lane int, values []uint64) uint64 { return at(values, lane&^3+2) },
		"quadSwapX(x)":                     func(lane int, values []uint64) uint64 { return at(values, lane^1) },
		"quadSwapY(x)":                     func(lane int, values []uint64) uint64 { return at(values, lane^2) },
		"quadSwapDiagonal(x)":              func(lane int, values []uint64) uint64 { return at(values, lane^3) },
		"u32(subgroupAll(x % 3 != 1))": reduce(1, func(a, b uint64) uint64 {
			if b%3 == 1 {
				return 0
			}
			return a
		}),
		"u32(subgroupAny(x == 23))": reduce(0, func(a, b uint64) uint64 {
			if b == 23 {
				return 1
			}
			return a
		}),
		"u32(subgroupElect())": func(lane int, _ []uint64) uint64 {
			if lane == 0 {
				return 1
			}
			return 0
		},
		"subgroupBallot(x % 2 == 1)[2]": func(_ int, values []uint64) (word uint64) {
			for lane, v := range values {
				if lane/32 == 2 {
					word |= v % 2 << (lane % 32)
				}
			}
			return word
		},
	} {
		for _, invocations := range []int{1, 7, 64, 256} {
			code := fmt.Sprintf(`enable subgroups;
				requires subgroup_id;
				diagnostic(off, subgroup_uniformity);
				@group(0) @binding(0) var<storage, read_write> out: array<vec4u>;
				@compute @workgroup_size(%d)
				fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) id: u32,
					@builtin(subgroup_size) size: u32, @builtin(num_subgroups) number: u32) {
					let x = (i * 7919u + 17u) %% 61u + 1u;
					out[i] = vec4u(lane, id, x, %s);
					out[%d + i] = vec4u(size, number, 0, 0);
				}`, invocations, expression, invocations)
			p := mustBuild(t, code)
			for d := range divisions {
				words, result := subgroupRun(t, p.With(d), 8*invocations, sim.Options{Watch: true, Compile: sim.Always})
				require.Empty(t, result.Findings, "%s", expression)
				groups := map[uint32]map[uint32]uint64{}
				for i := range invocations {
					lane, id := words[4*i], words[4*i+1]
					if groups[id] == nil {
						groups[id] = map[uint32]uint64{}
					}
					groups[id][lane] = uint64(words[4*i+2])
					require.Equal(t, d.Size, words[4*(invocations+i)])
					require.Equal(t, uint32((invocations+int(d.Size)-1)/int(d.Size)), words[4*(invocations+i)+1])
				}
				for i := range invocations {
					lane, group := int(words[4*i]), groups[words[4*i+1]]
					values := make([]uint64, len(group))
					for lane, v := range group {
						values[lane] = v // or it panics: lanes count from 0 without a gap
					}
					if got, expected := uint64(words[4*i+3]), want(lane, values); expected != none {
						require.Equal(t, expected, got, "%s, %d invocations, %+v, lane %d", expression, invocations, d, lane)
					}
				}
			}
		}
	}
}

// Those that have arrived take a function together: one side of an `if`, or a round of a loop.
func TestSubgroupFunctionsInDivergentFlow(t *testing.T) {
	const frame = `enable subgroups;
		diagnostic(off, subgroup_uniformity);
		@group(0) @binding(0) var<storage, read_write> out: array<u32>;
		fn helper(x: u32) -> u32 { if x > 4u { return subgroupAdd(1u); } return subgroupAdd(100u); }
		@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { %s }`
	for body, want := range map[string][]uint32{
		"if i % 2u == 0u { out[i] = subgroupAdd(i); } else { out[i] = subgroupAdd(10u * i); }": {12, 160, 12, 160, 12, 160, 12, 160},
		"var n = 0u; for (var k = 0u; k < i; k++) { n += subgroupAdd(1u); } out[i] = n;":       {0, 7, 13, 18, 22, 25, 27, 28},
		"if i > 5u { return; } out[i] = subgroupAdd(1u);":                                      {6, 6, 6, 6, 6, 6, 0, 0},
		"out[i] = helper(i);": {500, 500, 500, 500, 500, 3, 3, 3},
		"var n = 0u; loop { n += subgroupBroadcastFirst(i) + 1u; if n > i { break; } } out[i] = n;":     {1, 3, 3, 7, 7, 7, 7, 15},
		"var n = 0u; if i < 4u { n = subgroupAdd(1u); } out[i] = n + 10u * subgroupAdd(1u);":            {84, 84, 84, 84, 80, 80, 80, 80},
		"var n = 0u; while subgroupAny(n < i) { n += 2u; } out[i] = n;":                                 {8, 8, 8, 8, 8, 8, 8, 8},
		"switch i % 3u { case 0u: { out[i] = subgroupMax(i); } default: { out[i] = subgroupMin(i); } }": {6, 1, 1, 6, 1, 1, 6, 1},
	} {
		got, _ := subgroupRun(t, mustBuild(t, fmt.Sprintf(frame, body)), 8, sim.Options{})
		require.Equal(t, want, got, body)
	}
}

// Floats, halves and vectors: component by component, rounded as their type is.
func TestSubgroupFunctionsOfOtherTypes(t *testing.T) {
	const code = `enable subgroups;
		enable f16;
		@group(0) @binding(0) var<storage, read_write> out: array<f32>;
		@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
			let v = subgroupAdd(vec3f(f32(i), -f32(i), 0.5));
			let h = subgroupAdd(f16(i) * 1024h + 1h);
			out[i] = v.x + 100.0 * v.y + 10000.0 * v.z;
			out[8 + i] = f32(h);
			out[16 + i] = f32(subgroupMin(i32(i) - 3) * subgroupMax(-i32(i)));
			out[24 + i] = subgroupMax(select(f32(i), -1.0, i == 7u));
		}`
	got, result := subgroupRun(t, mustBuild(t, code).With(ir.SubgroupDivision{Size: 8}), 32, sim.Options{Watch: true})
	require.Empty(t, result.Findings)
	for i := range 8 {
		require.Equal(t, float32(28-2800+40000), math.Float32frombits(got[i]))
		require.Equal(t, float32(28*1024), math.Float32frombits(got[8+i]), "28,680 lies between two halves, 28,672 and 28,688, and is even there")
		require.Zero(t, math.Float32frombits(got[16+i]))
		require.Equal(t, float32(6), math.Float32frombits(got[24+i]))
	}
}

// A shader that takes subgroups for 32 wide is right there, and wrong elsewhere.
func TestAShaderThatAssumesASubgroupSize(t *testing.T) {
	const code = `enable subgroups;
		@group(0) @binding(0) var<storage, read_write> out: array<f32>;
		var<workgroup> parts: array<f32, 2>;
		@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
			let sum = subgroupAdd(1.0);
			if i % 32u == 0u { parts[i / 32u] = sum; }
			workgroupBarrier();
			if i == 0u { out[0] = parts[0] + parts[1]; }
		}`
	for d := range divisions {
		got, result := subgroupRun(t, mustBuild(t, code).With(d), 1, sim.Options{Watch: true})
		require.Empty(t, result.Findings)
		right := d.Size == 32
		require.Equal(t, right, math.Float32frombits(got[0]) == 64, "%+v", d)
	}
}

// What a subgroup's function reads where nobody is isn't a value that could be taken for right.
func TestAnIndeterminateValueShows(t *testing.T) {
	const code = `enable subgroups;
		@group(0) @binding(0) var<storage, read_write> out: array<f32>;
		@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
			var sum = 1.0;
			sum += subgroupShuffleDown(sum, 16u);
			sum += subgroupShuffleDown(sum, 8u);
			sum += subgroupShuffleDown(sum, 4u);
			sum += subgroupShuffleDown(sum, 2u);
			sum += subgroupShuffleDown(sum, 1u);
			out[i] = sum;
		}`
	got, _ := subgroupRun(t, mustBuild(t, code).With(ir.SubgroupDivision{Size: 32}), 64, sim.Options{})
	require.Equal(t, float32(32), math.Float32frombits(got[0]), "what the others have doesn't matter")
	got, _ = subgroupRun(t, mustBuild(t, code).With(ir.SubgroupDivision{Size: 8}), 64, sim.Options{})
	first := math.Float32frombits(got[0])
	require.NotEqual(t, first, first, "NaN")
}

// A function of subgroups orders no memory: without a barrier, there is a race.
func TestSubgroupFunctionsOrderNoMemory(t *testing.T) {
	const code = `enable subgroups;
		@group(0) @binding(0) var<storage, read_write> out: array<u32>;
		var<workgroup> w: array<u32, 32>;
		@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
			w[i] = subgroupAdd(i);
			out[i] = subgroupAdd(w[31u - i]);
		}`
	_, result := subgroupRun(t, mustBuild(t, code), 32, sim.Options{Watch: true})
	require.NotEmpty(t, result.Findings)
	require.Equal(t, findings.RaceWorkgroup, result.Findings[0].Kind)
}

// An attribute fixes the size, whatever the machine prefers.
func TestAFixedSubgroupSize(t *testing.T) {
	const code = `enable subgroups;
		enable subgroup_size_control;
		@group(0) @binding(0) var<storage, read_write> out: array<u32>;
		@compute @workgroup_size(64) @subgroup_size(16) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) size: u32) {
			out[i] = subgroupAdd(1u) * 1000u + size;
		}`
	got, _ := subgroupRun(t, mustBuild(t, code).With(ir.SubgroupDivision{Size: 64}), 64, sim.Options{})
	require.Equal(t, uint32(16016), got[63])
}

// A comment in a shader sets the simulator's subgroups; one that can't be read is a mistake.
func TestACommentSetsSubgroups(t *testing.T) {
	const code = `enable subgroups;
		// subgroups: %s
		@group(0) @binding(0) var<storage, read_write> out: array<u32>;
		@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) size: u32) {
			out[i] = size * 1000u + subgroupBroadcastFirst(i);
		}`
	for said, want := range map[string]uint32{"8": 8024, " 16 ": 16016, "128": 128000, "4 scattered": 4031} {
		p := mustBuild(t, fmt.Sprintf(code, said))
		out := make([]byte, 128)
		run(t, p, [3]uint32{1, 1, 1}, sim.Options{}, out)
		require.Equal(t, want, binary.LittleEndian.Uint32(out[124:]), said)
	}
	for _, said := range []string{"", "0", "3", "256", "-8", "8 8", "eight", "scattered", "99999999999"} {
		_, err := build(fmt.Sprintf(code, said), "main", nil)
		require.ErrorContains(t, err, "is no size for subgroups", said)
		require.ErrorContains(t, err, "test.wgsl:2:", said)
	}
}
