package gpu

import (
	"cmp"
	"testing"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/stretchr/testify/require"
)

// wgpu computes its own minimum size for a binding. It agrees with this package's check: that many
// bytes are enough, and four fewer are not. (For an array with a fixed length, wgpu requires only
// one element. This package is stricter, like the specification.)
func TestLayoutsAgreeWithTheCompiler(t *testing.T) {
	d, err := Open()
	require.NoError(t, err)
	t.Cleanup(d.Close)
	const structs = `
struct Mixed { a: f32, b: vec3<f32>, c: u32, d: array<vec2<f32>, 3> }
struct Nested { n: u32, m: array<Mixed, 2>, last: f32 }
struct Attributed { @size(24) a: u32, @align(32) b: f32 }
struct Open { n: u32, data: array<vec3<f32>> }
struct OpenNested { n: u32, data: array<Mixed> }
alias Words = array<u32, 7>;
`
	use := map[string]string{ // of a binding x; the default is to read all of it
		"array<vec2<f32>>": "arrayLength(&x)", "array<vec3<f32>>": "arrayLength(&x)", "array<Mixed>": "arrayLength(&x)",
		"Open": "arrayLength(&x.data)", "OpenNested": "arrayLength(&x.data)", "array<atomic<u32>, 9>": "atomicLoad(&x[0])",
	}
	for _, typ := range []string{
		"vec2<u32>", "vec3<f32>", "vec4f", "mat2x2<f32>", "mat3x3<f32>", "mat4x3f", "array<vec2<f32>>", "array<f32, 5>", "array<vec3<f32>>",
		"array<vec3<f32>, 3>", "array<mat3x3<f32>, 2>", "array<atomic<u32>, 9>", "Mixed", "Nested", "Attributed", "Open", "OpenNested", "array<Mixed>", "Words",
	} {
		k, err := d.Compile(typ, structs+"@group(0) @binding(0) var<storage, read_write> x: "+typ+";\n@compute @workgroup_size(1) fn main() { let used = "+cmp.Or(use[typ], "x")+"; }")
		require.NoError(t, err)
		module, err := k.source.Module()
		require.NoError(t, err)
		size := module.Bindings[0].Type.Size
		require.NoError(t, submitWithSize(d, k, size), typ)
		if stride := module.Bindings[0].Type.Stride; stride == 0 || stride == size {
			require.ErrorContains(t, submitWithSize(d, k, size-4), "size", typ)
		}
	}
}

// submitWithSize binds this many bytes and bypasses this package's check.
func submitWithSize(d *Device, k *Pipeline, size uint64) error {
	b, err := Alloc[uint32](d, 1000)
	if err != nil {
		return err
	}
	group, err := d.platform.(*webgpu).bindEntries(k.made.program.(*webgpuProgram), 0, []wgpu.BindGroupEntry{{Buffer: handleOf(b), Size: size}})
	if err != nil {
		return err
	}
	g := &Group{d, group}
	d.live[g] = struct{}{}
	return d.Run(Pass{pipeline: k, groups: []*Group{g}, workgroups: [3]uint32{1, 1, 1}})
}
