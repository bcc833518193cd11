package session

import (
	"context"
	"html/template"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// brokenView panics when it is drawn.
type brokenView struct{}

func (brokenView) HTML() template.HTML { panic("boom") }
func (brokenView) Text() string        { panic("boom") }

// What is shown beside a verdict may panic when it is computed or when it is drawn: the verdict and
// everything else are shown, the try is recorded, and one line says what is missing.
func TestWhatIsBesideAVerdictFails(t *testing.T) {
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	for name, prints := range map[string]func() []view.View{
		"computed": func() []view.View { panic("boom") },
		"drawn":    func() []view.View { return []view.View{brokenView{}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.Mkdir(learner.Dir, 0o755))
			var shown []string
			s := Session{
				Open: func(ctx context.Context) (*engine.Opened, error) { return engine.Open(ctx, shader.Simulated) },
				Display: func(views ...view.View) {
					for _, v := range views {
						shown = append(shown, view.Formats(v)["text/plain"])
					}
				},
				Record: Record,
				Prints: func(context.Context, *course.Exercise, *shader.Source, *verdict.Verdict) []view.View { return prints() },
			}
			v, err := s.Check(t.Context(), exercise, reference, 1)
			require.NoError(t, err)
			require.True(t, v.Passed())
			all := strings.Join(shown, "\n")
			require.Contains(t, shown[0], "vector-add: right")
			require.Contains(t, all, "can't be shown")
			require.Contains(t, all, "boom")
			require.Contains(t, all, "Compared with the reference")
			require.FileExists(t, "work/journal.jsonl")
		})
	}
}
