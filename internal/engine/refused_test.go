package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/shaders"
)

// The error tells the learner what to do about a valid shader from which the driver cannot make a
// pipeline. wgpu-native falsely reports that the device is lost; the test then checks the next
// shader on it.
func TestADriverThatMakesNoPipeline(t *testing.T) {
	on := engine.On(device(t)).Engines
	v, err := judge.Run(t.Context(), on, vectorAdd(t), shader.Read("vector-add.wgsl", inMain("let z = (i + vec3<u32>(1u, vec2<u32>())).x; if (i < arrayLength(&out)) { out[i] = a[i] + f32(z); }")), 7)
	require.NoError(t, err)
	assert.False(t, v.Passed())
	assert.Contains(t, v.Text(), "WGSL allows this")
	assert.Contains(t, v.Text(), "(`vec2<u32>()`). Every compiler accepts that.")
	assert.Contains(t, v.Text(), "does not say why")
	assert.NotContains(t, v.Text(), "lost")

	right, err := shaders.Source("vector-add")
	require.NoError(t, err)
	v, err = judge.Run(t.Context(), on, vectorAdd(t), shader.Read("vector-add.wgsl", right), 7)
	require.NoError(t, err)
	assert.True(t, v.Passed(), v.Text())
}
