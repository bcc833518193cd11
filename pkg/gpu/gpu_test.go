package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/gpu"
)

const double = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x)) { y[id.x] = 2.0 * x[id.x]; }
}`

func open(t *testing.T, options ...gpu.Option) *gpu.Device {
	t.Helper()
	d, err := gpu.Open(options...)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

func TestDouble(t *testing.T) {
	d := open(t)
	t.Logf("%+v", d.Adapter())
	x, err := gpu.Upload(d, []float32{1, 2, 3})
	require.NoError(t, err)
	y, err := gpu.Alloc[float32](d, 3)
	require.NoError(t, err)
	k, err := d.Compile("double", double)
	require.NoError(t, err)
	p, err := k.Pass([3]uint32{1, 1, 1}, x, y)
	require.NoError(t, err)
	require.NoError(t, d.Run(p))
	got, err := gpu.Read[float32](y)
	require.NoError(t, err)
	require.Equal(t, []float32{2, 4, 6}, got)
	times, err := d.Time(p, p)
	require.NoError(t, err)
	t.Log(times)
	_, err = d.Compile("bad", "@compute @workgroup_size(1)\nfn main() {\n\tlet x: f32 = 1u;\n}")
	t.Log(err)
	_, err = d.Compile("bad", "@group(0) @binding(0) var<storage, read> x: array<f32>;\n@compute @workgroup_size(1)\nfn main() {\n\tlet x: f32 = std;\n}")
	t.Log(err)
	_, err = d.Compile("bad", "@compute @workgroup_size(1)\nfn main() {\n\tlet x = id.x\n}")
	t.Log(err)
	_, err = d.Compile("bad", "\x80\x81garbage")
	t.Log(err)
	_, err = d.Compile("bad", "@group(0) @binding(0) var<storage, read> x: array<f32>;\n@compute @workgroup_size(1)\nfn main() {\n\tx[0] = 1.0;\n}")
	t.Log(err)
	_, err = d.Compile("bad", "var<workgroup> big: array<f32, 100000>;\n@compute @workgroup_size(1)\nfn main() {\n\tbig[0] = 1.0;\n}")
	t.Log(err)
	_, err = d.Compile("bad", "const n = 2;var<workgroup> big: array<f32, n*512>;\n@compute @workgroup_size(n*1024)\nfn main() {\n\tbig[0] = 1.0;\n}")
	t.Log(err)
}
