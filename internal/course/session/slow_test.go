package session

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/shaders"
)

// repeated is a vector-add whose workgroups all do everything, from the given first element and in
// the given steps.
func repeated(first, step string) string {
	return `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(global_invocation_id) id: vec3<u32>) {
  for (var i = ` + first + `; i < arrayLength(&out); i += ` + step + `) {
    out[i] = a[i] + b[i];
  }
}`
}

// A shader that is right but takes far too many steps isn't timed, so the device stays usable.
func TestAWastefulShaderIsNotTimed(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	for own, said := range map[string]string{
		repeated("local.x", "64u"):    "n = 262144: your shader takes 4096 times the steps of the reference. That would take about ",
		repeated("0u", "1u"):          "times the steps of the reference, too many to count them all. That would take more than ",
		repeated("id.x", "1u << 18u"): "n = 262144: yours took ",
	} {
		c, err := WithReference(t.Context(), device, exercise, shader.Read("own.wgsl", own), drawn(exercise))
		require.NoError(t, err)
		require.Contains(t, strings.ReplaceAll(c.Text(), "\n  ", " "), said)
		require.Equal(t, strings.Contains(said, "took"), c.Yours > 0)
		require.Positive(t, c.Reference)
		require.NoError(t, device.Lost())
	}
}

// What takes minutes by its count isn't timed, and the card says how long it would have taken.
func TestWhatTakesMinutesIsNotTimed(t *testing.T) {
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	for own, said := range map[string]string{
		repeated("local.x", "64u"): "That would take about 3 minutes, so it isn't timed.",
		repeated("0u", "1u"):       "That would take more than ",
	} {
		why, err := tooSlow(t.Context(), exercise, *drawn(exercise), shader.Read("own", own), reference, 50*time.Millisecond)
		require.NoError(t, err)
		require.Contains(t, why, said)
	}
	for d, want := range map[time.Duration]string{
		640 * time.Millisecond: "0.6 s", 12 * time.Second: "12 s", 3 * time.Minute: "3 minutes", 150 * time.Minute: "2.5 hours",
	} {
		require.Equal(t, want, spoken(d))
	}
}

// A shader with as many steps as the reference is timed, however long the reference takes.
func TestStepsDecideWhatIsTimed(t *testing.T) {
	exercise, err := course.Find("matmul")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	naive, err := shaders.Source("fast/naive")
	require.NoError(t, err)
	for _, own := range []*shader.Source{reference, shader.Read("naive", naive)} {
		why, err := tooSlow(t.Context(), exercise, *drawn(exercise), own, reference, time.Hour)
		require.NoError(t, err)
		require.Empty(t, why, own.Name)
	}
}
