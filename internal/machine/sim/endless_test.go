package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

const endlessHead = `enable subgroups;
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage, read_write> flag: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> n: u32;
var<workgroup> t: array<u32, 8>;
fn ready() -> bool { return atomicLoad(&flag[0]) == 1u; }
fn more(k: u32) -> u32 { return k + (n & 4u); }
fn one(k: u32) -> u32 { return k + (n & 1u); }
fn step(k: u32) -> u32 { if (k == 7u) { return n & 4u; } if (k > 500u) { return 3u; } return 1u; }
fn up(i: u32) -> u32 { for (var k = 0u; k < 3u; k++) { if (v[k] == 77u) { return i + 1u; } } return i; }
fn all(i: u32) { for (var k = 0u; k < n; k++) { v[i] += k; } }
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3u) {
`

// What decides in a loop comes again, so the loop is told at once, whatever else it computes. If
// others decide as well, the message says so.
func TestALoopThatNeverEndsIsToldEarly(t *testing.T) {
	const others = "; of the other invocations in its workgroup, "
	for name, c := range map[string]struct{ body, want string }{
		"a sum":         {"var s = 0u; while (s * 0u < n) { v[i] += s; s += 3u; if (s == 1u) { s = 0u; } var k = 0u; while (k < n) { v[i] += k; } }", "`k` (0) no longer changes" + others + "7 have not started this part"},
		"nothing":       {"loop { v[i] += 1u; if (false) { break; } }", "nothing in the loop can end it"},
		"a cycle":       {"var k = 0u; while (k < 77u) { k = (k + 2u) % 10u; v[i] += k; }", "still changes"},
		"a function":    {"for (var k = i; k < n; k = up(k)) { t[5] += 1u; }", "`k` (0) no longer changes"},
		"an own array":  {"var a: array<u32, 4>; var k = 0u; while (k < n) { a[i & 3u] += 1u; v[i] = a[0]; }", "`k` (0) no longer changes"},
		"a return":      {"loop { switch (n) { case 3u: { return; } default: { break; } } v[i]++; }", "its condition never changes"},
		"a barrier":     {"for (var h = 4u; h >= 0u; h /= 2u) { workgroupBarrier(); if (i < h) { t[i] += t[i + h]; } }", "`h` (0) no longer changes" + others + "7 are in the same loop"},
		"a subgroup":    {"var s = 0u; loop { s += 1u; if (!subgroupAny(i < n)) { break; } }", "its end depends on all active invocations of the subgroup" + others + "7 are in the same loop"},
		"a wait":        {"if (g.x == 0u) { while !ready() {} }", "its end depends on `flag`, which only another invocation can change: WGSL does not promise that one runs meanwhile" + others + "7 have not started this part"},
		"a let":         {"loop { let done = atomicLoad(&flag[0]) == 1u; v[i]++; if done { break; } }", "its end depends on `flag`, which only another invocation can change: WGSL does not promise that one runs meanwhile; `done` (false) no longer changes"},
		"a lock":        {"while (atomicExchange(&flag[0], 1u) == 1u) { v[i]++; }", "its end depends on `flag`, which the loop and other invocations may change" + others + "1 has ended, 6 have not started this part"},
		"a step of 0":   {"for (var k = i; k < n; k += v[k & 7u] & n & 4u) { t[5] += k; }", "`k` (0) no longer changes"},
		"0 times 2":     {"var k = 0u; while (k < n) { k *= 2u; if (v[k] > 3u) { v[i] += 1u; } else { v[i] += 2u; } }", "`k` (0) no longer changes"},
		"a shift by 0":  {"var k = n; loop { if (k == 0u) { break; } k = k >> (n & 4u); }", "`k` (9) no longer changes"},
		"a step's call": {"var s = 1u; for (var k = i; k < n; k = more(k)) { s = s * 1664525u + 1u; if (s > 99999u) { v[i] = s; } else { t[2] = one(s); } }", "`k` (0) no longer changes"},
		"early returns": {"var s = 1u; var k = 0u; while (k < n) { s += step(s); k += step(7u); }", "`k` (0) no longer changes"},
		"a float":       {"var x = 16777000.0; while (x < 16777300.0) { x += 1.0; }", "`x` (1.6777216e+07) no longer changes"},
		"an f32 of 0":   {"var x = 0.0; let by = f32(n & 4u); var s = 0u; while (x < 1.0) { x += by; if (s % 3u == 1u) { s += 2u; } else { s += 1u; } }", "`x` (0) no longer changes"},
		"inner rounds":  {"var k = 0u; while (k < n) { for (var j = 0u; j < (v[0] & 7u); j++) { v[0] += j; if (v[j] > 70u) { break; } } v[0] += 1u; }", "`k` (0) no longer changes"},
		"past the end":  {"var k = 0u; while (k != 101u) { k += 2u; v[i] += k; }", "goes up by 2 in each round and wraps around, but none of its values ends the loop"},
		"down past 0":   {"for (var k = n; k >= 0u; k--) { t[1] += k; }", "goes down by 1 in each round"},
		"all of i32":    {"for (var k = -5; k <= 2147483647; k += 3) { t[1] += 1u; }", "goes up by 3 in each round"},
		"below the top": {"for (var k = 1u; k < 4294967295u; k += arrayLength(&v)) { if (v[k & 7u] == 5u) { v[1] += 2u; } else { v[1] += 1u; } }", "goes up by 16 in each round"},
		"an outer loop": {"var k = 0u; loop { for (var j = 0u; j < 500u; j++) { v[j & 7u] += j; } if (k > n) { break; } }", "`k` (0) no longer changes"},
	} {
		t.Run(name, func(t *testing.T) {
			result := runEndless(t, c.body, sim.Options{Watch: true})
			assert.False(t, result.Finished)
			assert.True(t, result.Endless)
			assert.Less(t, result.Steps, uint64(5_000_000))
			require.NotEmpty(t, result.Findings)
			assert.Equal(t, findings.StepLimit, result.Findings[0].Kind)
			assert.Contains(t, result.Findings[0].Message, c.want)
			assert.NotContains(t, result.Findings[0].Message, "still running")
			assert.True(t, runEndless(t, c.body, sim.Options{}).Endless, "without the watcher")
		})
	}
}

// A loop that counts is no endless one, however long it takes and whatever comes again.
func TestALongLoopIsNotEndless(t *testing.T) {
	for name, body := range map[string]string{
		"counts":        "var k = 0u; while (k < 300000u) { k++; v[i] += 1u; }",
		"called twice":  "for (var k = 0u; k < 30000u; k++) { all(0u); all(0u); all(1u); }",
		"inner loops":   "for (var k = 0u; k < 3000u; k++) { for (var j = 0u; j < 100u; j++) { v[1] = j; } var m = 0u; while (m < 5u) { m++; } }",
		"in memory":     "v[i] = 0u; while (v[i] < 300000u) { v[i]++; }",
		"in shared":     "loop { workgroupBarrier(); if (i == 0u) { t[3]++; } if (workgroupUniformLoad(&t[3]) > 40000u) { break; } }",
		"an own array":  "var a: array<u32, 4>; while (a[n & 3u] < 300000u) { a[n & 3u]++; }",
		"a pointer":     "var k = 0u; let p = &k; while (*p < 300000u) { (*p)++; }",
		"its subgroup":  "var k = 0u; loop { if (i == 3u) { k++; } if (subgroupMax(k) > 60000u) { break; } }",
		"behind others": "var k = 0u; var m = i * 5000u; loop { if (m > 0u) { m--; } else { k = 1u; } if (subgroupMin(k) == 1u) { break; } }",
		"a flip in it":  "var k = 0u; var s = 0u; while (k < 25000u) { s = s * 1664525u + 1013904223u; if ((s >> 20u) > 3000u) { k += 1u; } }",
		"a flip's call": "var k = 0u; var s = 0u; while (k < 25000u) { s = s * 1664525u + 1013904223u; if ((s >> 20u) > 3000u) { k = one(k); } }",
		"a flip leaves": "var s = 0u; loop { s = s * 1664525u + 1013904223u; if ((s >> 17u) == 77u) { if (v[0] < 2000000000u) { return; } } v[i]++; }",
		"around to 3":   "for (var k = 4294867296u; k != 3u; k++) { v[i] += 1u; }",
		"around below":  "for (var k = 2147383646; k > 0; k++) { v[i] += 1u; }",
		"another step":  "var by = 2u; for (var k = 0u; k != 150001u; k += by) { if (k == 50000u) { by = 1u; } v[i] += 1u; }",
		"each in turn":  "loop { if (atomicAdd(&flag[1], 1u) >= 200000u) { break; } }",
	} {
		t.Run(name, func(t *testing.T) {
			result := runEndless(t, body, sim.Options{Watch: true})
			assert.True(t, result.Finished)
			assert.False(t, result.Endless)
			assert.Greater(t, result.Steps, uint64(600_000), "or nothing looks")
		})
	}
}

// What is said of the variables of a loop that only counts is true, also if the invocations wait
// for each other in each round.
func TestALoopThatCountsUpToTheLimit(t *testing.T) {
	for body, want := range map[string]string{
		"v[i] = 1u; loop { v[i] += 1u; if subgroupAny(v[i] == 0u) { break; } }":                     "its end depends on `v`, which the loop and other invocations may change, and on all active invocations of the subgroup; of the other invocations in its workgroup, 7 are in the same loop",
		"var k = 1u; loop { k++; if (subgroupMax(k) == 0u) { break; } }":                            ") still changes; of the other invocations in its workgroup, 7 are in the same loop",
		"var k = 1u; loop { k++; workgroupBarrier(); if (k == 0u) { break; } }":                     ") still changes; of the other",
		"var k = i; for (;;) { k++; if (k == 0u) { if (i == 9u) { continue; } else { return; } } }": "`k` (",
	} {
		result := runEndless(t, body, sim.Options{Watch: true, Steps: 2_000_000})
		assert.False(t, result.Endless, body)
		require.NotEmpty(t, result.Findings, body)
		message := result.Findings[0].Message
		assert.Contains(t, message, want)
		assert.True(t, strings.HasPrefix(message, "the shader was still running after "), message)
		assert.NotContains(t, message, "no longer")
	}
}

func runEndless(t *testing.T, body string, options sim.Options) *sim.Result {
	t.Helper()
	return run(t, mustBuild(t, endlessHead+body+"\n}\n"), [3]uint32{1, 1, 1}, options, make([]byte, 64), make([]byte, 16), []byte{9, 0, 0, 0})
}
