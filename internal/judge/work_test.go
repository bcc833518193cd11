package judge

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
)

// everyoneDoesAll returns the verdict on a shader in which each invocation loops over all elements.
func everyoneDoesAll(t *testing.T, id, bindings, output, value string) *verdict.Verdict {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	text := bindings + `
@compute @workgroup_size(64)
fn main() {
  for (var i = 0u; i < arrayLength(&` + output + `); i++) {
    ` + output + `[i] = ` + value + `;
  }
}`
	v, err := Run(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/"+id+".wgsl", text), 1)
	require.NoError(t, err)
	return v
}

// Many invocations that do the same work leave the right values, but a right shader hears of it.
func TestEveryInvocationDoesTheWorkOfAll(t *testing.T) {
	v := everyoneDoesAll(t, "hello", "@group(0) @binding(0) var<storage, read_write> out: array<u32>;", "out", "i")
	require.True(t, v.Passed(), v.Message)
	require.Equal(t, "Right in all 6 cases. But it takes 1005 times as many steps as the reference (n = 1000). Does every invocation do the work of all?", v.Message)

	v = everyoneDoesAll(t, "relu", "@group(0) @binding(0) var<storage, read_write> data: array<f32>;", "data", "max(data[i], 0.0)")
	require.Equal(t, "race", v.Diagnosis)
	require.Contains(t, v.Why, "It seems that every invocation does the work of all")
	require.Equal(t, "Which element is the one of this invocation?", v.Ask)
}

// An element that was written with its old value counts as written.
func TestAnElementThatKeepsItsOldValue(t *testing.T) {
	e, err := course.Find("relu")
	require.NoError(t, err)
	for change, message := range map[string]string{
		"data[i] = data[i];":                 "should be 0, but was written with its old value, -3",
		"if (i > 99999u) { data[i] = 0.0; }": "was never written",
	} {
		text := "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n@compute @workgroup_size(64)\n" +
			"fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n  let i = id.x;\n  if (i < arrayLength(&data)) {\n    " + change + "\n  }\n}"
		r, v, err := begin(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/relu.wgsl", text), 1)
		require.NoError(t, err)
		require.False(t, v.Passed())
		require.Contains(t, r.mismatch.Sentence(), message)
		r.free()
	}
}
