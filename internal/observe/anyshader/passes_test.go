package anyshader

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

func TestParseRuns(t *testing.T) {
	runs, err := ParseRuns(nil, "main", "4,2")
	require.NoError(t, err)
	require.Equal(t, []EntryRun{{Entry: "main", Workgroups: [3]uint32{4, 2, 1}}}, runs)
	runs, err = ParseRuns([]string{"plan", "scan=4", "add=@3", "draw=@1.2+16"}, "main", "1")
	require.NoError(t, err)
	require.Equal(t, []EntryRun{
		{Entry: "plan", Workgroups: [3]uint32{1, 1, 1}},
		{Entry: "scan", Workgroups: [3]uint32{4, 1, 1}},
		{Entry: "add", Workgroups: [3]uint32{1, 1, 1}, Indirect: &IndirectCounts{Binding: 3}},
		{Entry: "draw", Workgroups: [3]uint32{1, 1, 1}, Indirect: &IndirectCounts{Group: 1, Binding: 2, Offset: 16}},
	}, runs)
	for text, want := range map[string]string{
		"scan=0": "pass scan=0: ", "scan=@x": `"x" is not a binding number`, "scan=@3+2": `"2" is no offset`, "scan=@3+": `"" is no offset`, "scan=@": "is not a binding number",
	} {
		_, err := ParseRuns([]string{text}, "", "")
		require.ErrorContains(t, err, want, text)
	}
	_, err = ParseRuns(nil, "main", "0")
	require.ErrorContains(t, err, "workgroups 0: ")
}

// The workgroups are those that the buffer holds when the pass begins.
func TestIndirectCounts(t *testing.T) {
	source := shader.Read("try.wgsl", `@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn main() { y[0] = x[0]; }`)
	program, err := Compile(source, "main", nil, false)
	require.NoError(t, err)
	for counts, want := range map[string]struct {
		binds    []string
		counts   [3]uint32
		severity findings.Severity
		found    string
		err      string
	}{
		"@0":   {binds: []string{"0=u32:3,2,1,9"}, counts: [3]uint32{3, 2, 1}},
		"@0+4": {binds: []string{"0=u32:3,2,1,9"}, counts: [3]uint32{2, 1, 9}},
		"@2+8": {binds: []string{"2=u32:0,0,65535,1,1"}, counts: [3]uint32{65535, 1, 1}},
		"@1":   {binds: []string{"1=u32:1,1,1"}, err: "pass main: its workgroups are in @0.1, which it may write as `y`"},
		"@0+8": {binds: []string{"0=u32:1,1,1,1"}, err: "@0.0+8 has 16 bytes, and the three u32 of the workgroups end at byte 20"},
		"@5":   {binds: []string{"0=u32:1,1,1"}, err: "no buffer is given for @0.5"},
		"@3": {
			binds: []string{"3=u32:1,65536,1"}, counts: [3]uint32{1, 65536, 1},
			found: "@0.3 holds 1 × 65536 × 1 workgroups for `main`: a device has at most 65535 in a dimension, and runs none of them",
		},
		"@4": {binds: []string{"4=u32:8,8,0"}, counts: [3]uint32{8, 8, 0}, severity: findings.Remark, found: "@0.4 holds 8 × 8 × 0 workgroups for `main`: none runs"},
	} {
		given, err := ParseAll(want.binds, nil)
		require.NoError(t, err)
		run, err := ParsePass("main=" + counts)
		require.NoError(t, err)
		got, nothing, err := run.Counts(program, given)
		if want.err != "" {
			require.ErrorContains(t, err, want.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want.counts, got)
		require.Equal(t, want.found != "", nothing != nil, counts)
		if nothing != nil {
			require.Contains(t, nothing.Message, want.found)
			require.Equal(t, want.severity, nothing.Severity)
			require.Equal(t, 3, nothing.Line)
		}
	}
}

const dispatched = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> n: u32;
@group(0) @binding(3) var<storage, read_write> count: atomic<u32>;
var<workgroup> t: array<f32, 64>;
@compute @workgroup_size(64) fn each(@builtin(global_invocation_id) id: vec3u) { if (id.x >= n) { return; } out[id.x] = x[id.x]; }
@compute @workgroup_size(64) fn bare(@builtin(global_invocation_id) id: vec3u) { out[id.x] = x[id.x]; }
@compute @workgroup_size(64) fn same(@builtin(local_invocation_index) i: u32) { out[i] = x[i]; }
@compute @workgroup_size(8, 8) fn rows(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < 20 && id.y < 50) { out[id.y * 20 + id.x] = x[id.y * 20 + id.x]; }
}
@compute @workgroup_size(64) fn sums(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3u) {
  t[i] = 0.0;
  if (id.x < n) { t[i] = x[id.x]; }
  workgroupBarrier();
  if (i == 0) { out[g.x] = t[0] + t[63]; }
}
@compute @workgroup_size(64) fn large(@builtin(global_invocation_id) id: vec3u) { if (id.x < n && x[id.x] > 990.0) { atomicAdd(&count, 1u); } }
@compute @workgroup_size(64) fn strided(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) all: vec3u) {
  for (var i = id.x; i < n; i += 64 * all.x) { out[i] = x[i]; }
}
@compute @workgroup_size(64) fn fours(@builtin(global_invocation_id) id: vec3u) { for (var k = 0u; k < 4; k++) { let i = id.x * 4 + k; if (i < n) { out[i] = x[i]; } } }
@compute @workgroup_size(64) fn clamped(@builtin(global_invocation_id) id: vec3u) { out[id.x] = x[min(id.x, n - 1)]; }
@compute @workgroup_size(64) fn last(@builtin(global_invocation_id) id: vec3u) { let i = min(id.x, n - 1); out[i] = x[i]; }
@compute @workgroup_size(8, 8) fn padded(@builtin(global_invocation_id) id: vec3u) {
  let i = (id.y + 1) * 34 + id.x + 1;
  out[i] = x[i - 1] + x[i + 1] + x[i - 34] + x[i + 34];
}
@compute @workgroup_size(8, 5) fn pitch(@builtin(global_invocation_id) id: vec3u) { out[id.y * 40 + id.x] = x[id.y * 40 + id.x]; }
@compute @workgroup_size(8, 5) fn tile(@builtin(global_invocation_id) id: vec3u) { out[(id.y + 5) * 40 + id.x + 8] = 1.0; }
@compute @workgroup_size(8, 5) fn inner(@builtin(global_invocation_id) id: vec3u) {
  if (id.x == 0 || id.y == 0 || id.x >= 39 || id.y >= 24) { return; }
  let i = id.y * 40 + id.x;
  out[i] = x[i - 1] + x[i + 1] + x[i - 40] + x[i + 40];
}
@compute @workgroup_size(50) fn ring(@builtin(global_invocation_id) id: vec3u) { out[(n + id.x) % 1000] = 1.0; }
@compute @workgroup_size(50) fn low(@builtin(global_invocation_id) id: vec3u) { out[id.x] = 1.0; }
@compute @workgroup_size(50) fn high(@builtin(global_invocation_id) id: vec3u) { out[id.x + 500] = 2.0; }
@compute @workgroup_size(1) fn one() { for (var i = 0u; i < n; i++) { out[i] = x[i]; } }
`

// A dispatch with workgroups that have no work, or of too few for the elements, is told, with how
// many there should be. One that rounds up is fine, and so are those whose data decide.
func TestOddDispatches(t *testing.T) {
	const enough = "Dispatch 16"
	const outside = "more would write them, but go out of bounds as well. Check the index first, then dispatch more"
	for _, c := range []struct{ pass, n, want string }{
		{"each=100", "50", "only 1 of 100 workgroups has work: the others touch no element. Dispatch 1"},
		{"each=18", "1000", "only 16 of 18 workgroups have work: the others touch no element. Dispatch 16"},
		{"rows=20,50", "1000", "only 3 × 7 of 20 × 50 workgroups have work"},
		{"fours=16", "1000", "only 4 of 16 workgroups have work"},
		{"each=8000", "1000", "only 16 of 8,000 workgroups have work"},
		{"same=100", "1000", "only 1 of 100 workgroups writes new elements: the others write what those have written. Dispatch 1, or let the index depend on the workgroup"},
		{"rows=3,7,5", "1000", "only 3 × 7 × 1 of 3 × 7 × 5 workgroups write new elements"},
		{"one=4", "1000", "only 1 of 4 workgroups writes new elements"},
		{"each", "1000", "nothing writes 936 elements of `out`, from 64 on: the dispatch has 1 workgroup, and 16 would write them. Dispatch 16"},
		{"each=15", "1000", "nothing writes 40 elements of `out`, from 960 on: the dispatch has 15 workgroups, and 16 would write them. " + enough},
		{"each=15", "961", "nothing writes element 960 of `out`"},
		{"bare=15", "1000", "nothing writes 40 elements of `out`, from 960 on: the dispatch has 15 workgroups, and " + outside},
		{"rows=2,6", "1000", "nothing writes 232 elements of `out`, such as 16: the dispatch has 2 × 6 workgroups, and 3 × 7 would write them"},
		{"fours=3", "1000", "4 would write them"},
		{"sums=10", "1000", enough},
		{"last=50", "100", "only 2 of 50 workgroups write new elements"},
		{"pitch=5,3", "0", "from 600 on: the dispatch has 5 × 3 workgroups, and 5 × 5 would write them. Dispatch 5 × 5"},
		{"pitch=4,5", "0", "nothing writes 200 elements of `out`, such as 32: the dispatch has 4 × 5 workgroups, and 5 × 5 would write them"},
		{"inner=4,5", "0", "nothing writes 161 elements of `out`, such as 72: the dispatch has 4 × 5 workgroups, and 5 × 5 would write them. Dispatch 5 × 5"},
		{"inner=3,2", "0", "Dispatch 5 × 5"},
		{"ring", "980", "nothing writes 950 elements of `out`, from 30 on: the dispatch has 1 workgroup, and 20 would write them"},
		{"large=16 each=15", "1000", "nothing writes 40 elements of `out`, from 960 on"},

		{"padded=4,3", "0", ""}, {"padded=2,2", "0", ""}, {"tile=2,2", "0", ""}, {"tile=4,3", "0", ""}, {"inner=5,5", "0", ""}, {"last=2", "100", ""},
		{"low=10 high=10", "0", ""}, {"high=10 low=10", "0", ""}, {"low=10 strided=3", "1000", ""}, {"low=10 high=4 high=10", "0", ""},
		{"each=16", "1000", ""}, {"each=17", "1000", ""}, {"rows=3,7", "1000", ""}, {"rows=4,8", "1000", ""},
		{"fours=4", "1000", ""}, {"sums=16", "1000", ""}, {"large=16", "1000", ""}, {"strided=3", "1000", ""}, {"strided=40", "100", ""},
		{"one", "1000", ""}, {"each", "64", ""}, {"large", "64", ""}, {"each=3", "0", ""},
	} {
		passes, err := ParseRuns(strings.Fields(c.pass), "", "")
		require.NoError(t, err)
		given, err := ParseAll([]string{"0=f32[1000]", "1=f32[1000]:0", "2=u32:" + c.n, "3=u32:0"}, nil)
		require.NoError(t, err)
		run, err := Run(t.Context(), &Dispatches{Source: shader.Read("try.wgsl", dispatched), Passes: passes, Buffers: given}, nil)
		require.NoError(t, err)
		told := slices.DeleteFunc(run.Findings, func(f findings.Finding) bool {
			return f.Kind != findings.SpareWorkgroups && f.Kind != findings.FewWorkgroups
		})
		if c.want == "" {
			require.Empty(t, told, "%s of %s", c.pass, c.n)
			continue
		}
		require.Len(t, told, 1, "%s of %s", c.pass, c.n)
		require.Contains(t, told[0].Message, c.want)
		require.Equal(t, findings.Remark, told[0].Severity)
	}
}
