package course_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

const padded = "struct P { a: vec3f, b: f32, c: f32 }\n@group(0) @binding(0) "

const commented = `struct P { n: u32, k: i32 }
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(1) var<storage, read_write> v: array<vec3f>;
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;
@group(0) @binding(3) var<storage, read> seen: array<f32, 14>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < p.n) { v[id.x] += 1.0; atomicAdd(&total, u32(seen[0])); }
}
@compute @workgroup_size(1) fn clear() { atomicStore(&total, 0u); }
`

// readComments reads the tests in a shader's comments.
func readComments(name, text string) (tests []course.ShaderTest, err error) {
	for _, c := range course.Comments(text) {
		test, err := c.Read(shader.Read(name, text))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", c.Line, err)
		}
		tests = append(tests, *test)
	}
	return tests, nil
}

// What a comment says is in the case: buffers, padding, and the workgroups.
func TestATestInAComment(t *testing.T) {
	tests, err := readComments("a/p.wgsl", commented+`
// test: entry = main; p = 2, -3; v = 1 to 6; total = 0; seen = 14 times 1 → v = 2 to 7; total = 0x2
// test: entry = clear; workgroups = 2, 3 -> total = 0
`)
	require.NoError(t, err)
	require.Len(t, tests, 2)
	require.Equal(t, "line 11", tests[0].Name)
	require.Equal(t, "p.wgsl", tests[0].Shader)
	e := tests[0].Exercise
	c := e.Cases(rand.New(rand.NewPCG(1, 1)))[0]
	require.Equal(t, []int{1, 2}, e.Outputs())
	require.Equal(t, [3]int{14}, c.Extent)
	require.Equal(t, []uint32{2, 0xfffffffd}, c.Buffers[0].Uints()[:2])
	require.Equal(t, []float32{1, 2, 3, 0, 4, 5, 6, 0}, c.Buffers[1].Floats())
	require.Equal(t, []uint32{0}, c.Buffers[2].Uints())
	require.Equal(t, 14, c.Buffers[3].Len())
	second := tests[1].Exercise
	require.Equal(t, "clear", second.Entry)
	require.Equal(t, course.Each, second.Dispatch)
	require.Equal(t, [3]int{2, 3}, second.Cases(rand.New(rand.NewPCG(1, 1)))[0].Extent)
}

func TestMistakesInComments(t *testing.T) {
	const rest = "; v = 1 to 6; total = 0; seen = 14 times 1 -> v = 2 to 7"
	for test, want := range map[string]string{
		"p = 1, 1":                                               "the test has no arrow",
		"p = 2, -3" + rest:                                       "the shader has 2 compute functions: choose one with entry = NAME",
		"entry = mane; p = 2, 3" + rest:                          "entry = mane: name one compute function of the shader: main and clear",
		"entry = main; p = 2" + rest:                             "p has 2 members, and 1 numbers are given",
		"entry = main; p = 2, x" + rest:                          `p: "x" is no number`,
		"entry = main" + rest:                                    "p has no values: write p = … before the arrow",
		"entry = main; q = 2" + rest:                             "the shader has no binding q: its bindings are p, v, total, seen",
		"entry = main; q = 1; p = 2, 3" + rest:                   "the shader has no binding q",
		"entry = main; p = 2, 3; p = 3" + rest:                   "p has values twice",
		"entry = main; p = 2, 3; nothing" + rest:                 `"nothing" names no binding`,
		"entry = main; p = 2, 3; workgroups = 0" + rest:          "workgroups = 0: write one to three whole numbers from 1",
		"entry = main; p = 2, 3" + rest + " within 0":            "within 0: write the greatest error",
		"entry = main; p = 2, 3" + rest + "; seen = 1":           "seen is read-only",
		"entry = main; p = 2, 3" + rest + "; w = 1":              "the shader has no binding w",
		"entry = main; p = 2, 3" + rest + ", 8":                  "v has 7 numbers, which are no whole number of vectors of 3",
		"entry = main; p = 2, 3" + rest + ", 8 to 10":            "v has 6 numbers before and 9 after the run",
		"entry = main; p = 2, 3; v = 1 to 6; seen = 6 to 1 -> ":  "nothing is expected",
		"entry = main; p = 2, 3; v = 1 to 6; seen = 6 to 1 -> v": `"v" names no binding`,
	} {
		_, err := readComments("p.wgsl", commented+"// test: "+test+"\n")
		require.ErrorContains(t, err, "line 10: "+want, test)
	}
	for _, beyond := range []string{
		"@group(0) @binding(1) var<storage, read_write> v: array<f32>;\n// test: -> v = 1\n@compute @workgroup_size(1) fn main() { v[0] = 1.0; }",
		"@group(1) @binding(0) var<storage, read_write> v: array<f32>;\n// test: -> v = 1\n@compute @workgroup_size(1) fn main() { v[0] = 1.0; }",
		"@group(0) @binding(0) var<storage, read_write> v: mat2x2f;\n// test: -> v = 4 times 1\n@compute @workgroup_size(1) fn main() { v[0] = vec2f(1.0); }",
		"fn f() -> u32 { return 1u; }\n// test: f() -> 1\n",
		padded + "var<storage, read_write> v: array<P>;\n// test: -> v = 1\n@compute @workgroup_size(1) fn main() { v[0].b = 1.0; }",
		padded + "var<storage, read_write> v: array<array<P, 2>>;\n// test: -> v = 1\n@compute @workgroup_size(1) fn main() { v[0][0].b = 1.0; }",
		padded + "var<storage, read_write> v: array<mat2x2f>;\n// test: -> v = 1\n@compute @workgroup_size(1) fn main() { v[0][0].y = 1.0; }",
	} {
		_, err := readComments("p.wgsl", beyond)
		require.ErrorIs(t, err, course.ErrBeyond, beyond)
	}
}

// A test gives values to overrides by name or by @id, and keeps the rest of its words.
func TestACommentSetsOverrides(t *testing.T) {
	source := shader.Read("o.wgsl", "override SIZE: u32;\n@id(7) override gain: f32 = 1;\noverride on = true;\noverride least = -1;\n"+
		"@compute @workgroup_size(SIZE) fn main() {}\n")
	for text, want := range map[string]string{
		"SIZE = 4; x = 1 → out = 2":               " x = 1 → out = 2 map[SIZE:4]",
		"x = 1; gain = 0.5; SIZE=0x10 → out = 2":  "x = 1→ out = 2 map[7:0.5 SIZE:16]",
		"7 = 2; on = false; least = -3 → out = 2": "→ out = 2 map[7:2 least:-3 on:0]",
		"x = 1 → SIZE = 2":                        "x = 1 → SIZE = 2 map[]",
		"SIZE = 4.5 → out = 2":                    "the override SIZE: it is 4.5: use a whole number from 0 to",
		"SIZE = -1 → out = 2":                     "the override SIZE: it is -1: use a whole number",
		"SIZE = 1, 2 → out = 2":                   "the override SIZE: it has type u32, and 1, 2 is no number",
		"on = 1 → out = 2":                        "the override on: it has type bool, and 1 is neither true nor false",
		"gain = 1e39 → out = 2":                   "the override gain: ",
		"SIZE = 1; SIZE = 2 → out = 2":            "SIZE has values twice",
	} {
		c := course.TestComment{Line: 1, Text: text}
		got, err := c.Overriding(source)
		if err != nil {
			require.ErrorContains(t, err, want, text)
			continue
		}
		require.Equal(t, want, fmt.Sprint(c.Text, " ", got.Constants()), text)
	}
	_, err := course.Overridden(source, map[string]string{"SIZES": "2"})
	require.EqualError(t, err, "the shader has no override SIZES: its overrides are SIZE, gain, on, least")
	own, err := course.OverriddenReference(source, map[string]string{"SIZES": "2", "gain": "3"})
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"7": 3}, own.Constants())
}
