package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Every reference has an explanation, equals itself, and is timed on the large case.
func TestCompareWithItself(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	for _, exercise := range coursetest.Exercises(t, course.All()) {
		t.Run(exercise.ID, func(t *testing.T) {
			source, err := exercises.Reference(exercise.ID)
			require.NoError(t, err)
			c, err := WithReference(t.Context(), device, exercise, shader.Read("own.wgsl", source), drawn(exercise))
			require.NoError(t, err)
			require.True(t, c.Same(), c.Text())
			require.NotEmpty(t, c.Explanation)
			if strings.Contains(source, "\nenable ") {
				t.Skip("isn't timed: the driver's compiler takes no extensions")
			}
			if exercise.Large != nil { // add adds two numbers, and several passes aren't timed
				require.Positive(t, c.Yours)
				require.Positive(t, c.Reference)
			}
		})
	}
}

func TestCompareShowsTheDifference(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	exercise, err := course.Find("add")
	require.NoError(t, err)
	source, err := exercises.Reference("add")
	require.NoError(t, err)
	own := "// <b>mine</b>\n" + strings.Replace(source, "a[0] + b[0]", "b[0] + /* <i> */ a[0]", 1)
	c, err := WithReference(t.Context(), device, exercise, shader.Read("own.wgsl", own), drawn(exercise))
	require.NoError(t, err)
	require.False(t, c.Same())
	require.Contains(t, c.Text(), "+     out[0] = a[0] + b[0];")
	require.Contains(t, c.Text(), "-     out[0] = b[0] + /* <i> */ a[0];")
	require.Contains(t, string(c.HTML()), "/* &lt;i&gt; */")
	require.NotContains(t, string(c.HTML()), "<i>")
}

// A learner who fills in the reference's line has written the same, whatever blanks follow it.
func TestCompareTakesNoOffenceAtBlanks(t *testing.T) {
	exercise, err := course.Find("add")
	require.NoError(t, err)
	skeleton, err := exercise.Skeleton()
	require.NoError(t, err)
	own := strings.Replace(skeleton, "// Your line goes here.", "out[0] = a[0] + b[0]; ", 1)
	require.NotEqual(t, skeleton, own)
	c, err := WithReference(t.Context(), nil, exercise, shader.Read("own.wgsl", own), nil)
	require.NoError(t, err)
	require.True(t, c.Same(), c.Text())
}

// Only what a shader says counts, not how it is set.
func TestDifferences(t *testing.T) {
	const reference = `struct Dims {
  rows: u32,
  cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x; // the element
  if (i >= dims.rows * dims.cols) {
    return;
  } else {
    out[i] = (1.0 + 2.0) * 3.0 - f32(i);
  }
}
`
	for name, c := range map[string]struct {
		from, to string
		changes  []string
	}{
		"itself":                {},
		"indented":              {"  let i", "        let i", nil},
		"another comment":       {"// the element", "/* mine */", nil},
		"no parentheses":        {"(i >= dims.rows * dims.cols)", "i >= dims.rows * dims.cols", nil},
		"more parentheses":      {"dims.rows * dims.cols", "(dims.rows * (dims.cols))", nil},
		"around a difference":   {"(1.0 + 2.0) * 3.0 - f32(i)", "((1.0 + 2.0) * 3.0) - (f32((i)))", nil},
		"one line":              {"{\n    return;\n  } else {\n", "{ return; } else {\n", nil},
		"a line more":           {"out[i] = (1.0", "out[i] =\n      (1.0", nil},
		"a short name":          {"vec3<u32>", "vec3u", nil},
		"a struct on one line":  {"{\n  rows: u32,\n  cols: u32,\n}", "{ rows: u32, cols: u32 }", nil},
		"attributes on a line":  {"@compute @workgroup_size(8)\nfn", "@compute\n@workgroup_size(8) fn", nil},
		"without parentheses":   {"(1.0 + 2.0) * 3.0", "1.0 + 2.0 * 3.0", []string{"taken     out[i] = 1.0 + 2.0 * 3.0 - f32(i);", "added     out[i] = (1.0 + 2.0) * 3.0 - f32(i);"}},
		"parentheses elsewhere": {"3.0 - f32(i)", "(3.0 - f32(i))", []string{"taken     out[i] = (1.0 + 2.0) * (3.0 - f32(i));", "added     out[i] = (1.0 + 2.0) * 3.0 - f32(i);"}},
		"a line of two":         {"let i = id.x; //", "let i = id.x; let j = i; //", []string{"taken   let i = id.x; let j = i; // the element"}},
		"a line less":           {"  let i = id.x; // the element\n", "let i=id . y;", []string{"taken let i=id . y;  if (i >= dims.rows * dims.cols) {", "added   let i = id.x; // the element"}},
	} {
		t.Run(name, func(t *testing.T) {
			own := strings.Replace(reference, c.from, c.to, 1)
			require.Equal(t, name == "itself", own == reference)
			source := shader.Read("own.wgsl", own)
			require.Nil(t, source.Mistake())
			var changes []string
			for _, change := range differences(source.Shader(), shader.Read("reference.wgsl", reference).Shader()) {
				if change.Kind != "kept" {
					changes = append(changes, change.Kind+" "+change.Text)
				}
			}
			require.Equal(t, c.changes, changes)
		})
	}
}

// drawn returns the case that a session times an exercise's shaders on; nil if there is none.
func drawn(exercise *course.Exercise) *course.Case {
	if c, there := exercise.DrawLarge(3); there {
		return &c
	}
	return nil
}
