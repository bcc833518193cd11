package anyshader

import (
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
		given, err := ParseAll(want.binds)
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
