package printing_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/printing"
	"github.com/wgslab/wgslab/internal/observe/printing/ondevice"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// open opens this machine's driver, or the simulator as a device.
func open(t *testing.T, engine string) *gpu.Device {
	t.Helper()
	t.Setenv(gpu.EngineVariable, engine)
	device, err := gpu.Open()
	require.NoError(t, err)
	require.Equal(t, engine == "simulator", device.Adapter().Kind == shader.Simulated, "on a machine without a driver only -run /simulator can pass")
	t.Cleanup(device.Close)
	return device
}

// both runs the entry points of a shader in the simulator and on a device, two workgroups each, on
// equal buffers, and returns what the comments show in each pass.
func both(t *testing.T, device *gpu.Device, text string, buffers func() []sim.BoundBuffer) (simulated, recorded [][]*printing.Printed) {
	t.Helper()
	source := shader.ReadWith("try.wgsl", text, types.AllFeatures)
	require.Nil(t, source.Unrunnable())
	ours, theirs := buffers(), buffers()
	var passes []ondevice.PrintedPass
	for _, entry := range source.Shader().Info.EntryPoints {
		at, workgroups := entry.Object.Name, [3]uint32{2, 1, 1}
		program, err := sim.CompileEntry(source.At(at), nil, false)
		require.NoError(t, err)
		passes = append(passes, ondevice.PrintedPass{Pipeline: program.Pipeline, Workgroups: workgroups})
		printed, err := printing.Run(t.Context(), source, func(marked *shader.Source) (*debug.Target, error) {
			program, err := sim.CompileEntry(marked.At(at), nil, true)
			return &debug.Target{Program: program, Workgroups: workgroups, Buffers: ours}, err
		})
		require.NoError(t, err)
		_, err = program.Run(t.Context(), workgroups, ours, sim.Options{})
		require.NoError(t, err)
		simulated = append(simulated, printed)
	}
	recorded, err := ondevice.Print(t.Context(), device, passes, theirs)
	require.NoError(t, err)
	assert.Equal(t, ours, theirs, "the comments change nothing")
	return simulated, recorded
}

// numbers returns a buffer with 0 to 15, and one with four of them.
func numbers() []sim.BoundBuffer {
	data := make([]byte, 64)
	for i := range 16 {
		data[4*i] = byte(i)
	}
	return []sim.BoundBuffer{{Data: data}, {Binding: 1, Data: data[16:32:32]}}
}

// The shaders in testdata have no races, so each comment shows the same rows on every engine. A
// browser runs them in acceptance/engines.
func TestTheSameOnEveryEngine(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for name, engine := range map[string]string{"driver": "", "simulator": "simulator"} {
		t.Run(name, func(t *testing.T) {
			device := open(t, engine)
			for _, path := range paths {
				t.Run(filepath.Base(path), func(t *testing.T) {
					text, err := os.ReadFile(path)
					require.NoError(t, err)
					simulated, recorded := both(t, device, string(text), numbers)
					printed := 0
					for pass, ours := range simulated {
						for i, p := range ours {
							assert.Equal(t, device.Adapter().Name, recorded[pass][i].On)
							assert.Equal(t, p.Problem, recorded[pass][i].Problem)
							assert.Equal(t, withIDs(p), withIDs(recorded[pass][i]), "line %d", p.Line)
							printed += len(p.Rows)
						}
						printing.AddDevice(ours, recorded[pass])
						for _, p := range ours {
							assert.Zero(t, p.Differing)
						}
					}
					assert.NotZero(t, printed)
				})
			}
		})
	}
}

// withIDs returns the rows of a comment with their invocations.
func withIDs(p *printing.Printed) (rows [][2]any) {
	for _, r := range p.Rows {
		rows = append(rows, [2]any{r.Invocation, r.Values})
	}
	return rows
}

// A pass may use other groups than the first, with gaps between them.
func TestGroups(t *testing.T) {
	simulated, recorded := both(t, open(t, ""), `@group(2) @binding(3) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    data[id.x] *= 2u; // print: data[id.x]
}
`, func() []sim.BoundBuffer {
		return []sim.BoundBuffer{{Group: 2, Binding: 3, Data: numbers()[0].Data}}
	})
	assert.Equal(t, []string{"0", "2", "4", "6", "8", "10", "12", "14"}, rows(recorded[0][0]))
	assert.Equal(t, rows(simulated[0][0]), rows(recorded[0][0]))
}

// Of many rows a device keeps those that the simulator keeps, and counts all.
func TestMoreRowsThanAreKept(t *testing.T) {
	simulated, recorded := both(t, open(t, ""), `@compute @workgroup_size(4) fn main() {
    for (var k = 0; k < 1000; k++) { // print: k
    }
}
`, func() []sim.BoundBuffer { return nil })
	ours, theirs := simulated[0][0], recorded[0][0]
	assert.Len(t, theirs.Rows, 4096)
	assert.Equal(t, 8000-4096, theirs.LeftOut)
	assert.Equal(t, withIDs(ours), withIDs(theirs))
}

// If the buffer is too small for all rows, an invocation's first visits are in it.
func TestNoRoomForAllRows(t *testing.T) {
	source := shader.Read("try.wgsl", `@compute @workgroup_size(4) fn main() {
    for (var k = 0; k < 1000; k++) { // print: k
    }
}
`)
	pipeline, _ := source.Shader().Info.Pipeline(source.Shader().Entry("main"), nil)
	rewritten, err := prints.Rewrite(pipeline, prints.Room{Bytes: 4 * (1 + 50*4), StorageBuffers: 1})
	require.NoError(t, err)
	program, err := sim.CompileEntry(shader.Read("try.wgsl", rewritten.Text), nil, false)
	require.NoError(t, err)
	content := make([]byte, rewritten.Bytes)
	_, err = program.Run(t.Context(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{{Binding: rewritten.Binding, Data: content}}, sim.Options{})
	require.NoError(t, err)
	p := printing.Recorded(rewritten, content, pipeline.WorkgroupSize, "a device")[0]
	require.Len(t, p.Rows, 50)
	assert.Equal(t, 4*1000-50, p.LeftOut)
	visits := map[[3]uint32]int{}
	for _, r := range p.Rows {
		assert.Equal(t, strconv.Itoa(visits[r.Invocation]), r.Values[0])
		visits[r.Invocation]++
	}
}

// Where rows differ, both are side by side. An index out of bounds does so on every device.
func TestBeside(t *testing.T) {
	simulated, recorded := both(t, open(t, "simulator"), `@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read> other: array<u32>;
var<workgroup> sum: atomic<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    _ = data[0] + other[0] + atomicLoad(&sum);
    // print if id.x > 4u: data[id.x + 10u], other[id.x / 4u]
    // print: id.x
    // print: atomicAdd(&sum, 1u)
}
`, numbers)
	all := simulated[0]
	printing.AddDevice(all, recorded[0])
	assert.Equal(t, 2, all[0].Differing)
	views := printing.Views(all)
	require.Len(t, views, 5)
	table := views[0].(view.Table)
	assert.Equal(t, "Line 6 prints data[id.x + 10u], other[id.x / 4u] · 2 of 3 rows differ on simulator", table.Caption)
	assert.Equal(t, []any{"6", "0 (the index 16 is out of bounds)", "0", "5", "5"}, table.Rows[0])
	assert.Contains(t, views[1].Text(), "Line 7 prints id.x · the same on simulator")
	assert.Contains(t, views[2].Text(), "Line 8 prints atomicAdd(&sum, 1u)\n")
	assert.Contains(t, views[3].Text(), "Line 8 prints nothing · on simulator")
	assert.Contains(t, views[3].Text(), "`atomicAdd` changes memory")
	assert.Contains(t, views[4].Text(), "Rows differ where invocations race")
}

// A device gives errors instead of waiting for ever, of guessing, or of showing the code that was
// added.
func TestWhatADeviceRefuses(t *testing.T) {
	device := open(t, "")
	const head = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n@compute @workgroup_size(1) fn main() {\n"
	for body, want := range map[string]string{
		"    while true { data[0]++; // print: data[0]\n    }\n}\n":                                                                 "try.wgsl did not finish: the loop on line 3",
		"    let p = &data; p[0] = 1u; // print: p[0]\n}\n":                                                                         "this device's compiler refuses it",
		"    data[1] = textureLoad(picture, vec2<u32>(), 0).r; // print: 1\n}\n@group(0) @binding(2) var picture: texture_2d<u32>;": "`picture` is a texture_2d<u32>",
		"    data[1] = texel.x; // print: 1\n}\n@group(0) @binding(1) var<uniform> texel: vec4<u32>;":                               "nothing is bound to `texel`, @group(0) @binding(1)",
	} {
		source := shader.ReadWith("try.wgsl", head+body, types.AllFeatures)
		require.Nil(t, source.Unrunnable())
		pipeline, _ := source.Shader().Info.Pipeline(source.Shader().Entry("main"), nil)
		_, err := ondevice.Print(t.Context(), device, []ondevice.PrintedPass{{Pipeline: pipeline, Workgroups: [3]uint32{1, 1, 1}}}, numbers()[:1])
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "print_")
	}
}
