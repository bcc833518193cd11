package sim_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Each shader has a buffer `out` of 64 words in binding 0; its body is in main, which has 32
// invocations.
const findingsHead = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> s: array<u32, 64>;
var<workgroup> f: array<f32, 4>;
var<workgroup> n: atomic<u32>;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3u) {
`

// firstBody is the line on which a body begins.
const firstBody = 6

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   string
		kind   findings.Kind // "" for no finding
		line   int           // in the body, from 1
		other  int           // the other line in the body; 0 for none
		remark bool
		says   string
	}{
		{name: "own elements", body: "s[i] = i;\nout[i + 32u * g.x] = s[i];"},
		{name: "a neighbour's element", body: "s[i] = i;\nout[i] = s[31u - i];",
			kind: findings.RaceWorkgroup, line: 2, other: 1, says: "invocation 15 reads `s[16]` on line 7 and invocation 16 writes it on line 6; there is no `workgroupBarrier()` between them"},
		{name: "a barrier between", body: "s[i] = i;\nworkgroupBarrier();\nout[i + 32u * g.x] = s[31u - i];"},
		{name: "the wrong barrier", body: "s[i] = i;\nstorageBarrier();\nout[i] = s[31u - i];", kind: findings.RaceWorkgroup, line: 3, other: 1},
		{name: "read, then the wrong barrier, then written", body: "s[i] = 7u;\nworkgroupBarrier();\nlet x = s[31u - i];\nstorageBarrier();\ns[i] = x + i;",
			kind: findings.RaceWorkgroup, line: 3, other: 5, remark: true, says: "between them is only a `storageBarrier()`"},
		{name: "the next round of a loop", body: "var x = 0u;\nfor (var k = 0u; k < 3u; k++) {\n  s[i] = k + x;\n  workgroupBarrier();\n  x += s[31u - i];\n}",
			kind: findings.RaceWorkgroup, line: 5, other: 3, says: "there is no `workgroupBarrier()` between one round of the loop and the next"},
		{name: "the next call of a function", body: "twice(i);\ntwice(i);\n}\nfn twice(i: u32) {\n  s[i] = i;\n  workgroupBarrier();\n  _ = s[31u - i];",
			kind: findings.RaceWorkgroup, line: 7, other: 5, says: "there is no `workgroupBarrier()` between one call of the function and the next"},
		{name: "all write different values", body: "out[0] = i;",
			kind: findings.RaceStorage, line: 1, other: 1, says: "invocation 0 and invocation 1 both write `out[0]` on line 6; either value may be the one that stays"},
		{name: "all write the same value", body: "out[0] = 5u;", kind: findings.RaceStorage, line: 1, other: 1, remark: true, says: "the value is the same"},
		{name: "workgroups write the same element", body: "if (i == 0u) {\n  out[0] = g.x;\n}",
			kind: findings.RaceStorage, line: 2, other: 2, says: "invocation 0 of workgroup 0 and invocation 0 of workgroup 1 both write `out[0]`"},
		{name: "no barrier orders workgroups", body: "if (i == g.x) {\n  out[g.x] = 1u + i;\n}\nstorageBarrier();\nif (i == 0u && g.x == 1u) {\n  s[0] = out[0];\n}",
			kind: findings.RaceStorage, line: 6, other: 2, says: "nothing orders two workgroups"},
		{name: "a neighbour's old value", body: "let at = i + 32u * g.x;\nif (at < 63u) { out[at] = out[at + 1u] + i; }",
			kind: findings.RaceStorage, line: 2, other: 2, says: "invocation 31 of workgroup 0 reads `out[32]` and invocation 0 of workgroup 1 writes it, both on line 7; nothing orders two workgroups"},
		{name: "a neighbour's old value in the workgroup", body: "if (g.x == 0u && i < 31u) { out[i] = out[i + 1u] + i; }",
			kind: findings.RaceStorage, line: 1, other: 1, says: "there is no `storageBarrier()` between them"},
		{name: "atomics", body: "atomicAdd(&n, 1u);\nworkgroupBarrier();\nif (i == 0u) { s[0] = atomicLoad(&n); }"},
		{name: "a uniform load is a barrier", body: "if (i == 3u) { s[0] = 9u; }\nlet x = workgroupUniformLoad(&s[0]);\nif (i == 5u) { s[0] = x + 1u; }"},

		{name: "read past the end", body: "if (g.x == 0u) { out[i] = out[i + 33u]; }",
			kind: findings.OutOfBoundsRead, line: 1, says: "invocation 31 of workgroup 0 reads `out[64]`, but `out` has 64 elements, so the last is `out[63]`; `i + 33u` is 64"},
		{name: "read past the end, for nothing", body: "let x = out[i + 33u];\nif (g.x == 0u) { out[i] = select(x, 1u, i > 0u || x > 0u || true); }",
			kind: findings.OutOfBoundsRead, line: 1, remark: true, says: "the result does not depend on what it reads"},
		{name: "written past the end", body: "if (g.x == 0u) { out[i * 2u + 2u] = 1u; }",
			kind: findings.OutOfBoundsWrite, line: 1, says: "writes `out[64]`"},
		{name: "below the beginning", body: "let k = i32(i) - 1;\nvar a = array<i32, 40>();\na[k] = 3;",
			kind: findings.OutOfBoundsWrite, line: 3, says: "writes `a[-1]`, but `a` has 40 elements, so the last is `a[39]`; `k` is -1"},
		{name: "an atomic that is none", body: "s[0] = 0u;\nout[64u + i - i] = 1u;", kind: findings.OutOfBoundsWrite, line: 2},

		{name: "some never come", body: "if (i < 16u) {\n  return;\n}\nworkgroupBarrier();",
			kind: findings.DivergentBarrier, line: 4, other: 2, says: "line 7 lets 16 of 32 invocations leave, but at the barrier on line 9, all of workgroup 0 must meet"},
		{name: "some go around", body: "if (i == 4u) {\n  workgroupBarrier();\n}",
			kind: findings.DivergentBarrier, line: 2, other: 4, says: "in workgroup 0, invocation 4 waits at the barrier on line 7, and 31 of 32 invocations skip it; all invocations"},
		{name: "two barriers", body: "if (i < 4u) {\n  workgroupBarrier();\n} else {\n  workgroupBarrier();\n}",
			kind: findings.DivergentBarrier, line: 2, other: 4},

		{name: "an array of one's own", body: "var own: array<u32, 32>;\nown[i] = i;\nworkgroupBarrier();\nout[i + 32u * g.x] = own[31u - i];",
			kind: findings.OwnCopy, line: 4, remark: true,
			says: "each invocation has its own `own`: invocation 0 of workgroup 0 reads `own[31]`, but only invocation 31 wrote that element, in its own `own`"},
		{name: "an array of one's own, meant so", body: "var seen: array<u32, 4>;\nseen[i % 4u] += 1u;\nout[i + 32u * g.x] = seen[0] + seen[(i + 1u) % 4u];"},
		{name: "not written yet", body: "if (i == 0u) { out[g.x] = s[5]; }", kind: findings.UnwrittenRead, line: 1, remark: true, says: "reads `s[5]`, which no invocation of its workgroup has written"},
		{name: "wraps around", body: "s[i] = i - 1u;", kind: findings.Wrapped, line: 1, remark: true, says: "`i - 1u`: 0 - 1 became 4294967295, because u32 wraps around"},
		{name: "wraps around after a hash", body: "let h = (i + 1u) * 747796405u;\nout[i] = h ^ (h >> 4u);\ns[i] = h % 4u + i - 9u;", kind: findings.Wrapped, line: 3, remark: true, says: "became 4294967"},
		{name: "an index times a pitch", body: "s[i] = (i + 1u) * 1073741824u;", kind: findings.Wrapped, line: 1, remark: true, says: "4 * 1073741824 became 0"},
		{name: "a hash's product", body: "s[i] = (i + 3u) * 2654435769u;"},
		{name: "a hash's variable", body: "var h = i + 1u;\nh ^= h << 13u;\nh ^= h >> 17u;\nh *= 5u;\nh += 0xe6546b64u;\ns[i] = h * h - 77u;"},
		{name: "a random number", body: "var state = i;\nfor (var k = 0u; k < 9u; k++) { state = state * 1664525u + 1013904223u; out[i + 32u * g.x] = (state + 12345u * state) % 100u; }"},
		{name: "a hash of vectors", body: "var v = vec3u(i + 1u, 2u, 3u) * 1664525u + 1013904223u;\nv.x += v.y * v.z;\nv ^= v >> vec3u(16u);\nv.y += v.z * v.x;\ns[i] = v.y;"},
		{name: "divides by zero", body: "s[i] = 5u / i;", kind: findings.DivisionByZero, line: 1, remark: true, says: "5 / 0 became 5"},
		{name: "floats divide by zero", body: "if (i < 4u) { f[i] = 1.0 / f32(i); }", kind: findings.DivisionByZero, line: 1, remark: true, says: "1 / 0 became infinity"},
		{name: "overflow", body: "if (i < 4u) { f[i] = exp(87.0 + f32(i)); }", kind: findings.Overflow, line: 1, remark: true, says: "exp(89) became infinity (invocation 2 of workgroup 0)"},
		{name: "beyond f16", body: "if (i < 4u) { f[i] = quantizeToF16(65500.0 + f32(i * 5u)); }", kind: findings.Overflow, line: 1, remark: true,
			says: "quantizeToF16(65505): f16 holds at most 65504, so WGSL leaves the result open (invocation 1 of workgroup 0)"},
		{name: "far beyond f16", body: "if (i < 4u) { f[i] = quantizeToF16(vec2(f32(i) * -3e4)).y; }", kind: findings.Overflow, line: 1, remark: true, says: "quantizeToF16(-90000): f16 holds"},
		{name: "within f16", body: "if (i < 4u) { f[i] = quantizeToF16(65501.0 + f32(i)) + quantizeToF16(-65504.0 + f32(i)); }"},
		{name: "not a number", body: "if (i < 4u) { f[i] = sqrt(f32(i) - 1.0); }", kind: findings.NotANumber, line: 1, remark: true, says: "sqrt(-1) became NaN"},
		{name: "only where it is born", body: "if (i == 0u) {\n  f[0] = log(f32(i) - 1.0);\n  f[1] = f[0] * 2.0 + 1.0;\n}", kind: findings.NotANumber, line: 2, remark: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := mustBuild(t, findingsHead+c.body+"\n}\n")
			result := run(t, program, [3]uint32{2, 1, 1}, sim.Options{Watch: true}, make([]byte, 256))
			if c.kind == "" {
				assert.Empty(t, result.Findings)
				return
			}
			require.NotEmpty(t, result.Findings)
			f := result.Findings[0]
			assert.Equal(t, c.kind, f.Kind, f.Message)
			assert.Equal(t, firstBody+c.line-1, f.Location.Line, f.Message)
			assert.Contains(t, f.Message, c.says)
			severity := findings.Error
			if c.remark {
				severity = findings.Remark
			}
			assert.Equal(t, severity, f.Severity)
			if c.other == 0 {
				assert.Nil(t, f.Other())
			} else if assert.NotNil(t, f.Other()) {
				assert.Equal(t, firstBody+c.other-1, f.Other().Line, f.Message)
			}
			for _, more := range result.Findings[1:] {
				assert.NotEqual(t, findings.Error, more.Severity, "%s: %s", more.Kind, more.Message)
			}
		})
	}
}

// A write to one component of a vector in shared memory may access the whole vector (§ 8.5.1.3).
func TestComponentsOfOneVector(t *testing.T) {
	const head = `struct Pair { a: vec2u, b: vec2u }
@group(0) @binding(0) var<storage, read_write> out: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> pairs: array<Pair>;
var<workgroup> s: array<vec3u, 8>;
var<workgroup> m: mat2x2f;
fn put(p: ptr<workgroup, vec3u>, k: u32) { (*p)[k] = k; }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3u) {
  _ = &out; _ = &pairs; _ = &m;
`
	for _, c := range []struct {
		name, body string
		kind       findings.Kind // "" for none
		says       string
	}{
		{"two write a component each", "if (i < 3u) { s[0][i] = i; }", findings.RaceWorkgroup,
			"in workgroup 0, invocation 1 writes `s[0].y` and invocation 0 writes another component of this vector, both on line 9; a write to one component may rewrite the whole vector, so let one invocation write all of it"},
		{"by name", "if (i == 0u) { s[2].x = 1u; }\nif (i == 1u) { s[2].z = 2u; }", findings.RaceWorkgroup, "1 writes `s[2].z` on line 10 and invocation 0 writes another component"},
		{"through a pointer", "if (i < 3u) { put(&s[1], i); }", findings.RaceWorkgroup, "1 writes `s[1].y` and invocation 0"},
		{"of a matrix's column", "if (i < 2u) { m[1][i] = 2.0; }", findings.RaceWorkgroup, "1 writes `m[1].y`"},
		{"columns of a matrix", "if (i < 2u) { m[i].x = 2.0; }", "", ""},
		{"in a buffer", "if (g.x == 0u) { out[1][i] = i; }", findings.RaceStorage, "invocation 1 writes `out[1].y` and invocation 0 writes another component of this vector, both on line 9"},
		{"with +=", "if (g.x == 0u) { out[1][i] += i + 1u; }", findings.RaceStorage, "invocation 1 reads `out[1].y` and invocation 0 writes another component of this vector, both on line 9"},
		{"in two workgroups", "if (i == 0u) { out[1][g.x] = 7u; }", findings.RaceStorage,
			"invocation 0 of workgroup 1 writes `out[1].y` and invocation 0 of workgroup 0 writes another component of this vector, both on line 9; a write to one component may rewrite the whole vector, and nothing orders two workgroups"},
		{"of two vectors", "s[i].x = i;\ns[i + 4u].y = i;\nif (g.x == 0u) { out[i].w = i; }", "", ""},
		{"of two members", "if (g.x == 0u) { if (i == 0u) { pairs[0].a.y = 1u; } if (i == 1u) { pairs[0].b.x = 1u; } }", "", ""},
		{"by one invocation", "s[i].x = i;\ns[i].y = i + s[i].x;\ns[i][i % 3u] += 1u;", "", ""},
		{"whole vectors", "s[i] = vec3u(i);\nif (g.x == 0u) { out[i] = vec4u(s[i], i); }", "", ""},
		{"with a barrier between", "if (i == 0u) { s[0].x = 1u; }\nworkgroupBarrier();\nif (i == 1u) { s[0].y = 2u; }", "", ""},
		{"a read of another component", "if (i == 0u) { s[0].x = 1u; }\nif (i == 1u) { let y = s[0].y; }", findings.RaceWorkgroup,
			"invocation 1 reads `s[0].y` on line 10 and invocation 0 writes another component of this vector on line 9; a write to one component may rewrite the whole vector, and there is no `workgroupBarrier()` between them"},
		{"a read before", "if (i == 0u) { let y = s[0].y; }\nif (i == 1u) { s[0].x = 1u; }", findings.RaceWorkgroup, "invocation 0 reads `s[0].y` on line 9 and invocation 1 writes another component of this vector on line 10"},
		{"reads alone", "let a = s[0].x + s[0][i % 3u];", "", ""},
		{"a private vector", "var v = vec3u();\nv[i % 3u] = i;\nv.x = 1u;", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := run(t, mustBuild(t, head+c.body+"\n}\n"), [3]uint32{2, 1, 1}, sim.Options{Watch: true}, make([]byte, 64), make([]byte, 64))
			errors := slices.DeleteFunc(result.Findings, func(f findings.Finding) bool { return f.Severity != findings.Error })
			if c.kind == "" {
				assert.Empty(t, errors)
				return
			}
			require.NotEmpty(t, errors)
			assert.Equal(t, c.kind, errors[0].Kind)
			assert.Contains(t, errors[0].Message, c.says)
		})
	}
}

// The components of a vector of f16 share words.
func TestComponentsOfOneVectorOfHalves(t *testing.T) {
	const head = `enable f16;
@group(0) @binding(0) var<storage, read_write> out: array<vec2h>;
@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) { `
	for body, races := range map[string]bool{"out[0][i] = 1.0h;": true, "out[i].x = 1.0h;": false} {
		result := run(t, mustBuild(t, head+body+" }"), [3]uint32{1, 1, 1}, sim.Options{Watch: true}, make([]byte, 8))
		assert.Equal(t, races, len(result.Findings) > 0, "%s: %v", body, result.Findings)
	}
}

// An integer's bits, read as a float, are a number that an implementation may flush to zero.
func TestASubnormalNumber(t *testing.T) {
	program := mustBuild(t, "@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n@compute @workgroup_size(1)\nfn main() {\n  x[1] = x[0] * 2.0;\n}\n")
	memory := make([]byte, 8)
	assert.Empty(t, run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, memory).Findings)
	memory[0] = 5
	found := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, memory).Findings
	require.Len(t, found, 1)
	assert.Equal(t, findings.Subnormal, found[0].Kind)
	assert.Equal(t, findings.Remark, found[0].Severity)
	assert.Equal(t, 4, found[0].Location.Line)
	assert.Contains(t, found[0].Message, "reads `x[0]`, which as a float is 7e-45: so small (subnormal)")
}

// An invalid pointer is an error only when it is used; the finding then names both places.
func TestAPointerThatLeadsNowhere(t *testing.T) {
	const code = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn fetch(p: ptr<function, u32>, really: bool) -> u32 {
  if (really) {
    return *p;
  }
  return 0u;
}
@compute @workgroup_size(1) fn main() {
  var a = array(1u, 2u);
  let k = out[0];
  out[1] = fetch(&a[k], out[2] > 0u);
}
`
	memory := make([]byte, 12)
	memory[0] = 2
	program := mustBuild(t, code)
	assert.Empty(t, run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, memory).Findings)
	memory[8] = 1
	found := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, memory).Findings
	require.Len(t, found, 1)
	assert.Equal(t, 4, found[0].Location.Line)
	require.NotNil(t, found[0].Other())
	assert.Equal(t, 11, found[0].Other().Line)
	assert.Equal(t, "a", found[0].Variable)
}

// An access of a struct takes several instructions, and is out of bounds once.
func TestAStructOutOfBounds(t *testing.T) {
	for body, want := range map[string]int{
		"let p = all[i]; out[0] = p.at.x + p.to.y;":                       1,
		"all[i] = Pair(vec3u(i), vec3u(1u), 2u);":                         1,
		"all[i + 1u] = all[i];":                                           2,
		"let p = all[i].to; let q = all[i + 1u].at; out[0] = p.x + q.y;":  2,
		"for (var k = 4u; k < 6u; k++) { let p = all[k]; out[k] = p.n; }": 1,
	} {
		program := mustBuild(t, `struct Pair { at: vec3u, to: vec3u, n: u32 }
@group(0) @binding(0) var<storage, read_write> out: array<u32, 8>;
@group(0) @binding(1) var<storage, read_write> all: array<Pair>;
@compute @workgroup_size(1) fn main() { let i = 4u + out[1]; `+body+"}")
		found := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, make([]byte, 32), make([]byte, 4*32)).Findings
		require.Len(t, found, want, "%s: %v", body, found)
	}
}

func TestALoopWithoutEnd(t *testing.T) {
	program := mustBuild(t, findingsHead+"var k = 0u;\nloop {\n  if (k == 77u) { break; }\n  k = (k + 2u) % 10u;\n}\n}\n")
	result := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true, Steps: 5_000_000}, make([]byte, 256))
	assert.False(t, result.Finished)
	require.NotEmpty(t, result.Findings)
	f := result.Findings[0]
	assert.Equal(t, findings.StepLimit, f.Kind)
	assert.Equal(t, firstBody+1, f.Location.Line)
	assert.Contains(t, f.Message, "`k` (")
	assert.Contains(t, f.Message, "still changes")
	assert.Contains(t, f.Message, "31 have not started this part")

	empty := run(t, mustBuild(t, "@compute @workgroup_size(1) fn main() { loop { if (false) { break; } } }"), [3]uint32{1, 1, 1}, sim.Options{Watch: true, Steps: 1000})
	assert.Contains(t, empty.Findings[0].Message, "nothing in the loop can end it")
}

// A loop that calls functions is found like any other.
func TestALoopWithoutEndThatCalls(t *testing.T) {
	const head = "@group(0) @binding(0) var<storage, read_write> out: array<u32, 4>;\n" +
		"fn next(k: u32) -> u32 {\n  if (k > 5u) { return k - 4u; }\n  return k + 1u;\n}\n"
	program := mustBuild(t, head+"@compute @workgroup_size(1) fn main() {\n  var k = 0u;\n  while (k < 77u) {\n    k = next(k);\n    k = next(k);\n  }\n}\n")
	for steps := uint64(5000); steps < 5040; steps++ { // it runs out of steps at a loop, and at either call
		result := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true, Steps: steps}, make([]byte, 16))
		require.Len(t, result.Findings, 1)
		assert.Equal(t, 8, result.Findings[0].Location.Line)
		assert.Contains(t, result.Findings[0].Message, "is in the loop on line 8; `k` (")
	}
}

// Each function doubles the calls. Nobody can wait for their end.
func TestCallsWithoutEnd(t *testing.T) {
	text := "@group(0) @binding(0) var<storage, read_write> out: array<f32, 4>;\nfn g0(x: f32) -> f32 { return x * 1.5 + 1.0; }\n"
	for i := 1; i <= 60; i++ {
		text += fmt.Sprintf("fn g%d(x: f32) -> f32 { return g%d(x) + g%d(x + 1.0); }\n", i, i-1, i-1)
	}
	program := mustBuild(t, text+"@compute @workgroup_size(1) fn main() { out[0] = g60(out[0]); }\n")
	const steps = 1_000_000
	for _, watch := range []bool{true, false} {
		result := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: watch, Steps: steps}, make([]byte, 16))
		assert.False(t, result.Finished)
		assert.Less(t, result.Steps, uint64(3*steps))
		if watch {
			require.Len(t, result.Findings, 1)
			assert.Equal(t, findings.StepLimit, result.Findings[0].Kind)
			assert.Regexp(t, "^the shader was still running after 1 million steps: .* is in `g\\d+`, and no loop; ", result.Findings[0].Message)
		}
	}
}

func TestAContextEndsARun(t *testing.T) {
	program := mustBuild(t, "@compute @workgroup_size(1) fn main() { for (var i = 1u; i * i != 2u; i += 2u) {} }")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := program.Run(ctx, [3]uint32{1, 1, 1}, nil, sim.Options{Steps: 1 << 60})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestRunsCanBeRepeated: a watched run reports the same each time.
func TestRunsCanBeRepeated(t *testing.T) {
	program := mustBuild(t, findingsHead+"s[i] = i;\nout[(i * 7u + g.x) % 70u] = s[31u - i] + out[i];\nif (i < 9u) { workgroupBarrier(); }\n}\n")
	var first string
	for range 5 {
		memory := make([]byte, 256)
		result := run(t, program, [3]uint32{3, 2, 1}, sim.Options{Watch: true}, memory)
		findings, err := json.Marshal(result.Findings)
		require.NoError(t, err)
		got := fmt.Sprint(string(findings), memory)
		if first == "" {
			first = got
		}
		assert.Equal(t, first, got)
	}
}

// Workgroups on many cores give the same results as on one.
func TestWorkgroupsOnManyCores(t *testing.T) {
	program := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> s: array<u32, 16>;
@compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
  s[i] = id.x * 3u;
  workgroupBarrier();
  out[id.x] = s[15u - i];
}`)
	one, many := make([]byte, 4*16*64), make([]byte, 4*16*64)
	run(t, program, [3]uint32{64, 1, 1}, sim.Options{Cores: 1}, one)
	run(t, program, [3]uint32{64, 1, 1}, sim.Options{Cores: 8}, many)
	assert.Equal(t, one, many)
	assert.NotZero(t, one[4])
}

// A race in the shader causes no data race in the simulator.
func TestARacingShaderOnManyCores(t *testing.T) {
	program := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3u) { out[0] = out[1] + id.x; out[1] = id.x; }`)
	run(t, program, [3]uint32{64, 1, 1}, sim.Options{Cores: 8}, make([]byte, 8))
}

func TestBuffersThatDoNotFit(t *testing.T) {
	program := mustBuild(t, findingsHead+"out[i] = 1u;\n}\n")
	for says, buffers := range map[string][]sim.BoundBuffer{
		"nothing is bound to `out`": nil,
		"needs at least 4 bytes":    {{Data: make([]byte, 2)}},
		"bytes 8 to 8":              {{Data: make([]byte, 4), Offset: 8}},
		"not a multiple of 4":       {{Data: make([]byte, 8), Offset: 2}},
	} {
		_, err := program.Run(context.Background(), [3]uint32{1, 1, 1}, buffers, sim.Options{})
		assert.ErrorContains(t, err, says)
	}
}

// Many workgroups without a loop also stop with the context and the step limit.
func TestManyWorkgroupsEnd(t *testing.T) {
	program := mustBuild(t, "@compute @workgroup_size(64) fn main() { var x = 1; x++; x++; x++; x++; x++; x++; x++; x++; }")
	result := run(t, program, [3]uint32{60000, 60000, 1}, sim.Options{Steps: 3_000_000})
	assert.False(t, result.Finished)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := program.Run(ctx, [3]uint32{60000, 60000, 10}, nil, sim.Options{Steps: 1 << 60})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// The result notes each invocation that writes to a buffer or past its end.
func TestWhoWrote(t *testing.T) {
	p := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x != 1u && id.x < 7u) { out[id.x] = 1u; }
}`)
	result := run(t, p, [3]uint32{2, 1, 1}, sim.Options{Watch: true}, make([]byte, 20))
	assert.Equal(t, []bool{true, false, true, true, true, true, true, false}, result.Wrote)
	assert.Nil(t, run(t, p, [3]uint32{2, 1, 1}, sim.Options{}, make([]byte, 20)).Wrote)
}

// Reads out of bounds whose values do not matter are remarks, however many there are. If the shader
// multiplies two of them, both matter.
func TestReadsThatMatter(t *testing.T) {
	const head = `@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main() {
  let n = arrayLength(&a);
`
	for _, c := range []struct {
		body   string
		errors int
	}{
		{"out[0] = select(0u, a[n], n > 9u) + select(0u, a[n + 1u], n > 9u) + select(0u, a[n + 2u], n > 9u) + select(0u, a[n + 3u], n > 9u)\n + select(0u, a[n + 4u], n > 9u) + select(0u, a[n + 5u], n > 9u);", 0},
		{"out[0] = a[n] * a[n + 1u];", 2},
		{"out[0] = a[n] + select(0u, a[n + 1u], n > 9u);", 1},
	} {
		result := run(t, mustBuild(t, head+c.body+"\n}"), [3]uint32{1, 1, 1}, sim.Options{Watch: true}, make([]byte, 8), make([]byte, 4))
		errors := 0
		for _, f := range result.Findings {
			if f.Severity == findings.Error {
				errors++
			}
		}
		assert.Equal(t, c.errors, errors, c.body)
		assert.NotEmpty(t, result.Findings, c.body)
	}
}

// Such a read may be the first instruction.
func TestTheFirstReadMayNotMatter(t *testing.T) {
	p := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
  let old = out[id.x];
  if (id.x < arrayLength(&out)) { out[id.x] = old + 1u; }
}`)
	result := run(t, p, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, make([]byte, 12))
	require.Len(t, result.Findings, 1)
	assert.Equal(t, findings.Remark, result.Findings[0].Severity, result.Findings[0].Message)
}

// An atomicLoad out of bounds is a read: a remark if nothing depends on it. An atomic function that
// also writes is a write, even if nothing uses what it gives.
func TestAtomicsOutside(t *testing.T) {
	for body, want := range map[string]struct {
		kind     findings.Kind
		severity findings.Severity
	}{
		"out[i] = select(7u, atomicLoad(&a[i + 4u]), i + 4u < arrayLength(&a));":    {findings.OutOfBoundsRead, findings.Remark},
		"out[i] = select(7u, atomicLoad(&w[i + 4u]), i + 4u < 4u);":                 {findings.OutOfBoundsRead, findings.Remark},
		"let v = fetch(&a[i + 1u]); if (i < 3u) { out[i] = v; }":                    {findings.OutOfBoundsRead, findings.Remark},
		"out[i] = atomicLoad(&a[i + 1u]);":                                          {findings.OutOfBoundsRead, findings.Error},
		"out[i] = atomicLoad(&w[i + 1u]);":                                          {findings.OutOfBoundsRead, findings.Error},
		"out[i] = select(0u, 1u, i == 3u && atomicLoad(&a[i + 1u]) > 9u);":          {findings.OutOfBoundsRead, findings.Error},
		"if (atomicLoad(&a[i + 1u]) == 0u) { atomicStore(&a[i], 1u); }":             {findings.OutOfBoundsRead, findings.Error},
		"out[i] = select(7u, atomicAdd(&a[i + 4u], 0u), i + 4u < arrayLength(&a));": {findings.OutOfBoundsWrite, findings.Error},
		"atomicStore(&a[i + 1u], 1u);":                                              {findings.OutOfBoundsWrite, findings.Error},
		"_ = atomicCompareExchangeWeak(&w[i + 1u], 9u, 9u);":                        {findings.OutOfBoundsWrite, findings.Error},
	} {
		program := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
var<workgroup> w: array<atomic<u32>, 4>;
fn fetch(p: ptr<storage, atomic<u32>, read_write>) -> u32 { return atomicLoad(p); }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { `+body+` }`)
		found := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, make([]byte, 16)).Findings
		require.NotEmpty(t, found, body)
		assert.Equal(t, want.kind, found[0].Kind, "%s: %s", body, found[0].Message)
		assert.Equal(t, want.severity, found[0].Severity, "%s: %s", body, found[0].Message)
	}
}

// TestReadsOutsideThatMatterTogether checks reads that matter only if another read is not zero, or
// whose large replacement has the same effect as zero.
func TestReadsOutsideThatMatterTogether(t *testing.T) {
	for body, want := range map[string]findings.Severity{
		"out[0] = f32(a[i] * b[i]);":                            findings.Error,
		"out[0] = select(1.0, 2.0, f32(a[i]) > out[0]);":        findings.Error, // out[0] is negative
		"let x = a[i] * b[i]; if (i < 4u) { out[0] = f32(x); }": findings.Remark,
		"out[0] = f32(a[i]); out[0] = 1.0;":                     findings.Error,
		"let x = a[i] + b[i]; out[0] = 1.0;":                    findings.Remark,
	} {
		program := mustBuild(t, `@group(0) @binding(0) var<storage, read> a: array<i32, 4>;
@group(0) @binding(1) var<storage, read> b: array<i32, 4>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1) fn main() { let i = arrayLength(&out) + 3u; `+body+` }`)
		out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(-3))
		found := run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, make([]byte, 16), make([]byte, 16), out).Findings
		require.NotEmpty(t, found, body)
		for _, f := range found {
			assert.Equal(t, findings.OutOfBoundsRead, f.Kind, body)
			assert.Equal(t, want, f.Severity, "%s: %s", body, f.Message)
		}
	}
}

// TestReadsOutsideThatDecide checks reads that only decide whether, where or how often a buffer is
// written. A GPU may read another element than 0, and then it writes.
func TestReadsOutsideThatDecide(t *testing.T) {
	const head = `struct Pair { key: i32, values: vec3f }
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@group(0) @binding(1) var<storage, read> whole: array<u32, 4>;
@group(0) @binding(2) var<storage, read> pairs: array<Pair>;
@group(0) @binding(3) var<storage, read_write> n: atomic<u32>;
var<workgroup> s: array<u32, 8>;
var<private> p: array<f32, 4>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  _ = &data; _ = &whole; _ = &pairs; _ = &n; _ = &s;
`
	for _, c := range []struct {
		name, body string
		matters    bool
		writes     bool // the run also finds the write
	}{
		{"below 0", "if (data[i] < 0.0) { data[i] = 0.0; }", true, true},
		{"above 0", "if (data[i] > 0.0) { data[i] = 0.0; }", true, true},
		{"a whole number", "if (whole[i] == 9u) { data[i] = 0.0; }", true, true},
		{"a vector's component", "if (pairs[i].values.y == 7.0) { data[i] = 0.0; }", true, true},
		{"a vector in a pointer", "let q = &pairs[i]; if ((*q).values[i % 3u + 1u] == 7.0) { data[i] = 0.0; }", true, true},
		{"no number", "if (!(data[i] <= 0.0) && !(data[i] > 0.0)) { data[i] = 0.0; }", true, true},
		{"a short circuit", "if (i > 100u || data[i] < 0.0) { data[i] = 0.0; }", true, true},
		{"a loop", "for (var k = 0u; k < min(whole[i], 2u); k++) { data[i] += 0.0; }", true, true},
		{"a place", "if (i < 4u || whole[i] != 0u) { data[whole[i] % 4u] = 1.0; }", true, false},
		{"only the value of a write out of bounds", "let v = data[i];\ndata[i] = max(v, 0.0);", false, true},
		{"a value", "if (i == 5u) { data[0] = select(1.0, 2.0, data[i] < 0.0); }", true, false},
		{"an atomic function", "if (data[i] < 0.0) { atomicMax(&n, 0u); }", true, false},
		{"through shared memory", "s[i] = whole[i];\nworkgroupBarrier();\nif (i < 4u && s[i + 4u] > 0u) { data[i] = 5.0; }", true, false},
		{"a guard that comes later", "let v = data[i];\nif (i < arrayLength(&data) && v < 0.0) { data[i] = 0.0; }", false, false},
		{"shared memory that goes nowhere", "s[i] = whole[i];\nworkgroupBarrier();\nif (i < 4u) { data[i] = f32(s[i]); }", false, false},
		{"private memory", "p[whole[i] % 4u] = data[i];\nif (i < 4u) { data[i] = p[0]; }", false, false},
		{"a private place beyond the end", "var q = array<f32, 4>();\nq[select(0u, whole[i], i > 3u)] = 1.0;\nif (i < 4u) { data[i] = 0.0; }", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			numbers := func(list ...float32) (b []byte) {
				for _, x := range list {
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
				}
				return b
			}
			whole := make([]byte, 16)
			whole[12] = 9
			result := run(t, mustBuild(t, head+c.body+"\n}"), [3]uint32{1, 1, 1}, sim.Options{Watch: true},
				numbers(1, 2, 4, 3), whole, numbers(0, 0, 0, 0, 6, 7, 8, 0), make([]byte, 4))
			kinds := map[findings.Kind]bool{}
			for _, f := range result.Findings {
				kinds[f.Kind] = kinds[f.Kind] || f.Severity == findings.Error
			}
			_, read := kinds[findings.OutOfBoundsRead]
			assert.True(t, read, result.Findings)
			assert.Equal(t, c.matters, kinds[findings.OutOfBoundsRead], result.Findings)
			assert.Equal(t, c.writes, kinds[findings.OutOfBoundsWrite], result.Findings)
		})
	}
}

// The write that only another value brings about says so, and its invocations count as writers.
func TestAWriteThatAReadOutsideDecides(t *testing.T) {
	p := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (data[id.x] < 0.0) { data[id.x] = 0.0; }
}`)
	result := run(t, p, [3]uint32{1, 1, 1}, sim.Options{Watch: true}, make([]byte, 12))
	require.Len(t, result.Findings, 2)
	assert.Equal(t, "invocation 3 of workgroup 0 may write `data[3]`, but `data` has 3 elements, so the last is `data[2]`; `id.x` is 3; "+
		"it does so if its out-of-bounds read gives another element instead of 0, as on some GPUs", result.Findings[1].Message)
	assert.Equal(t, []bool{false, false, false, true}, result.Wrote)
	assert.Nil(t, result.Doubtful(p, 0, 0))
}
