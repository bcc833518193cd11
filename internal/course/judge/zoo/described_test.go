package zoo_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// languageDir holds exercises that show what exercise.toml can describe.
const languageDir = "../../testdata/language/exercises"

// Whatever exercise.toml can describe works on a driver as well: right shaders pass, and wrong ones
// get their diagnosis.
func TestLanguageOnADriver(t *testing.T) {
	all, broken := course.ReadPack(languageDir)
	require.Empty(t, broken)
	for _, e := range all {
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			on := open(t, shader.CPU)
			for path, text := range shadersOf(t, e.ID) {
				one := &trial{name: path, source: shader.Read(path, text), right: true}
				if filepath.Base(filepath.Dir(path)) == "wrong" {
					one.right, one.diagnosis = false, wantedDiagnosis(t, specimen{path, text})
				}
				var err error
				one.last, err = judge.Explain(t.Context(), on, e, one.source, 1, nil)
				require.NoError(t, err, path)
				report(t, one)
			}
		})
	}
}

// If an exercise has several outputs, the verdict is about the first wrong one, and names it.
func TestTheWrongOutputIsNamed(t *testing.T) {
	v := inLanguage(t, "slopes", "wrong/without-the-one.wgsl")
	require.Equal(t, "d", v.Cases[0].FirstMismatch.Output)
	require.Equal(t, "d", v.Mismatch.Output)
	require.Regexp(t, "`d\\[[0-3]\\]` should grow by 1", v.Reasons[0].Text, "which one, the drawn label says")
	require.Equal(t, "loss", inLanguage(t, "slopes", "wrong/twice-the-loss.wgsl").Cases[0].FirstMismatch.Output)
}

// Of a vector, the verdict names the component, and the debugger stops at the vector.
func TestTheWrongComponentIsNamed(t *testing.T) {
	v := inLanguage(t, "cross-product", "wrong/z-is-forgotten.wgsl")
	require.Contains(t, v.Message, "out[0].z was never written. (Case n = 2: 2 of 6 components are wrong)")
	require.Equal(t, "[0].z", v.Cases[0].FirstMismatch.Label())
	require.Equal(t, "out[0]", v.Wrong)
}

// A shader without one of the entry points is told which one.
func TestAMissingPassIsNamed(t *testing.T) {
	e, text := readInLanguage(t, "running-sums", "reference.wgsl")
	v, err := judge.Run(t.Context(), open(t, shader.Simulated), e, shader.Read("try.wgsl", strings.Replace(text, "fn scan_sums", "fn main", 1)), 1)
	require.NoError(t, err)
	require.Equal(t, "no-entry-point", v.Slug)
	require.Contains(t, v.Message, "`scan_sums`")
	require.Contains(t, v.Why, "scan_blocks, scan_sums, add_sums, one after the other")
}

// inLanguage returns the verdict of the simulator on one of an exercise's shaders.
func inLanguage(t *testing.T, id, name string) *verdict.Verdict {
	t.Helper()
	e, text := readInLanguage(t, id, name)
	v, err := judge.Explain(t.Context(), open(t, shader.Simulated), e, shader.Read(name, text), 1, nil)
	require.NoError(t, err)
	return v
}

// readInLanguage returns an exercise in languageDir and the text of one of its files.
func readInLanguage(t *testing.T, id, name string) (*course.Exercise, string) {
	t.Helper()
	all, broken := course.ReadPack(languageDir)
	require.Empty(t, broken)
	i := slices.IndexFunc(all, func(e *course.Exercise) bool { return e.ID == id })
	text, err := exercises.Unfold(os.DirFS(languageDir)).ReadFile(id + "/" + name)
	require.NoError(t, err)
	return all[i], string(text)
}

// shadersOf returns the reference and the right and wrong shaders of an exercise in languageDir.
func shadersOf(t *testing.T, id string) map[string]string {
	files := exercises.Unfold(os.DirFS(languageDir))
	paths := []string{id + "/reference.wgsl"}
	for _, kind := range []string{"right", "wrong"} {
		found, err := files.Glob(id + "/" + kind + "/*.wgsl")
		require.NoError(t, err)
		require.NotEmpty(t, found, "%s/%s", id, kind)
		paths = append(paths, found...)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := files.ReadFile(path)
		require.NoError(t, err)
		texts[path] = string(text)
	}
	return texts
}
