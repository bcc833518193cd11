package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/shader"
)

// languageDir holds exercises that show what exercise.toml can describe.
const languageDir = "../course/testdata/language/exercises"

// Whatever exercise.toml can describe works on a driver as well: right shaders pass, and wrong ones
// get their diagnosis.
func TestLanguageOnADriver(t *testing.T) {
	exercises, broken := course.ReadPack(languageDir)
	require.Empty(t, broken)
	for _, e := range exercises {
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			on := open(t, shader.CPU)
			for path, text := range shadersOf(t, e.ID) {
				v, err := judge.Run(t.Context(), on, e, shader.Read(path, text), 1)
				require.NoError(t, err, path)
				if filepath.Base(filepath.Dir(path)) == "wrong" {
					report(t, path, v, !v.Passed() && v.Diagnosis == wantedDiagnosis(t, specimen{path, text}))
				} else {
					report(t, path, v, v.Passed())
				}
			}
		})
	}
}

// shadersOf returns the reference and the right and wrong shaders of an exercise in languageDir.
func shadersOf(t *testing.T, id string) map[string]string {
	paths := []string{filepath.Join(languageDir, id, "reference.wgsl")}
	for _, kind := range []string{"right", "wrong"} {
		found, err := filepath.Glob(filepath.Join(languageDir, id, kind, "*.wgsl"))
		require.NoError(t, err)
		require.NotEmpty(t, found, "%s/%s", id, kind)
		paths = append(paths, found...)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[path] = string(text)
	}
	return texts
}
