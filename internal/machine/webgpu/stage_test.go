package webgpu_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// passes is a shader whose entry points need different things.
const passes = `enable f16;
override n: u32 = 2;
@id(7) override scale: f32;
@id(9) override half: f16 = 1.5h;
override on = true;
override shift = 0i;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(0) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(0) var<uniform> z: vec4<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> a: array<f32, 3000>;
var<workgroup> b: array<f32, 3000>;
var<workgroup> c: array<f32, n * 1024>;
@compute @workgroup_size(1) fn first() { a[0] = f32(x[0]); out[0] = a[0]; }
@compute @workgroup_size(1) fn second() { b[0] = y[0].x; out[0] = b[0]; }
@compute @workgroup_size(n) fn third(@builtin(local_invocation_index) i: u32) {
  c[i] = z.x; out[i] = f32(n);
  if on { out[i] = scale + f32(half) + f32(shift) + c[i] * 0.0; }
}
@compute @workgroup_size(1) fn both() { a[0] = 1.0; b[0] = 1.0; out[0] = a[0]; }
`

// A pipeline depends on what its entry point uses, and on the constants, and on nothing else.
func TestStages(t *testing.T) {
	w := newWorld(t, webgpu.JavaScript)
	var err error
	w.adapter, err = w.instance.RequestAdapter(here(), false)
	require.NoError(t, err)
	w.Device, err = w.adapter.RequestDevice(here(), webgpu.DeviceDescriptor{Features: []webgpu.FeatureName{webgpu.FeatureShaderF16}})
	require.NoError(t, err)
	module := w.module(passes)
	explicit := w.pipelineLayout(w.layout(entry(0, isReadOnly), entry(1, isStorage)))
	type constants = map[string]float64
	for _, c := range []struct {
		entry  string
		given  constants
		layout *webgpu.PipelineLayout
		said   string // "" for a valid pipeline
	}{
		{"first", nil, nil, ""},
		{"second", nil, nil, ""},
		{"first", nil, explicit, ""},
		{"second", nil, explicit, "declares `y` at @binding(0) as var<storage, read_write>, but the layout says read-only-storage"},
		{"both", nil, nil, "have 24,000 bytes, and this device allows 16,384"},

		{"third", constants{"7": 1}, nil, ""},
		{"third", nil, nil, "`scale` has no value"},
		{"third", constants{"on": 0}, nil, "`scale` has no value"},
		{"first", constants{"n": 300}, nil, ""}, // which it doesn't use
		{"third", constants{"7": 1, "n": 4}, nil, ""},
		{"third", constants{"7": 1, "n": 5}, nil, "have 20,480 bytes"},
		{"third", constants{"7": 1, "n": 257}, nil, "have 1,052,672 bytes"},
		{"third", constants{"7": 1, "n": 0}, nil, "at least one"},
		{"third", constants{"scale": 1}, nil, "constant `scale`, but the shader has no override with this key. It has `n`, `7` for `scale`, `9` for `half`, `on` and `shift`."},
		{"third", constants{"7": 1, "N": 1}, nil, "constant `N`"},
		{"third", constants{"7": 1, "07": 1}, nil, "constant `07`"},
		{"first", constants{"m": 1}, nil, "constant `m`"},

		{"third", constants{"7": 3e38, "9": 65504, "on": 17, "shift": -2147483648}, nil, ""},
		{"third", constants{"7": 1, "n": 2.9}, nil, ""}, // 2
		{"third", constants{"7": 1e39}, nil, "`scale` to 1e+39, which f32 can't hold"},
		{"third", constants{"7": 1, "9": 65520}, nil, "`half` to 65520, which f16 can't hold"},
		{"third", constants{"7": 1, "shift": 2147483648}, nil, "which i32 can't hold"},
		{"third", constants{"7": 1, "n": -1}, nil, "which u32 can't hold"},
		{"first", constants{"shift": 3e9}, nil, "which i32 can't hold"}, // though it doesn't use it
	} {
		k, err := w.CreateComputePipeline(here(), webgpu.PipelineDescriptor{Module: module, EntryPoint: c.entry, Constants: c.given, Layout: c.layout})
		if c.said == "" {
			require.NoError(t, err, c)
			require.NotNil(t, k)
			continue
		}
		require.ErrorContains(t, err, c.said, "%v", c)
	}
	k, err := w.CreateComputePipeline(here(), webgpu.PipelineDescriptor{Module: module, EntryPoint: "third", Constants: constants{"7": 0.25, "9": 2, "shift": 40, "n": 3}})
	require.NoError(t, err)
	require.Equal(t, [3]uint32{3, 1, 1}, k.WorkgroupSize)
	out := w.buffer(16, all)
	e, p := w.pass()
	require.NoError(t, p.SetPipeline(here(), k))
	require.NoError(t, p.SetBindGroup(here(), 0, w.group(w.first(k), w.buffer(16, uniform), out), nil))
	require.NoError(t, p.DispatchWorkgroups(here(), 1, 1, 1))
	require.NoError(t, p.End(here()))
	require.NoError(t, w.submit(w.finish(e)))
	const bits = 0x42290000 // 42.25
	require.Equal(t, []uint32{bits, bits, bits, 0}, w.values(out))
}

// Limits count for each stage, and for the whole layout where WebGPU says so.
func TestSlots(t *testing.T) {
	w := newWorld(t, webgpu.JavaScript)
	const fragment, compute = webgpu.ShaderStageFragment, webgpu.ShaderStageCompute
	type some struct {
		n       int
		kind    webgpu.BufferBindingType
		visible webgpu.ShaderStage
	}
	for said, groups := range map[string][][]some{
		"":                                {{{5, isReadOnly, compute}, {5, isReadOnly, fragment}}, {{3, isStorage, compute}}, {{12, isUniform, compute}, {12, isUniform, fragment}}},
		"9 storage buffers for compute":   {{{8, isReadOnly, fragment}, {9, isStorage, compute}}},
		"9 storage buffers for fragment":  {{{4, isReadOnly, compute | fragment}, {5, isReadOnly, fragment}}},
		"13 uniform buffers for fragment": {{{13, isUniform, fragment}}},
		"10 storage buffers for compute":  {{{5, isStorage, compute}}, {{5, isReadOnly, compute | fragment}}},
		"14 uniform buffers for compute":  {{{7, isUniform, compute}}, {{7, isUniform, compute}}},
		"5 bind groups":                   {{}, {}, {}, {}, {}},
		"lets a vertex shader write":      {{{1, isStorage, webgpu.ShaderStageVertex}}},
		"9 storage buffers for vertex":    {{{9, isReadOnly, webgpu.ShaderStageVertex}}},
	} {
		err := func() error {
			var layouts []*webgpu.BindGroupLayout
			for _, g := range groups {
				var entries []webgpu.BindGroupLayoutEntry
				for _, s := range g {
					for range s.n {
						e := entry(uint32(len(entries)), s.kind)
						e.Visibility = s.visible
						entries = append(entries, e)
					}
				}
				l, err := w.layoutOf(entries...)
				if err != nil {
					return err
				}
				layouts = append(layouts, l)
			}
			return second(w.CreatePipelineLayout(here(), "", layouts))
		}()
		if said == "" {
			require.NoError(t, err)
			continue
		}
		require.Error(t, err, said)
		require.Contains(t, strings.ToLower(err.Error()), said)
	}
}

// A device has the features that its adapter offers and the program requires.
func TestFeatures(t *testing.T) {
	w := newWorld(t, webgpu.JavaScript)
	offered := []string{"core-features-and-limits", "timestamp-query", "shader-f16", "subgroups"}
	named := func(of []webgpu.FeatureName) (names []string) {
		for _, f := range of {
			names = append(names, f.String())
		}
		return names
	}
	require.Equal(t, offered, named(w.adapter.Features()))
	require.Equal(t, offered[1:], named(newWorld(t, webgpu.Go).adapter.Features()), "Go's binding has no name for the first")
	for extension, feature := range map[string]string{"f16": "shader-f16", "subgroups": "subgroups", "clip_distances": "clip-distances", "primitive_index": "primitive-index"} {
		code := "enable " + extension + ";\n" + fill
		_, err := w.CreateShaderModule(here(), "", code)
		require.ErrorContains(t, err, "enables "+extension+", but the device was requested without the feature "+feature)
		f, ok := webgpu.FeatureNamed(feature)
		require.True(t, ok)
		adapter, err := w.instance.RequestAdapter(here(), false)
		require.NoError(t, err)
		d, err := adapter.RequestDevice(here(), webgpu.DeviceDescriptor{Features: []webgpu.FeatureName{f}})
		if !slices.Contains(offered, feature) {
			require.ErrorContains(t, err, "doesn't offer the feature "+feature)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []string{offered[0], feature}, named(d.Features()))
		_, err = d.CreateShaderModule(here(), "", code)
		require.NoError(t, err)
	}
	_, ok := webgpu.FeatureNamed("shader-f61")
	require.False(t, ok)
}

// Every limit of WebGPU can be required by its name, up to the adapter's.
func TestNamedLimits(t *testing.T) {
	w := newWorld(t, webgpu.JavaScript)
	all := w.adapter.Limits().Named()
	require.Len(t, all, 35)
	for name, most := range all {
		limits, unknown := webgpu.LimitsNamed(map[string]uint64{name: most})
		require.Empty(t, unknown)
		require.NoError(t, request(w, webgpu.DeviceDescriptor{Limits: limits}), name)
		better := most + 1
		if strings.HasPrefix(name, "min") {
			better = most / 2
		}
		limits, _ = webgpu.LimitsNamed(map[string]uint64{name: better})
		require.ErrorContains(t, request(w, webgpu.DeviceDescriptor{Limits: limits}), name)
	}
	_, unknown := webgpu.LimitsNamed(map[string]uint64{"maxBindgroups": 4, "maxBindGroups": 4})
	require.Equal(t, []string{"maxBindgroups"}, unknown)
	require.ErrorContains(t, request(w, webgpu.DeviceDescriptor{Unknown: webgpu.UnknownNames{Limits: unknown}}), "Did you mean maxBindGroups?")
	require.ErrorContains(t, request(w, webgpu.DeviceDescriptor{Unknown: webgpu.UnknownNames{Features: []string{"shader-f61"}}}), "Did you mean shader-f16?")
}
