package course_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
)

// aPack returns a folder with the exercise sum-up, which is vector-add under another id.
func aPack(t *testing.T) string {
	t.Helper()
	pack := t.TempDir()
	own := filepath.Join(pack, "sum-up")
	require.NoError(t, os.CopyFS(own, os.DirFS(filepath.Join("..", "..", "exercises", "vector-add"))))
	copyFile(t, filepath.Join("..", "..", "exercises", "vector-add", "reference.wgsl"), filepath.Join(own, "reference.wgsl"))
	change(t, filepath.Join(own, "exercise.toml"), "lesson = 2", `notebook = "sums.ipynb"`)
	require.NoError(t, os.WriteFile(filepath.Join(pack, "README.md"), []byte("Exercises about sums."), 0o644))
	return pack
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, text, 0o644))
}

func change(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}

// A pack can have a bug to find in one of its own wrong shaders.
func TestPackWithABug(t *testing.T) {
	folder := aPack(t)
	own := filepath.Join(folder, "find-sum-up")
	require.NoError(t, os.CopyFS(own, os.DirFS(filepath.Join("..", "..", "exercises", "find-vector-add"))))
	copyFile(t, filepath.Join("..", "..", "exercises", "find-vector-add", "reference.wgsl"), filepath.Join(own, "reference.wgsl"))
	toml := filepath.Join(own, "exercise.toml")
	change(t, toml, "lesson = 2", `notebook = "sums.ipynb"`)
	change(t, toml, `of = "vector-add"`, `of = "sum-up"`)
	found, broken := course.ReadPack(folder)
	require.Empty(t, broken)
	require.Len(t, found, 2)
	e := found[1]
	require.Equal(t, course.FindBug, e.Kind)
	require.Len(t, misconceptions(t, e), len(misconceptions(t, found[0])))
	line, given, right := e.Bug.Named("// The bug is in this line:   let i=id.x; // twice\n")
	require.Equal(t, "let i=id.x; // twice", line)
	require.True(t, given && right)

	change(t, toml, `"let i = id.x;"`, `"let j = id.x;"`)
	_, broken = course.ReadPack(folder)
	require.ErrorContains(t, errors.Join(broken...), `find-sum-up/exercise.toml: sum-up/wrong/local-id.wgsl has no line "let j = id.x;"`)
	change(t, toml, `bug = ["fn main(@builtin(local_invocation_id) id: vec3<u32>) {", "let j = id.x;"]`, "")
	found, broken = course.ReadPack(folder)
	require.Empty(t, broken)
	_, given, right = found[1].Bug.Named("// The bug is in this line: let i = id.x;\n")
	require.True(t, given && !right, "the edit lies elsewhere")
	_, given, right = found[1].Bug.Named("// The bug is in this line: fn main(@builtin(local_invocation_id) id: vec3<u32>) {\n")
	require.True(t, given && right)
	change(t, filepath.Join(folder, "sum-up", "wrong.md"), "## a-at-zero\n", "## whole\n```wgsl\nconst a = 1;\n```\n\n## a-at-zero\n")
	change(t, toml, `shader = "local-id"`, `shader = "whole"`)
	_, broken = course.ReadPack(folder)
	require.ErrorContains(t, errors.Join(broken...), "sum-up/wrong/whole.wgsl is a whole program: name the lines with the mistake, `bug = [...]`")
	change(t, toml, `shader = "whole"`, `shader = "local-id"`)

	change(t, toml, `of = "sum-up"`, `of = "vector-add"`)
	_, broken = course.ReadPack(folder)
	require.ErrorContains(t, errors.Join(broken...), "vector-add/exercise.toml")
}

// A pack's exercise is like the course's own, and needs its files no longer once it is read.
func TestReadPack(t *testing.T) {
	folder := aPack(t)
	found, broken := course.ReadPack(folder)
	require.Empty(t, broken)
	require.NoError(t, os.RemoveAll(folder))
	require.Len(t, found, 1)
	e := found[0]
	require.Equal(t, "sum-up", e.ID)
	require.Equal(t, course.Core+len(course.Beyond)+1, e.Lesson)
	skeleton, err := e.Skeleton()
	require.NoError(t, err)
	require.Contains(t, skeleton, "@compute")
	own, err := course.Find("vector-add")
	require.NoError(t, err)
	require.Len(t, misconceptions(t, e), len(misconceptions(t, own)))
	c := e.DrawSmall(7)
	x, err := evidence.In(t.Context(), e, c)
	require.NoError(t, err)
	require.InDelta(t, c.Buffers[0].At(3)+c.Buffers[1].At(3), x.Output.At(3), 1e-6)
}

// Each kind of broken or hostile pack is refused with a message that names the place.
func TestBrokenPacks(t *testing.T) {
	toml := func(from, to string) func(t *testing.T, pack string) {
		return func(t *testing.T, pack string) { change(t, filepath.Join(pack, "sum-up", "exercise.toml"), from, to) }
	}
	without := func(name string) func(t *testing.T, pack string) {
		return func(t *testing.T, pack string) { require.NoError(t, os.Remove(filepath.Join(pack, "sum-up", name))) }
	}
	for name, c := range map[string]struct {
		breakIt func(t *testing.T, pack string)
		want    string
	}{
		"no exercise":    {without("exercise.toml"), "there is no ID/exercise.toml"},
		"no reference":   {without("reference.wgsl"), "exercise sum-up has no reference shader"},
		"no skeleton":    {without("skeleton.wgsl"), "exercise sum-up has no skeleton"},
		"no hints":       {without("hints.md"), "reading the hints"},
		"no notebook":    {toml(`notebook = "sums.ipynb"`, ""), `sum-up/exercise.toml: notebook is ""`},
		"another folder": {toml(`"sums.ipynb"`, `"../sums.ipynb"`), `notebook is "../sums.ipynb"`},
		"not TOML":       {toml("[[cases]]", "[[cases"), "sum-up/exercise.toml: line "},
		"a type":         {toml(`"array<f32>"`, `"array<vec5<f32>>"`), `has the type "array<vec5<f32>>": use an array of f32`},
		"10,000 cases":   {toml("sizes = {n = [1", "sizes = {n = ["+strings.Repeat("1, ", 10_000)+"1"), "and 60 are the most"},
		"a large buffer": {toml("sizes = {n = [1", "sizes = {n = [3000000"), "has 3000000 elements: use 1 to 1048576"},
		"a huge number":  {toml("sizes = {n = [1", "sizes = {n = [\"1000000 * 1000000\""), "1000000000000 is too large"},
		"a huge literal": {toml("sizes = {n = [1", "sizes = {n = [\"3000000000\""), "is too large"},
		"nothing in it":  {toml("sizes = {n = [1", "sizes = {n = [0"), "the extent: it is 0: use 1 or more"},
		"a reference that does not compile": {func(t *testing.T, pack string) {
			change(t, filepath.Join(pack, "sum-up", "reference.wgsl"), "= a[i] + b[i]", "= a[i] + c[i]")
		}, "the reference shader of sum-up: reference.wgsl:"},
		"a large file": {func(t *testing.T, pack string) {
			require.NoError(t, os.WriteFile(filepath.Join(pack, "sum-up", "skeleton.wgsl"), make([]byte, 1<<20), 0o644))
		}, "it is larger than"},
		"a link out of the folder": {func(t *testing.T, pack string) {
			outside := filepath.Join(t.TempDir(), "secret.wgsl")
			copyFile(t, filepath.Join(pack, "sum-up", "skeleton.wgsl"), outside)
			require.NoError(t, os.Remove(filepath.Join(pack, "sum-up", "skeleton.wgsl")))
			require.NoError(t, os.Symlink(outside, filepath.Join(pack, "sum-up", "skeleton.wgsl")))
		}, "path escapes from parent"},
		"a pipe": {func(t *testing.T, pack string) {
			require.NoError(t, os.Remove(filepath.Join(pack, "sum-up", "skeleton.wgsl")))
			require.NoError(t, syscall.Mkfifo(filepath.Join(pack, "sum-up", "skeleton.wgsl"), 0o644))
		}, "it is no regular file"},
		"many wrong shaders": {func(t *testing.T, pack string) {
			text := ""
			for i := range 201 {
				text += fmt.Sprintf("## w%d\n```diff\n```\n", i)
			}
			require.NoError(t, os.WriteFile(filepath.Join(pack, "sum-up", "wrong.md"), []byte(text), 0o644))
		}, "and 200 are the most"},
		"a wrong edit": {func(t *testing.T, pack string) {
			change(t, filepath.Join(pack, "sum-up", "wrong.md"), "-        out[i] = a[i] + b[i];", "-        out[i] = b[i] + a[i];")
		}, `sum-up/wrong.md:6: reference.wgsl has no such lines: "        out[i] = b[i] + a[i];"`},
		"a right edit": {func(t *testing.T, pack string) {
			change(t, filepath.Join(pack, "sum-up", "right.md"), "```\n", "")
		}, `sum-up/right.md:`},
		"an id of the course": {func(t *testing.T, pack string) {
			require.NoError(t, os.Rename(filepath.Join(pack, "sum-up"), filepath.Join(pack, "matmul")))
		}, "the course has an exercise matmul: choose another id"},
		"no id": {func(t *testing.T, pack string) {
			require.NoError(t, os.Rename(filepath.Join(pack, "sum-up"), filepath.Join(pack, "Sum up")))
		}, `"Sum up" is not an id`},
		"no folder": {func(t *testing.T, pack string) { require.NoError(t, os.RemoveAll(pack)) }, "no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			pack := aPack(t)
			c.breakIt(t, pack)
			found, broken := course.ReadPack(pack)
			require.Empty(t, found)
			require.ErrorContains(t, errors.Join(broken...), c.want)
		})
	}
}

// A broken exercise is left out, and named with its reason. The others of the pack work.
func TestOneBrokenExercise(t *testing.T) {
	pack := aPack(t)
	require.NoError(t, os.CopyFS(filepath.Join(pack, "another"), os.DirFS(filepath.Join(pack, "sum-up"))))
	change(t, filepath.Join(pack, "another", "exercise.toml"), "points = 2", "points = \"two\"")
	found, broken := course.ReadPack(pack)
	require.Len(t, broken, 1)
	require.EqualError(t, broken[0], "exercise another: another/exercise.toml: line 5: points is a string: write a whole number without quotes")
	require.Len(t, found, 1)
	require.Equal(t, "sum-up", found[0].ID)
}

// The exercises of a clone are the course, not a pack beside a notebook.
func TestACloneIsNoPack(t *testing.T) {
	t.Setenv(course.PackVariable, "")
	t.Chdir(filepath.Join("..", ".."))
	require.DirExists(t, filepath.Join("exercises", "add"))
	require.Empty(t, course.PackFolder())
}
