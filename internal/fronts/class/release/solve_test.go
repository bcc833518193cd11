package release

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The instructor's shaders are right, and contain the learner's own lines.
func TestSolvedShadersAreRight(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		nb, err := nbformat.Read(filepath.Join(cloned(t), "notebooks", l.Notebook))
		require.NoError(t, err)
		require.NoError(t, solve(nb, l))
		for _, e := range l.Exercises() {
			if e.IsOnHost() {
				continue // Go: the acceptance tests run it
			}
			t.Run(e.ID, func(t *testing.T) {
				file, ok := find(nb, e.ID+"-shader").WrittenFile()
				require.True(t, ok)
				verdict, err := judge.Run(t.Context(), engine.On(device).Engines, e, shader.Read(file.Path, file.Body), 1)
				require.NoError(t, err)
				require.True(t, verdict.Passed(), "%s\n%s", verdict.Text(), file.Body)
			})
		}
	}
}

const (
	shipped = `struct Dims {
    n: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;

@compute @workgroup_size(64)
fn main() {
    // Your lines go here, and above main what the workgroup shares.
}`
	reference = `// It does something.
struct Dims {
  n: u32, // how many
}

@group(0) @binding(0) var<uniform> dims: Dims;

const LOWEST = -1.0; // of all
var<workgroup> shared_by_all: u32;
fn first() {
    helper();
}

@compute @workgroup_size(64)
fn main() {
    if (dims.n > 1u) {
        helper();
    }
}

fn helper() {
}
`
	solved = `struct Dims {
    n: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;

// BEGIN SOLUTION
const LOWEST = -1.0; // of all
var<workgroup> shared_by_all: u32;
fn first() {
    helper();
}

fn helper() {
}
// END SOLUTION
@compute @workgroup_size(64)
fn main() {
    // Your lines go here, and above main what the workgroup shares.
    // BEGIN SOLUTION
    if (dims.n > 1u) {
        helper();
    }
    // END SOLUTION
}`
)

func TestSolveShader(t *testing.T) {
	got, err := solveShader(read(shipped), read(strings.TrimSpace(reference)))
	require.NoError(t, err)
	require.Equal(t, solved, got)
	require.Equal(t, shipped, withoutSolutions(got))

	_, err = solveShader(read("fn main() {}"), read(reference))
	require.ErrorContains(t, err, "no entry point")
	_, err = solveShader(read(shipped), read("fn main() {}"))
	require.ErrorContains(t, err, "its reference has no entry point")
	_, err = solveShader(read(shipped), read("@compute @workgroup_size(1) fn main() {}"))
	require.ErrorContains(t, err, "no main over several lines")
}
