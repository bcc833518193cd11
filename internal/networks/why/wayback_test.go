package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/why"
)

const (
	scales = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> factor: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[id.x] = x[id.x] * factor[id.x];
}`
	bends = `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    data[id.x] = max(data[id.x], 0.0);
}`
	adds = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main() {
    out[0] = x[0] + x[1] + x[2] + x[3];
}`
)

// chain scales four numbers, bends them and adds them up.
func chain(t *testing.T) (c why.Chain, sum *why.FloatBuffer) {
	c.Input, c.Empty = why.Floats("x", []float32{3, 5, 2, 0}), shader.FloatBuffer(make([]float32, 4)).Bytes
	scaled := why.Floats("scaled", make([]float32, 4))
	sum = why.Floats("sum", make([]float32, 1))
	require.NoError(t, c.Grid("scales", scales, 4, 1, c.Input, why.Floats("factor", []float32{2, -1, 1, 7}), scaled))
	require.NoError(t, c.Grid("bends", bends, 4, 1, scaled))
	require.NoError(t, c.Groups("adds", adds, 1, scaled, sum))
	return c, sum
}

// The sum is 6 + 0 + 2 + 0: three quarters are from the first number, the second is bent to
// nothing, and the last is as in an empty input.
func TestFollow(t *testing.T) {
	c, sum := chain(t)
	values, err := c.Read(t.Context(), sum)
	require.NoError(t, err)
	require.Equal(t, []float32{8}, values)
	way, err := c.Follow(t.Context(), why.Address{Buffer: sum}, 10)
	require.NoError(t, err)
	require.Equal(t, []float32{0.75, 0, 0.25, 0}, way.Input)
	require.Equal(t, float32(0), way.From.Empty)

	var titles []string
	for _, s := range way.Steps {
		titles = append(titles, s.Title)
		require.Zero(t, s.Others)
	}
	require.Equal(t, []string{"adds", "bends", "scales"}, titles)
	last := way.Steps[0].Followed[0]
	require.Equal(t, 4, last.Reads)
	require.Len(t, last.Causes, 2)
	require.Equal(t, "scaled[0]", last.Causes[0].String())
	require.Equal(t, float32(2), last.Causes[0].Without)
	require.Equal(t, "out[0] = x[0] + x[1] + x[2] + x[3];", way.Steps[0].Line(last.Made.Span.Line))
}

// What makes a number smaller counts against it.
func TestFollowWhatGotSmaller(t *testing.T) {
	c, _ := chain(t)
	c.Passes = c.Passes[:1]
	way, err := c.Follow(t.Context(), why.Address{Buffer: c.Passes[0].Buffers[2], Index: 1}, 10)
	require.NoError(t, err)
	require.Equal(t, float32(-5), way.From.Value)
	require.Equal(t, []float32{0, -1, 0, 0}, way.Input)
}

// Only the strongest are followed, and the buffers of the chain keep their contents.
func TestFollowTheStrongest(t *testing.T) {
	c, sum := chain(t)
	way, err := c.Follow(t.Context(), why.Address{Buffer: sum}, 1)
	require.NoError(t, err)
	require.Equal(t, []float32{0.75, 0, 0, 0}, way.Input)
	require.Equal(t, 1, way.Steps[1].Others)
	require.Equal(t, shader.FloatBuffer(make([]float32, 1)).Bytes, sum.Data)
}

func TestChainNamesTheShaderThatDoesNotCompile(t *testing.T) {
	var c why.Chain
	require.ErrorContains(t, c.Groups("adds", "fn main() {", 1), "compiling adds")
}
