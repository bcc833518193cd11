package zoo_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The simulator judges a valid shader from which the driver cannot make a pipeline. wgpu-native
// falsely reports that the device is lost; the test then checks the next shader on it.
func TestADriverThatMakesNoPipeline(t *testing.T) {
	on := engine.On(device(t)).Engines
	source := inMain("let z = (i + vec3<u32>(1u, vec2<u32>())).y - i; if (i < arrayLength(&out)) { out[i] = a[i] + b[i] + f32(z); }")
	v, err := judge.Run(t.Context(), on, vectorAdd(t), shader.Read("vector-add.wgsl", source), 7)
	require.NoError(t, err)
	assert.True(t, v.Passed(), v.Text())
	assert.Contains(t, v.Remark, "does not take this shader. It says: The driver cannot make a pipeline from it, and does not say why. WGSL allows this")
	assert.Contains(t, v.Adapter, "simulator")
	assert.NotContains(t, v.Text(), "lost")

	right, err := exercises.Reference("vector-add")
	require.NoError(t, err)
	v, err = judge.Run(t.Context(), on, vectorAdd(t), shader.Read("vector-add.wgsl", right), 7)
	require.NoError(t, err)
	assert.True(t, v.Passed(), v.Text())
}

// The simulator judges what the driver's compiler does not know, and the verdict names the place.
func TestWhatTheDriverDoesNotKnow(t *testing.T) {
	on := engine.On(device(t)).Engines
	body := "if (i < arrayLength(&out)) { out[i] = a[i] + b[i]; }"
	for line, source := range map[string]string{
		"`if (i < arrayLength(&out)) { out[i] = a[i] + b[i] + max( …`": inMain("if (i < arrayLength(&out)) { out[i] = a[i] + b[i] + max(0.0 * a[i], 0); }"),
		"`override SIZE = 64u;`": "override SIZE = 64u;\n" + strings.Replace(inMain(body), "@workgroup_size(64)", "@workgroup_size(SIZE)", 1),
	} {
		v, err := judge.Run(t.Context(), on, vectorAdd(t), shader.Read("vector-add.wgsl", source), 7)
		require.NoError(t, err)
		assert.True(t, v.Passed(), v.Text())
		assert.Contains(t, v.Remark, line)
		assert.NotRegexp(t, `naga|\[\d+\]|Abstract|TypeFlags|wgpu`, v.Remark)
	}
	// The length of an array reaches the driver as a number.
	source := "const A = 8u;\nvar<workgroup> t: array<f32, A * 4u>;\n" + inMain(body+" t[i % (A * 4u)] = 0.0;")
	v, err := judge.Run(t.Context(), on, vectorAdd(t), shader.Read("vector-add.wgsl", source), 7)
	require.NoError(t, err)
	assert.Empty(t, v.Remark)
	assert.NotContains(t, v.Adapter, "simulator")
}
