package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func openAuto(ctx context.Context) (*engine.Opened, error) { return engine.Open(ctx, shader.Best) }

// On a machine without a visible driver, a check cell still accepts a right shader and diagnoses a
// wrong one.
func TestCheckCellWithoutADriver(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("VK_DRIVER_FILES", "/nonexistent")
	t.Setenv("VK_ICD_FILENAMES", "/nonexistent")
	device, err := gpu.Open()
	require.NoError(t, err)
	device.Close()
	require.Equal(t, shader.Simulated, device.Adapter().Kind)
	right, err := exercises.Reference("vector-add")
	require.NoError(t, err)
	path := learner.ShaderPath("vector-add")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	session := Session{Open: openAuto, Read: shader.Read, Record: Record, Display: func(...view.View) {}}
	for source, want := range map[string]bool{right: true, strings.Replace(right, "a[i] + b[i]", "a[i] - b[i]", 1): false} {
		require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
		v, err := session.Exercise(t.Context(), "vector-add", judge.FreshSeed())
		require.NoError(t, err)
		require.Equal(t, want, v.Passed(), source)
	}
	journal, err := os.ReadFile(filepath.Join(learner.Dir, "journal.jsonl"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(journal), `"passed":true`))
	require.Equal(t, 1, strings.Count(string(journal), `"diagnosis":"subtract"`))
}

// A learner may ask for the last hint. A notebook that nbgrader runs keeps what cells show: it must
// not hold the solution.
func TestNoLastHintWhileGrading(t *testing.T) {
	t.Chdir(t.TempDir())
	right, err := exercises.Reference("vector-add")
	require.NoError(t, err)
	path := learner.ShaderPath("vector-add")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(right, "a[i] + b[i]", "a[i] - b[i]", 1)), 0o600))
	for _, grading := range []string{"", "autograde", "validate"} {
		t.Setenv(graded, grading)
		var shown strings.Builder
		session := Session{Open: openAuto, Read: shader.Read, Display: func(views ...view.View) {
			for _, v := range views {
				shown.WriteString(string(v.HTML()))
			}
		}}
		_, err = session.Exercise(t.Context(), "vector-add", 7)
		require.NoError(t, err)
		require.Contains(t, shown.String(), "grew by 1")
		require.Equal(t, grading == "", strings.Contains(shown.String(), "The last hint"), grading)
	}
}
