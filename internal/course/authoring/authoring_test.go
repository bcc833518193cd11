package authoring

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func clone(t *testing.T) string {
	t.Helper()
	root, err := repository.Root(".")
	require.NoError(t, err)
	return root
}

func simulator(t *testing.T) shader.Engines {
	t.Helper()
	on, err := engine.Open(t.Context(), shader.Simulated)
	require.NoError(t, err)
	t.Cleanup(on.Close)
	return on.Engines
}

// problems returns the problems of an exercise as lines.
func problems(t *testing.T, root, id string) []string {
	t.Helper()
	found, err := Clone(root).Test(t.Context(), simulator(t), id, func() {})
	require.NoError(t, err)
	var lines []string
	for _, p := range slices.Concat(found.Wrong, found.Idle) {
		lines = append(lines, p.String())
	}
	return lines
}

// Nothing is wrong with any exercise, and every folder and reference is in the course. The zoo
// judges all shaders, on a driver: a suite judges only a share of them here.
func TestNothingIsWrong(t *testing.T) {
	root := clone(t)
	ids, err := Clone(root).IDs()
	require.NoError(t, err)
	require.Len(t, ids, len(course.Written())+len(course.OwnQuestions()))
	judged := coursetest.IDs(t, ids)
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			on, want := shader.Engines{}, 0
			if slices.Contains(judged, id) {
				on, want = simulator(t), Clone(root).Shaders(id)
			}
			ran := 0
			found, err := Clone(root).Test(t.Context(), on, id, func() { ran++ })
			require.NoError(t, err)
			for _, p := range found.Wrong {
				t.Error(p)
			}
			require.Equal(t, want, ran)
		})
	}
}

// Nothing is wrong with the exercises that show what exercise.toml can describe, and no case is
// idle.
func TestWhatTheLanguageDescribes(t *testing.T) {
	place := Pack(filepath.Join(clone(t), "internal", "course", "testdata", "language", "exercises"))
	ids, err := place.IDs()
	require.NoError(t, err)
	require.Greater(t, len(ids), 4)
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			found, err := place.Test(t.Context(), simulator(t), id, func() {})
			require.NoError(t, err)
			for _, p := range append(found.Wrong, found.Idle...) {
				t.Error(p)
			}
		})
	}
}

// Begin writes the files, and Test reports each open task until it is done.
func TestBegin(t *testing.T) {
	root := copied(t, "hello")
	written, err := Clone(root).Begin("scale-up")
	require.NoError(t, err)
	require.Equal(t, []string{
		"exercises/scale-up/exercise.toml", "exercises/scale-up/hints.md", "exercises/scale-up/reference.wgsl", "exercises/scale-up/skeleton.wgsl",
		"exercises/scale-up/right.md", "exercises/scale-up/wrong.md",
	}, written)
	report := strings.Join(problems(t, root, "scale-up"), "\n")
	for _, want := range []string{
		"exercises/scale-up/exercise.toml:1: 6 TODO from here on",
		"exercises/scale-up/right.md: 1 of at least 4 right shaders",
		"exercises/scale-up/right.md:4: 1 TODO from here on",
		"exercises/scale-up/wrong.md: 1 of at least 6 wrong shaders",
	} {
		require.Contains(t, report, want)
	}
	mine := filepath.Join(root, "exercises", "scale-up", "reference.wgsl")
	require.NoError(t, os.WriteFile(mine, []byte("@compute // mine"), 0o644))
	written, err = Clone(root).Begin("scale-up")
	require.NoError(t, err)
	require.Empty(t, written, "a file that is there stays")
	text, err := os.ReadFile(mine)
	require.NoError(t, err)
	require.Equal(t, "@compute // mine", string(text))
}

// Each kind of fault in an exercise is reported with its file and, if it has one, its line.
func TestEachFaultIsFound(t *testing.T) {
	const right, wrong = "exercises/vector-add/right.md", "exercises/vector-add/wrong.md"
	const large = "wrong/local-id-of-a-large-workgroup.wgsl"
	for name, c := range map[string]struct{ file, old, new, want string }{
		"no description":    {"exercises/vector-add/exercise.toml", "", "", "exercises/vector-add/exercise.toml: this file is missing: it describes the exercise"},
		"not TOML":          {"exercises/vector-add/exercise.toml", "[[cases]]", "[[cases", "exercise.toml: line "},
		"an unknown size":   {"exercises/vector-add/exercise.toml", "extent = [\"n\"]", "extent = [\"breadth\"]", "[[cases]] 1: the extent: there is no size breadth"},
		"no words":          {"exercises/vector-add/exercise.toml", "every-element", "other", "exercises/vector-add/exercise.toml: it names the diagnosis \"other\", but no solution in wrong.md explains that with a title"},
		"no hints":          {"exercises/vector-add/hints.md", "", "", "exercises/vector-add/hints.md: this file is missing"},
		"no reference":      {"exercises/vector-add/reference.wgsl", "", "", "exercises/vector-add/reference.wgsl: this file is missing: it holds the reference shader"},
		"another reference": {"exercises/vector-add/reference.wgsl", "a[i] + b[i]", "a[i] - b[i]", right + ":5: reference.wgsl has no such lines: \"    if (i < "},
		"one that does not compile": {"exercises/vector-add/reference.wgsl", "a[i] + b[i]", "a[i] + c[i]",
			"exercises/vector-add/reference.wgsl:LINE: the standard for all other shaders has to run, but: "},
		"another binding": {"exercises/vector-add/reference.wgsl", "@binding(2)", "@binding(3)",
			"exercises/vector-add/reference.wgsl: the standard for all other shaders has to run, but: "},
		"no bound for an error": {"exercises/vector-add/reference.wgsl", "a[i] + b[i]", "a[i] + b[i] + 0.0 * sin(1000.0 * a[i])",
			"exercises/vector-add/reference.wgsl: in the case \"n = 1\", WGSL allows any value for out[0]"},
		"a decision by rounding": {"exercises/vector-add/reference.wgsl", "a[i] + b[i]", "select(a[i] + b[i], 0.0, a[i] + b[i] - b[i] == a[i])",
			"exercises/vector-add/reference.wgsl:LINE: in the case \"n = 1\", rounding decides what happens here"},
		"a skeleton that writes": {"exercises/vector-add/skeleton.wgsl", "// Your line", "out[id.x] = 1.0; // Your line", "exercises/vector-add/skeleton.wgsl: this is where learners start"},
		"a right one fails":      {right, "+    out[i] = a[", "+    out[i] = 2.0 * a[", right + ":3: right/early-return.wgsl: it has to pass, but: "},
		"a wrong one passes":     {wrong, "local_invocation_id) id", "global_invocation_id) id", wrong + ":3: " + large + ": it passes every case: add a case in which it goes wrong"},
		"another diagnosis":      {wrong, ": local-id", ": other", wrong + ":3: " + large + ": it gets the diagnosis \"local-id\", but names \"other\""},
		"a context is missing":   {wrong, "-@compute", "-@computed", wrong + ":6: reference.wgsl has no such lines: "},
		"a context is too low":   {wrong, "-@compute @workgroup_size(64)\n", " }\n@@\n", wrong + ":8: this part of the edit belongs above the part before it"},
		"a name twice":           {wrong, "## local-id\n", "## local-id-of-a-large-workgroup\n", wrong + ":12: line 3 is a heading for local-id-of-a-large-workgroup.wgsl, too"},
		"too many invocations":   {"exercises/vector-add/reference.wgsl", "@workgroup_size(64)", "@workgroup_size(512)", "exercises/vector-add/reference.wgsl:"},
		"an idle case":           {"exercises/vector-add/exercise.toml", "[[cases]]", "[[cases]]\nname = \"idle\"\nsizes = {n = 64}\n[[cases]]", "no wrong shader fails in the case \"idle n = 64\""},
		"no comment":             {wrong, "\"With 256 invocations a workgroup is large enough for all.\"\n", "", wrong + ":3: " + large + ": it has to say what the learner thought, below its heading"},
		"something left to do":   {right, "```", "TODO\n```", right + ":LINE: 1 TODO from here on"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := copied(t, "vector-add", "early-return", "local-id", path.Base(strings.TrimSuffix(large, ".wgsl")))
			file := filepath.Join(root, filepath.FromSlash(c.file))
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want := c.want
			if c.old == "" {
				require.NoError(t, os.Remove(file))
			} else {
				before, _, found := strings.Cut(string(text), c.old)
				require.True(t, found, c.old)
				want = strings.ReplaceAll(want, "LINE", lineAfter(before))
				require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644))
			}
			require.Contains(t, strings.Join(problems(t, root, "vector-add"), "\n"), want)
		})
	}
}

// No learner's shader could be told from two wrong ones that leave the same values.
func TestTwoWrongOnesTheSame(t *testing.T) {
	root := copied(t, "vector-add", "local-id")
	file := filepath.Join(root, "exercises", "vector-add", "wrong.md")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, first, _ := strings.Cut(string(text), "## local-id\n")
	require.NoError(t, os.WriteFile(file, append(text, "\n## second: another\n"+first...), 0o644))
	require.Contains(t, strings.Join(problems(t, root, "vector-add"), "\n"),
		"exercises/vector-add/wrong.md:10: wrong/second.wgsl: it leaves the same values as exercises/vector-add/wrong/local-id.wgsl: add a case that separates them")
}

// lineAfter returns the number of the line after a text, without its newline.
func lineAfter(before string) string { return strconv.Itoa(strings.Count(before, "\n") + 1) }

func TestIDs(t *testing.T) {
	for _, id := range []string{"", "Vector", "a_b", "../x", "-x", "x--y"} {
		_, err := Clone(t.TempDir()).Begin(id)
		require.ErrorContains(t, err, "is not an id", "%q", id)
		_, err = Clone(t.TempDir()).Test(t.Context(), shader.Engines{}, id, func() {})
		require.ErrorContains(t, err, "is not an id", "%q", id)
	}
}

// copied returns a clone with one exercise, of which it keeps only some shaders, and all notebooks.
func copied(t *testing.T, id string, shaders ...string) string {
	t.Helper()
	from, to := clone(t), t.TempDir()
	for _, folder := range []string{"exercises/" + id, "notebooks"} {
		require.NoError(t, os.MkdirAll(filepath.Join(to, filepath.Dir(folder)), 0o755))
		copyFolder(t, filepath.Join(from, folder), filepath.Join(to, folder))
	}
	for _, kind := range []string{rightFolder, wrongFolder} {
		file := filepath.Join(to, Clone("").path(kind, id)+".md")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		sections := strings.Split(string(text), "\n## ")
		kept := slices.DeleteFunc(sections[1:], func(section string) bool {
			name, _, _ := strings.Cut(section, "\n")
			name, _, _ = strings.Cut(name, ": ")
			return !slices.Contains(shaders, name)
		})
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(append(sections[:1], kept...), "\n## ")), 0o644))
	}
	return to
}

// copyFolder copies shaders, notebooks and descriptions: what a learner's folder may hold besides
// is not for this test.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil || strings.HasPrefix(name, "work") || strings.Contains(name, ".ipynb_checkpoints") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o644)
	})
	require.NoError(t, err)
}
