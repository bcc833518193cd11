package course_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func begun(source string) bool { return course.Begun(shader.Read("try.wgsl", source)) }

func TestBegun(t *testing.T) {
	const declared = "struct Dims { n: u32 }\n" +
		"@group(0) @binding(0) var<uniform> dims: Dims;\n" +
		"@group(0) @binding(1) var<storage, read> x: array<f32>;\n" +
		"@group(0) @binding(2) var<storage, read_write> out: array<f32>;\n"
	inMain := func(lines string) string {
		return declared + "@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {\n" + lines + "\n}\n"
	}
	for name, c := range map[string]struct {
		source string
		want   bool
	}{
		"no text":                     {" \n\t", false},
		"a comment alone":             {"// out = a + b\n// Your lines go here.\n", false},
		"bindings alone":              {declared, false},
		"a case":                      {"const n = 4u;", true},
		"the cell as it is":           {inMain("    // Your lines go here."), false},
		"another comment":             {inMain("    // TODO, after lunch"), false},
		"the comment is gone":         {inMain(""), false},
		"inputs are read, no more":    {inMain("let first = x[id.x];"), false},
		"out outside of main":         {inMain("") + "fn later() { out[0] = 1.0; }\n", false},
		"a local of the same name":    {inMain("var out = 1.0;\nout = 2.0;"), true},
		"a local that never changes":  {inMain("let sum = x[id.x] + x[0];"), false},
		"a comment is left":           {inMain("    // Your lines go here.\nout[id.x] = x[id.x];"), true},
		"a guard":                     {inMain("if (id.x >= arrayLength(&out)) { return; }"), true},
		"out in a function":           {inMain("write(id.x);") + "fn write(i: u32) { out[i] = 1.0; }\n", true},
		"a mistake":                   {inMain("let i = id.x"), true},
		"no main":                     {"fn half(x: f32) -> f32 { return x / 2.0; }\n", true},
		"no buffer that it may write": {"@compute @workgroup_size(1)\nfn main() {}\n", true},
	} {
		require.Equal(t, c.want, begun(c.source), name)
	}
}

// The shaders that learners start with.
func TestSkeletonsAreNotBegun(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		skeleton, err := e.Skeleton()
		require.NoError(t, err)
		require.Equal(t, e.Kind == course.FindBug, begun(skeleton), "a shader with a bug is complete")
		solution, err := exercises.Reference(e.ID)
		require.NoError(t, err)
		require.True(t, begun(solution))
	})
}

// Every shader of the zoo counts as begun.
func TestTheZooIsBegun(t *testing.T) {
	paths, err := exercises.Files.Glob("*/*/*.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		source, err := exercises.Files.ReadFile(path)
		require.NoError(t, err)
		require.True(t, begun(string(source)), path)
	}
}
