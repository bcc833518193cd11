package printing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/debug"
	"github.com/wgslab/wgslab/internal/debug/printing"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

const buffer = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n"

// printers are shaders without races, with their entry points in order. Every engine prints the
// same rows. The numbers of data are 0 to 15, and each pass has two workgroups.
var printers = map[string]struct {
	text    string
	entries []string
}{
	"in functions": {buffer + `
fn half(x: u32) -> u32 {
    let y = x / 2u; // print if x > 5u: x, y
    return y; // print: x
}
fn both(x: u32) -> u32 { return half(x) + half(x + 1u); }
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_id) l: vec3<u32>, @builtin(global_invocation_id) id: vec3<u32>) { // print: l.x, id.x
    data[id.x] = both(data[id.x]);
    // print: data[id.x]
}
`, []string{"main"}},
	"in loops": {buffer + `
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    for (var k = 0u; k < id.x; k++) { // print: k
        sum += k; // print if k == 2u: sum
        if (sum > 9u) { break; // print: sum
        }
    }
    var n = 0u;
    loop {
        n++; // print: n
        if (n < 2u) { continue; }
        continuing {
            break if n > 2u;
        }
    } // print: n, sum
    switch id.x {
        case 1u, 2u: { // print: id.x
        }
        default: {}
    }
    while n > 0u { n--; // print if id.x == 7u: n
    }
}
`, []string{"main"}},
	"every type": {buffer + `
struct Inner { flags: vec2<bool>, m: mat2x3<f32> }
struct Outer { n: i32, inner: Inner, list: array<vec2<f32>, 2> }
const PI = 3.14159;
@compute @workgroup_size(2, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let f = f32(id.x) - 0.1;
    let m = mat2x3<f32>(f, 1.0, 2.0, 3.0, 4.0, f32(id.y)); // print: f, -f, f * 1e20, m, m[1], vec4(f, 0.0, 1.0, -0.0).zw
    var o = Outer(-3, Inner(vec2<bool>(true, id.x == 1u), m), array<vec2<f32>, 2>(vec2(f), vec2(2.0))); // print: o, o.inner
    let p = &o.list;
    let long = array<u32, 40>(); // print: long, (*p)[1]
    let split = frexp(f); // print: split, modf(1.5), 1, 2.5, PI, vec2(1, 2), i32(-7), true, id < vec3<u32>(1u), id.x < 2u, id.y > (1u)
    // print if o.inner.flags.y: id.xy /* both */ , o.inner.flags // the flags
    data[id.x] = 1u;
}
`, []string{"main"}},
	"ids in a structure": {buffer + `
struct Inputs { @builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) where_: vec3<u32>, @builtin(num_workgroups) all: vec3<u32> }
@compute @workgroup_size(2, 1, 2) fn main(in: Inputs) {
    // print: in.i, in.where_, in.all
}
`, []string{"main"}},
	"no ids": {buffer + `
@compute @workgroup_size(4)
fn /* main ( */ main(/* nothing */) {
    // print: 7u
}
`, []string{"main"}},
	"other parameters, and names that are taken": {buffer + `
var<private> print_id: u32;
fn print_0() { print_id += 1u; }
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    print_0();
    // print: print_id, i
}
`, []string{"main"}},
	"several entry points": {buffer + `
@group(1) @binding(3) var<uniform> scale: vec4<u32>;
fn twice(x: u32) -> u32 { return 2u * x; // print: x
}
fn once(x: u32) -> u32 {
    // print: x
    return x;
}
@compute @workgroup_size(2) fn first(@builtin(global_invocation_id) id: vec3<u32>) {
    data[id.x] = twice(data[id.x]) + scale.y; // print: data[id.x], scale
}
@compute @workgroup_size(4) fn second(@builtin(global_invocation_id) id: vec3<u32>) {
    data[id.x] = once(data[id.x]);
    // print: data[id.x]
    // print: twice(1u)
}
`, []string{"first", "second", "first"}},
	"memory that is shared": {buffer + `
var<workgroup> tile: array<u32, 4>;
var<workgroup> count: atomic<u32>;
var<workgroup> all: array<atomic<i32>, 2>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    tile[i] = data[id.x];
    atomicAdd(&count, i);
    atomicSub(&all[1], 2);
    workgroupBarrier(); // print: tile, count, all[1u]
    workgroupBarrier();
    for (var half = 2u; half > 0u; half /= 2u) {
        if (i < half) { tile[i] += tile[i + half]; }
        workgroupBarrier(); // print if i == 0u: tile[0], atomicLoad(&count), half
    }
}
`, []string{"main"}},
}

// both prints in the simulator and on a device, pass by pass, on copies of the same buffers.
func both(t *testing.T, device *gpu.Device, text string, entries ...string) (simulated, recorded [][]*printing.Printed) {
	t.Helper()
	source := shader.ReadWith("try.wgsl", text, types.AllFeatures)
	require.Nil(t, source.Unrunnable())
	ours, theirs := numbers(), numbers()
	var passes []printing.DevicePass
	for _, entry := range entries {
		program, err := sim.CompileEntry(source.At(entry), nil, false)
		require.NoError(t, err)
		passes = append(passes, printing.DevicePass{Pipeline: program.Pipeline, Workgroups: [3]uint32{2, 1, 1}})
		printed, err := printing.Run(t.Context(), source, func(marked *shader.Source) (*debug.Target, error) {
			program, err := sim.CompileEntry(marked.At(entry), nil, true)
			return &debug.Target{Program: program, Workgroups: [3]uint32{2, 1, 1}, Buffers: ours}, err
		})
		require.NoError(t, err)
		_, err = program.Run(t.Context(), [3]uint32{2, 1, 1}, ours, sim.Options{})
		require.NoError(t, err)
		simulated = append(simulated, printed)
	}
	recorded, err := printing.OnDevice(t.Context(), device, passes, theirs)
	require.NoError(t, err)
	assert.Equal(t, ours, theirs, "the comments change nothing")
	return simulated, recorded
}

func numbers() []sim.BoundBuffer {
	data := make([]byte, 64)
	for i := range 16 {
		data[4*i] = byte(i)
	}
	return []sim.BoundBuffer{{Data: data}, {Group: 1, Binding: 3, Data: slices.Clone(data[:16])}}
}

// invocations returns the invocation of each row.
func invocations(p *printing.Printed) (ids [][3]uint32) {
	for _, r := range p.Rows {
		ids = append(ids, r.Invocation)
	}
	return ids
}

// open opens this machine's driver, or the simulator as a device.
func open(t *testing.T, engine string) *gpu.Device {
	t.Setenv(gpu.EngineVariable, engine)
	device, err := gpu.Open()
	require.NoError(t, err)
	require.Equal(t, engine == "simulator", device.Adapter().Kind == shader.Simulated, "on a machine without a driver only -run /simulator can pass")
	t.Cleanup(device.Close)
	return device
}

func TestTheSameOnEveryEngine(t *testing.T) {
	for name, engine := range map[string]string{"driver": "", "simulator": "simulator"} {
		t.Run(name, func(t *testing.T) {
			device := open(t, engine)
			for name, p := range printers {
				t.Run(name, func(t *testing.T) {
					simulated, recorded := both(t, device, p.text, p.entries...)
					printed := 0
					for pass := range p.entries {
						for i, want := range simulated[pass] {
							got := recorded[pass][i]
							assert.Equal(t, device.Adapter().Name, got.On)
							assert.Equal(t, want.Problem, got.Problem)
							assert.Equal(t, invocations(want), invocations(got), "line %d", want.Line)
							assert.Equal(t, rows(want), rows(got), "line %d", want.Line)
							printed += len(got.Rows)
						}
						printing.Beside(simulated[pass], recorded[pass])
						for _, p := range simulated[pass] {
							assert.Zero(t, p.Differing)
						}
					}
					assert.NotZero(t, printed)
				})
			}
		})
	}
}
