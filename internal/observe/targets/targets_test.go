package targets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/targets/targetstest"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Every line of the table can be read, and names a feature or a limit that a shader can need.
func TestTable(t *testing.T) {
	lines := 0
	for line := range strings.Lines(table) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			lines++
		}
	}
	require.Len(t, facts(), lines)
	seen := map[string]bool{}
	for _, f := range facts() {
		limit := slices.ContainsFunc(measures, func(m measure) bool { return m.limit == f.what })
		assert.True(t, f.what == "known" || limit || types.FeatureNamed(f.what) != 0, f.what)
		assert.Equal(t, limit, f.limit > 0, f.what)
		assert.Contains(t, order, f.implementation)
		assert.Regexp(t, `^20\d\d-\d\d-\d\d$`, f.date)
		assert.NotEmpty(t, f.source)
		assert.Positive(t, f.perhaps.major)
		assert.LessOrEqual(t, f.surely.compare(newest(f.implementation).version), 0, f.what)
		assert.LessOrEqual(t, f.perhaps.compare(f.surely), 0, f.what)
		assert.False(t, seen[f.implementation+f.what], f.what)
		seen[f.implementation+f.what] = true
	}
}

func TestParse(t *testing.T) {
	for list, want := range map[string]string{
		"chrome-150,safari-26":      "Chrome 150, Safari 26",
		" Chrome 150 , safari-26.2": "Chrome 150, Safari 26.2",
		"firefox":                   "Firefox 151",
		"core,core,wgpu-30":         "core WGSL, wgpu 30",
		"opera-1":                   `there is no target "opera-1"; write one of chrome, safari, firefox, wgpu and core, with a version like chrome-150`,
		"safari-new":                `"new" isn't a version of Safari; write one like safari-26.5`,
		"chrome--1":                 `"-1" isn't a version of Chrome; write one like chrome-156`,
		" , ":                       "there is no target in the list; write one like chrome-150,safari-26",
	} {
		all, err := Parse(list)
		var named []string
		for _, r := range all {
			named = append(named, r.String())
		}
		is := strings.Join(named, ", ")
		if err != nil {
			is = err.Error()
		}
		assert.Equal(t, want, is, list)
	}
}

// A shader gets one finding for each feature that somebody lacks, at the first place that needs it.
func TestCheck(t *testing.T) {
	const head = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n@compute @workgroup_size(1) "
	const main = "@compute @workgroup_size(1) fn main() {}"
	for _, c := range []struct{ text, targets, want string }{
		{head + "fn main() { out[0] = 1; }", "core,safari-26", ""},
		{head + "fn main(@builtin(workgroup_index) i: u32, @builtin(global_invocation_index) j: u32) { out[i] = j; }", "safari-26,chrome-150,firefox-151",
			"2:37 error: Safari 26 and Firefox 151 have no `linear_indexing`. Chrome since 147 or 148 has it."},
		{head + "fn main(@builtin(workgroup_index) i: u32) { out[i] = 1; }", "chrome-147",
			"2:37 warning: Chrome 147 may have no `linear_indexing`: the source doesn't say which of two versions was the first. Chrome since 147 or 148 has it."},
		{head + "fn main(@builtin(workgroup_index) i: u32) { out[i] = 1; }", "safari-40",
			"2:37 error: Safari 40 (known up to 26.5) has no `linear_indexing`. Chrome since 147 or 148 has it."},
		{head + "fn main(@builtin(workgroup_index) i: u32) { out[i] = 1; }", "",
			"2:37 info: Safari 26.5, Firefox 151 and wgpu 30 have no `linear_indexing`. Chrome since 147 or 148 has it."},
		{"requires linear_indexing, swizzle_assignment;\n" + main, "chrome-151", "1:27 error: Chrome 151 has no `swizzle_assignment`. Chrome since 153 or 154 has it."},
		{"@group(0) @binding(0) var<uniform> u: array<u32, 4>;\n" + main, "wgpu",
			"1:39 error: wgpu 30 has no `uniform_buffer_standard_layout`. Chrome since 144 has it. Without it: the layout of `u` does not fit uniform memory: the elements of array<u32, 4> are 4 bytes apart, but here the distance must be a multiple of 16."},
		{"fn f(p: ptr<storage, u32>) {} " + main, "", "1:9 info: Firefox 151 and wgpu 30 have no `unrestricted_pointer_parameters`. Chrome since 123 and Safari since 26 have it."},
		{"enable f16;\n" + main, "safari-26,core", "1:8 error: Core WGSL has no `f16`. Chrome since 120, Safari since 26 and wgpu since 25 have it."},
		{"enable f16, subgroups;\n" + main, "", ""},
		{"enable subgroups;\n" + main, "chrome-150", ""},
		{"enable subgroups;\n" + main, "wgpu", "1:8 error: wgpu 30 refuses the name `subgroups`, and has the feature without it. Leave the name out for wgpu, and request `Features::SUBGROUP` from the device."},
		{"enable subgroups;\nrequires subgroup_id;\n" + main, "safari,wgpu-20", "1:8 error: Safari 26.5 and wgpu 20 have no `subgroups`. Chrome since 134 and wgpu since 22 have it.\n" +
			"2:10 error: Safari 26.5 and wgpu 20 have no `subgroup_id`. Chrome since 144 and wgpu since 22 have it."},
		{head + "fn main(@builtin(subgroup_id) i: u32) { out[0] = subgroupAdd(i); }", "wgpu", ""},
		{"var<immediate> i: u32;\n" + head + "fn main() { out[0] = i; }", "wgpu,chrome", ""},
		{"requires immediate_address_space;\nvar<immediate> i: u32;\n" + head + "fn main() { out[0] = i; }", "wgpu-30", "1:10 error: wgpu 30 refuses the name `immediate_address_space`, and has the feature without it. Leave the name out for wgpu, and request `Features::IMMEDIATES` from the device."},
		{"fn f() { let x = 1 }", "core", ""}, // the shader has a mistake
		{"@compute @workgroup_size(1024) fn main() {}", "chrome-150,safari-26", ""},
		{"@compute @workgroup_size(16, 128) fn main() {}", "chrome-150,core",
			"1:38 error: `main` needs 2048 invocations in a workgroup, and Chrome 150 grants at most 1024. The limit is `maxComputeInvocationsPerWorkgroup`.\n" +
				"1:38 error: `main` needs 2048 invocations in a workgroup, and core WGSL grants at most 256. The limit is `maxComputeInvocationsPerWorkgroup`."},
		{"var<workgroup> a: array<u32, 9000>;\n@compute @workgroup_size(1) fn main() { a[0] = 1; }", "chrome-150,safari-26",
			"1:16 error: `main` needs 36000 bytes of workgroup memory, and Safari 26 grants at most 32768. The limit is `maxComputeWorkgroupStorageSize`."},
		{"var<workgroup> a: array<u32, 5000>;\n@compute @workgroup_size(512, 1, 65) fn main() { a[0] = 1; }", "core",
			"2:26 error: `main` needs 512 invocations in x, and core WGSL grants at most 256. The limit is `maxComputeWorkgroupSizeX`.\n" +
				"2:34 error: `main` needs 65 invocations in z, and core WGSL grants at most 64. The limit is `maxComputeWorkgroupSizeZ`.\n" +
				"1:16 error: `main` needs 20000 bytes of workgroup memory, and core WGSL grants at most 16384. The limit is `maxComputeWorkgroupStorageSize`."},
	} {
		var asked []Release
		if c.targets != "" {
			var err error
			asked, err = Parse(c.targets)
			require.NoError(t, err)
		}
		source := shader.ReadWith("a.wgsl", c.text, types.AllFeatures)
		sameNeeds(t, source)
		var lines []string
		for _, f := range Check(source, asked) {
			at := source.Shader().Source.Region(f.Span)
			assert.Equal(t, at, f.Region)
			lines = append(lines, fmt.Sprintf("%d:%d %s", at.Line, at.Column, f))
		}
		assert.Equal(t, c.want, strings.Join(lines, "\n"), c.text)
	}
}

// sameNeeds checks that a valid shader needs just those features without which it can't be read.
func sameNeeds(t *testing.T, source *shader.Source) {
	t.Helper()
	read := source.Shader()
	if !read.Valid() {
		return
	}
	var needed, missed []types.Feature
	for _, n := range needs(read, types.AllFeatures, 0) {
		needed = append(needed, n.Feature)
	}
	for f := types.Feature(1); f&types.AllFeatures != 0; f <<= 1 {
		if !wgsl.ReadSource(read.Source, types.Options{Features: types.AllFeatures &^ f}).Valid() {
			missed = append(missed, f)
		}
	}
	assert.Equal(t, missed, needed, source.Text)
}

func TestNeedsOfEachFeature(t *testing.T) {
	for _, row := range targetstest.Shaders {
		sameNeeds(t, shader.ReadWith(row.Feature+".wgsl", row.Text, types.AllFeatures))
	}
}
