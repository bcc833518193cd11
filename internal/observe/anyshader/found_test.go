package anyshader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
)

const counting = `struct Cell { mass: f32, n: i32 }
@group(0) @binding(0) var<storage, read_write> cells: array<Cell>;
@group(0) @binding(1) var<storage, read_write> h: array<u32>;
var<workgroup> s: array<u32, 8>;
fn bump(p: ptr<storage, u32, read_write>) { *p = 1u + *p; }
@compute @workgroup_size(8) fn go(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
`

// A bug is one finding, and the finding about an update names the atomic function for it.
func TestEachBugIsToldOnce(t *testing.T) {
	const lost = "that is three steps, read, change and write, so one of the two updates can get lost. "
	for body, want := range map[string]string{
		"cells[id.x / 4u].mass += 1.0;":        lost + "WGSL has no atomic f32: let one invocation update it, or count whole units in an integer with `atomicAdd`.",
		"cells[1].n--;":                        lost + "Make it atomic<i32>, and write `atomicSub(&cells[1].n, …)`, which is one step.",
		"h[id.x % 3u] = h[id.x % 3u] | id.x;":  lost + "Make it atomic<u32>, and write `atomicOr(&h[id.x % 3u], …)`, which is one step.",
		"h[0] = max(id.x, h[0]);":              lost + "Make it atomic<u32>, and write `atomicMax(&h[0], …)`, which is one step.",
		"h[0] = id.x - h[0];":                  lost + "Make it atomic<u32>, and update it in a loop with `atomicCompareExchangeWeak`.",
		"h[0] *= id.x;":                        lost + "Make it atomic<u32>, and update it in a loop with `atomicCompareExchangeWeak`.",
		"bump(&h[1]);":                         lost + "Make it atomic<u32>, and write `atomicAdd(p, …)`, which is one step.",
		"s[0] += id.x;":                        lost + "Make it atomic<u32>, and write `atomicAdd(&s[0], …)`, which is one step.",
		"s[i] = i; s[i] += s[(i + 1u) % 8u];":  "there is no `workgroupBarrier()` between them",
		"if (id.x < 8u) { h[i] = h[7u - i]; }": "there is no `storageBarrier()` between them",
		"h[0] = id.x;":                         "either value may be the one that stays",
		"h[0] = id.x;\nh[1] = id.x;":           "either value may be the one that stays|either value may be the one that stays",
	} {
		run := simulated(t, counting+body+"\n}\n", anyshader.ShaderRun{Workgroups: "2", Binds: []string{"0=u32[8]:0", "1=u32[8]:0"}})
		var said []string
		for _, f := range run.Findings {
			if f.IsError() {
				_, says, _ := strings.Cut(f.Message, "; ")
				said = append(said, strings.TrimSuffix(says+". "+f.Hint, ". "))
			}
		}
		require.Contains(t, strings.Join(said, "|"), want, body)
		require.Len(t, said, 1+strings.Count(want, "|"), "%s: %s", body, said)
	}
}

// Findings of several passes name theirs, and what all of them have is told once.
func TestFindingsNameTheirPasses(t *testing.T) {
	const three = `@group(0) @binding(0) var<storage, read_write> h: array<u32>;
@compute @workgroup_size(4) fn fill(@builtin(global_invocation_id) id: vec3u) { h[id.x] = id.x; }
@compute @workgroup_size(4) fn sum(@builtin(global_invocation_id) id: vec3u) { h[0] += h[id.x + 1u]; }
`
	for name, c := range map[string]struct {
		text   string
		passes []string
		want   string
	}{
		"one pass":       {three, []string{"sum"}, "3 "},
		"another":        {three, []string{"fill=2", "sum"}, "3 pass 2 (sum)"},
		"twice":          {three, []string{"fill=2", "sum", "fill=2", "sum"}, "3 passes 2 and 4 (sum)"},
		"does not run":   {strings.Replace(three, "id.x + 1u", "1.5", 1), []string{"fill=2", "sum", "sum"}, "3 "},
		"misses a value": {"override N: u32;\n@compute @workgroup_size(N) fn a() {}\n@compute @workgroup_size(N) fn b() {}", []string{"a", "b"}, "1 "},
	} {
		run := simulated(t, c.text, anyshader.ShaderRun{Passes: c.passes, Binds: []string{"0=u32[8]"}})
		var said []string
		for _, f := range run.Findings {
			said = append(said, fmt.Sprintf("%d %s", f.Line, f.Case))
		}
		require.Equal(t, c.want, strings.Join(said, "|"), name)
	}
}

func simulated(t *testing.T, text string, on anyshader.ShaderRun) *anyshader.SimulatedRun {
	t.Helper()
	d, err := on.Read(shader.Read("try.wgsl", text))
	require.NoError(t, err)
	run, err := anyshader.Run(t.Context(), d, nil)
	require.NoError(t, err)
	return run
}

// The entry point that a run begins with needs a name only if there is a choice.
func TestTheOnlyEntryPoint(t *testing.T) {
	const one, other = "@compute @workgroup_size(1) fn one() {}\n", "@compute @workgroup_size(1) fn two() {}\n"
	for text, want := range map[string]string{
		one:         "one",
		one + other: "try.wgsl has several entry points: choose one with --entry one, or two",
		one + "@compute @workgroup_size(1) fn main() {}":     "main",
		one + "@fragment fn f() {}":                          "one",
		"@fragment fn f() {}":                                "main",
		"@compute @workgroup_size(1) fn one() { let x = 1 }": "main",
	} {
		asked := anyshader.ShaderRun{Workgroups: "1", Dashes: "--"}
		d, err := asked.Read(shader.Read("try.wgsl", text))
		if err != nil {
			require.EqualError(t, err, want)
			continue
		}
		require.Equal(t, want, d.Passes[0].Entry, text)
	}
}
