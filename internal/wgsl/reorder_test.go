package wgsl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
)

func TestReorderKeepsLinesAndPassesNumbersOn(t *testing.T) {
	const source = `const N = 4u; // main
var<workgroup> t: array<f32, N>;
@compute
@workgroup_size(N, 2)
fn main(
    @builtin(local_invocation_id) local: vec3<u32>, // who
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) me: u32,
) {
    t[me] = 1.0;
    workgroupBarrier();
}
`
	f := wgsl.Scan(source).Functions()
	require.Equal(t, []wgsl.Order{wgsl.Reversed, wgsl.Scattered}, f.Orders())
	for _, order := range []wgsl.Order{wgsl.Reversed, wgsl.Scattered, wgsl.Forward, wgsl.Backward} {
		rewritten, ok := f.Reorder([3]uint32{4, 2, 1}, order)
		require.True(t, ok)
		lines := strings.Split(rewritten, "\n")
		require.Equal(t, "    t[me] = 1.0;", lines[9], order)
		require.Equal(t, "fn wgslab_main(", lines[4], order)
		require.Equal(t, "     local: vec3<u32>, // who", lines[5], order)
		require.Contains(t, rewritten, "wgslab_main(wgslab_local, wgslab_group * wgslab_size + wgslab_local, wgslab_index);")
		module, err := wgsl.Scan(rewritten).Module()
		require.NoError(t, err)
		entry, found := module.Entry("main")
		require.True(t, found)
		require.Equal(t, [3]uint32{4, 2, 1}, entry.WorkgroupSize)
		require.Len(t, module.EntryPoints, 1)
	}
}

func TestReorderDeclinesWhatItCannotTakeApart(t *testing.T) {
	for _, source := range []string{
		"",
		"fn main() {}",
		"@compute @workgroup_size(1) fn other() {}",
		"struct In { @builtin(workgroup_id) group: vec3<u32> } @compute @workgroup_size(2) fn main(in: In) {}",
		"@compute @workgroup_size(2) fn main(@builtin(subgroup_size) n: u32) {}",
	} {
		_, ok := wgsl.Scan(source).Functions().Reorder([3]uint32{2, 1, 1}, wgsl.Reversed)
		require.False(t, ok, source)
	}
}

func TestOrdersWithoutABarrier(t *testing.T) {
	require.Equal(t, []wgsl.Order{wgsl.Forward, wgsl.Backward}, wgsl.Scan(entry("t[local.x] = 1.0;")).Functions().Orders())
}
