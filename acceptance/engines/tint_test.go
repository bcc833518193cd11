//go:build acceptance

package engines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// tintSeed draws the cases.
const tintSeed = 1

// The shaders with which learners start compile in Tint, and so do those that train.
// TestZooIsTheSameEverywhere runs all others.
func TestTintTakesSkeletonsAndTraining(t *testing.T) {
	tint := openTint(t)
	for _, e := range course.All() {
		t.Run(e.ID, func(t *testing.T) {
			skeleton, err := e.Skeleton()
			require.NoError(t, err)
			begin := shader.Read("the skeleton", skeleton)
			if module, err := begin.Module(); err != nil || len(module.EntryPoints) > 0 { // others begin from an empty file
				_, err := e.Compile(t.Context(), tint, begin)
				require.NoError(t, err)
			}
		})
	}
	for _, path := range lab.Shaders(t, "shaders", "train") {
		_, err := tint.Compile(t.Context(), shader.Read(filepath.Base(path), lab.Read(t, path)))
		require.NoError(t, err)
	}
}

// skipSeveralPasses skips an exercise whose passes hand on several buffers: the device of these
// tests reads back only one.
func skipSeveralPasses(t *testing.T, e *course.Exercise) {
	t.Helper()
	if len(e.Later) > 0 {
		t.Skipf("%s has %d passes, and this test's device reads back one buffer", e.ID, 1+len(e.Later))
	}
}

// openTint opens the WebGPU of a real Chromium.
func openTint(t *testing.T) *browser.Device {
	t.Helper()
	chromium := browser.For(t, browser.WebGPU)
	empty := filepath.Join(t.TempDir(), "empty.html")
	require.NoError(t, os.WriteFile(empty, []byte("<!DOCTYPE html><title>empty</title>"), 0o644))
	page, err := chromium.Open("file://" + empty)
	require.NoError(t, err)
	t.Cleanup(page.Close)
	tint, err := browser.OpenDevice(page)
	require.NoError(t, err)
	return tint
}

func workgroupSize(t *testing.T, e *course.Exercise, source *shader.Source) [3]uint32 {
	t.Helper()
	module, err := source.Module()
	require.NoError(t, err)
	entry, _ := module.Entry(e.Entry)
	return entry.WorkgroupSize
}

func runCase(t *testing.T, program shader.Program, source *shader.Source, e *course.Exercise, c course.Case) course.Buffer {
	t.Helper()
	dispatch, err := e.Dispatched(c, source)
	require.NoError(t, err)
	got, err := program.Run(t.Context(), dispatch)
	require.NoError(t, err)
	return got.Output
}

// requireNear returns the largest difference of two outputs.
func requireNear(t *testing.T, got, want course.Buffer, allowed course.Tolerance, what string) float64 {
	t.Helper()
	difference := compareOutputs(got, want, allowed)
	require.Zero(t, difference.Wrong, "%s: %d values differ, the first is number %d; the largest difference is %g",
		what, difference.Wrong, difference.First, difference.MaxAbs)
	return difference.MaxAbs
}

func compareOutputs(got, want course.Buffer, allowed course.Tolerance) course.Difference {
	if want.Element == shader.U32 {
		return course.Compare(got.Uints(), want.Uints(), allowed)
	}
	return course.Compare(got.Floats(), want.Floats(), allowed)
}

// A typo gets the same diagnosis at the same place, whichever engine's compiler finds it.
func TestEveryEngineTellsOfATypo(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	watcher := simulator.New(simulator.Options{})
	engines := map[string]shader.Engines{"naga": {Values: gpu.Backend(device), Watcher: watcher}, "Tint": {Values: openTint(t), Watcher: watcher}}
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	right := lab.Read(t, filepath.Join(lab.Root(t), "exercises", "vector-add", "reference.wgsl"))
	for old, typo := range map[string]string{
		"out[i] = a[i]":   "out[i] = aa[i]",
		"a: array<f32>":   "a: array<float>",
		"a[i] + b[i];":    "a[i] + b[i]",
		" + b[i]":         " + i",
		"read_write> out": "read_write> std",
	} {
		source := strings.Replace(right, old, typo, 1)
		require.NotEqual(t, right, source, old)
		var said []string
		for _, name := range []string{"naga", "Tint"} {
			v, err := judge.Run(t.Context(), engines[name], exercise, shader.Read("typo.wgsl", source), tintSeed)
			require.NoError(t, err, "%s, %s", name, typo)
			require.Equal(t, verdict.StageCompile, v.Stage, "%s, %s", name, typo)
			require.NotEmpty(t, v.Slug, "%s, %s: %s", name, typo, v.Message)
			require.NotZero(t, v.Line, "%s, %s: %s", name, typo, v.Message)
			said = append(said, v.Slug)
		}
		require.Equal(t, said[0], said[1], typo)
	}
}

// Where the front end refuses what naga accepts, Tint refuses it as well: operators without
// the parentheses they need, numbers too large for f32. What the front end accepts, Tint
// accepts.
func TestTintAgreesOnWhatNagaLetsPass(t *testing.T) {
	tint := openTint(t)
	for expression, breach := range map[string]bool{
		"u >> 8u & 0xffu":               true,
		"u & v | w":                     true,
		"u ^ v + w":                     true,
		"1u << 8u * u":                  true,
		"u + 1u << 2u":                  true,
		"u << 1u << 2u":                 true,
		"u32(u < v && v < w || u < w)":  true,
		"u32(-3.40282347e+38 < f32(u))": true,

		"(u >> 8u) & 0xffu":                     false,
		"u & v & w":                             false,
		"u * v + w - u / v % w":                 false,
		"u32(u << 1u < v)":                      false,
		"u32(u < v && v < w && u < w)":          false,
		"u32(-3.4028234e+38 < f32(u))":          false,
		"u & ~v":                                false,
		"u32(bitcast<i32>(u) & -2)":             false,
		"vec2<u32>(u & v, v + w).x":             false,
		"array<vec2<u32>, 1>(vec2(u))[0].x & w": false,
	} {
		source := `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main() {
  let u = out[0];
  let v = out[1];
  let w = out[2];
  out[3] = ` + expression + `;
}`
		said, err := tint.Mistakes(source)
		require.NoError(t, err)
		require.Equal(t, breach, len(said) > 0, "%s: Tint says %v", expression, said)
		require.Equal(t, breach, shader.Read("ours", source).Mistake() != nil, expression)
	}
}
