package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
	"gotest.tools/v3/golden"
)

// work is a learner's folder with the reference shaders of some exercises.
func work(t *testing.T, ids ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, id := range ids {
		source, err := exercises.Reference(id)
		require.NoError(t, err)
		write(t, folder, id, source)
	}
	return folder
}

func write(t *testing.T, folder, id, source string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(folder, id+".wgsl"), []byte(source), 0o600))
}

func text(views []view.View) string {
	var said []string
	for _, v := range views {
		said = append(said, v.Text())
	}
	return strings.Join(said, "\n\n") + "\n"
}

func TestTextTwins(t *testing.T) {
	ids := []string{"matmul", "matmul-tiled", "relu", "row-max", "softmax", "argmax"}
	folder := work(t, ids...)
	for _, id := range ids {
		golden.Assert(t, text(memory(folder, id, shader.Read)), "golden/"+id+".txt")
	}
	golden.Assert(t, text(reads(folder, "matmul", "matmul-tiled", shader.Read)), "golden/compare.txt")
}

// Two shaders are compared on the small case of the second: there lesson 11's blocks of 4 × 4 fill
// a workgroup, and each number that one reads serves four products.
func TestBothAreComparedOnTheSecondsCase(t *testing.T) {
	ids := []string{"matmul", "matmul-tiled", "matmul-registers"}
	said := text(reads(work(t, ids...), "matmul", "matmul-registers", shader.Read))
	require.Contains(t, said, "matmul reads each element of a 64 times, matmul-registers 16 times: 4 times fewer.")
	require.Contains(t, said, "In total: 131,072 reads against 32,768: 4 times fewer.")
	said = text(reads(work(t, ids...), "matmul-registers", "matmul-tiled", shader.Read))
	require.Contains(t, said, "matmul-tiled twice", "32 × 32 elements")
}

// A sentence comes first, then at most three pictures; the rest is folded away.
func TestNoWallOfPictures(t *testing.T) {
	for _, id := range []string{"hello", "add", "vector-add", "saxpy", "matmul", "matmul-tiled", "relu", "row-max", "softmax", "linear", "normalize", "argmax", "downsample"} {
		views := memory(work(t, id), id, shader.Read)
		require.IsType(t, view.Note{}, views[0], id)
		require.IsType(t, view.Fold{}, views[len(views)-1], id)
		pictures := views[1 : len(views)-1]
		require.LessOrEqual(t, len(pictures), memtrace.Most, id)
		require.NotEmpty(t, pictures, id)
		for _, v := range pictures {
			if id == "add" { // three buffers of one element: a sentence says it
				require.Equal(t, "Invocation 0 of workgroup 0 reads a[0] and b[0], and writes out[0]", strings.TrimSuffix(pictures[0].(view.Note).Title, "."))
				break
			}
			require.IsType(t, view.Cells{}, v, id)
		}
		size := 0
		for _, v := range views {
			size += len(v.HTML())
		}
		require.Less(t, size, 100_000, "%s: a notebook keeps it", id)
	}
}

func TestBeforeThereIsAShader(t *testing.T) {
	folder := work(t, "matmul")
	write(t, folder, "relu", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Your lines go here.
}`)
	write(t, folder, "row-max", "fn main( {")
	write(t, folder, "softmax", "@group(0) @binding(7) var<storage, read_write> data: array<f32>;\n@compute @workgroup_size(1)\nfn main() { data[0] = 1.0; }")
	for id, want := range map[string]string{
		"matmul-tiled": "• matmul-tiled: nothing to see yet\n  There is no shader of yours for matmul-tiled yet. ",
		"relu":         "• relu: nothing to see yet\n  Your shader does not read or write a buffer yet. Write it above, run its cell, then run this one again.\n",
		"row-max":      "✗ row-max: your shader does not run yet\n  Line 1: ",
		"softmax":      "✗ softmax: your shader does not run yet\n  ",
		"matmull":      "✗ Nothing to show\n  No exercise is called \"matmull\"; did you mean \"matmul\"?",
		"forward":      "✗ Nothing to show\n  forward is written in Go",
	} {
		said := memory(folder, id, shader.Read)
		require.Len(t, said, 1, id)
		require.True(t, strings.HasPrefix(text(said), want), text(said))
	}
	require.Contains(t, text(memory(folder, "row-max", shader.Read)), "Its check cell says more.")
	require.Equal(t, text(memory(folder, "matmul-tiled", shader.Read)), text(reads(folder, "matmul", "matmul-tiled", shader.Read)), "the one that is missing")
	source, err := exercises.Reference("matmul-tiled")
	require.NoError(t, err)
	write(t, folder, "matmul-tiled", source)
	require.NoError(t, os.Remove(filepath.Join(folder, "matmul.wgsl")))
	instead := text(reads(folder, "matmul", "matmul-tiled", shader.Read))
	require.Contains(t, instead, "matmul: the reference, not yours")
	require.Contains(t, instead, "matmul reads each element of a 32 times, matmul-tiled twice")
	require.Contains(t, text(reads(work(t, "matmul", "relu"), "relu", "matmul", shader.Read)), "Nothing to compare")
}

// A wrong shader is traced as it is, with a note.
func TestAWrongShaderIsTracedAllTheSame(t *testing.T) {
	folder := work(t, "row-max")
	source, err := exercises.Reference("row-max")
	require.NoError(t, err)
	write(t, folder, "row-max", strings.Replace(source, "    workgroupBarrier();\n", "", 1))
	views := memory(folder, "row-max", shader.Read)
	require.Contains(t, views[1].Text(), "✗ This shader has a problem\n  The simulator found")
	require.Contains(t, views[1].Text(), "no `workgroupBarrier()` between")
	require.Contains(t, text(views), "Each element of x is read once.")
	require.NotContains(t, text(views), "Who works between the barriers")
}

// A column of a tile is in one bank: 32 different words need 32 turns.
func TestCollidingBanksAreShownFirst(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "relu", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> tile: array<array<f32, 32>, 32>;
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
  if (id.x < arrayLength(&data)) { tile[i][3] = data[id.x]; data[id.x] = max(tile[i][3], 0.0); }
}`)
	views := memory(folder, "relu", shader.Read)
	require.Contains(t, views[0].Text(), "tile[i][3] on line 6: 32 neighbours need up to 32 different words from one bank of workgroup memory at once; the minimum is 1.")
	banks, ok := views[2].(view.Cells)
	require.True(t, ok)
	require.Contains(t, banks.Title, "the banks serve 32 neighbours in 32 turns, where 1 would be enough")
	require.Len(t, banks.Maps[0].Rows, 32)
	for _, row := range banks.Maps[0].Rows {
		require.Equal(t, append([]int{0, 0, 0, 1}, make([]int, 28)...), row.Cells, "bank 3 alone is busy")
	}
}

// A picture that panics is a note; a cell shows it where the picture would be.
func TestAPictureThatFails(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("work", 0o755))
	write(t, "work", "matmul", "fn main() {}")
	fails := func(string, string) *shader.Source { panic("boom") }
	for _, views := range [][]view.View{Memory("matmul", fails), Reads("matmul", "matmul", fails)} {
		require.Contains(t, text(views), "can't be shown")
		require.Contains(t, text(views), "boom")
	}
}
