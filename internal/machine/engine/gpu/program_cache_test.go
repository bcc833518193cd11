package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A device keeps exactly the programs that it compiled most recently.
func TestKeepPrograms(t *testing.T) {
	d, err := Open(KeepPrograms(2))
	require.NoError(t, err)
	defer d.Close()
	made := func(name string) *made {
		t.Helper()
		k, err := d.Compile(name, "@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n@compute @workgroup_size(1) fn main() { x[0] = 7u; }")
		require.NoError(t, err)
		x, err := Alloc[uint32](d, 1)
		require.NoError(t, err)
		require.NoError(t, k.Prepare(x))
		left, err := Read[uint32](x)
		require.NoError(t, err)
		require.Equal(t, []uint32{0}, left, "no workgroup has run")
		p, err := k.Pass([3]uint32{1, 1, 1}, x)
		require.NoError(t, err)
		require.NoError(t, d.Run(p))
		k.Free()
		return k.made
	}
	a, b := made("a"), made("b")
	require.Same(t, a, made("a"), "though its pipeline was freed")
	made("c")
	require.Same(t, a, made("a"))
	require.Zero(t, b.users, "two others came later")
	require.NotSame(t, b, made("b"))
}
