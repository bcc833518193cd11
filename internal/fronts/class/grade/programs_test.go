package grade

import (
	"path"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	folders "github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/jail/hostile"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
)

// withPrograms adds to a submission the right programs for the host in a language.
func withPrograms(t *testing.T, s submission.Submission, ext string) submission.Submission {
	t.Helper()
	s.Programs = map[string]submission.HandIn{}
	for _, e := range course.OnHost {
		text, err := folders.Files.ReadFile(path.Join(e.ID, "reference."+ext))
		require.NoError(t, err)
		s.Programs[e.ID] = submission.HandIn{Source: string(text), File: "lesson.ipynb", Cell: 1, Script: ext == "js"}
	}
	return s
}

func onPrograms() Options {
	o := options()
	o.Clone = "../../../.."
	return o
}

func TestRightPrograms(t *testing.T) {
	class := []submission.Submission{withPrograms(t, handsIn("go", nil), "go"), withPrograms(t, handsIn("js", nil), "js")}
	o := onPrograms()
	o.Excused = func(_ []string, why error) { t.Skipf("programs in Go aren't run here: %v", why) }
	began := time.Now()
	table, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	t.Logf("%v", time.Since(began))
	for _, s := range table.Submissions {
		for _, e := range course.OnHost {
			r := mustHave(t, s, e.ID)
			if r.Verdict != gradebook.Pass {
				t.Errorf("%s %s: %+v %v", s.Student, e.ID, r.Detail, r.Note)
			}
		}
	}
}

func TestHostilePrograms(t *testing.T) {
	var class []submission.Submission
	programs := hostile.Programs()
	for name, h := range programs {
		s := handsIn(name, nil)
		s.Programs = map[string]submission.HandIn{"host-add": {Source: h.Source, Script: h.Script}}
		class = append(class, s)
	}
	o := onPrograms()
	o.Excused = func(_ []string, why error) { t.Skipf("programs in Go aren't run here: %v", why) }
	ended := map[string]time.Time{}
	o.Graded = func(s gradebook.Student) { ended[s.Student] = time.Now() }
	began := time.Now()
	table, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	t.Logf("%d programs in %v", len(class), time.Since(began).Round(time.Millisecond))
	for _, s := range table.Submissions {
		r := mustHave(t, s, "host-add")
		t.Logf("%6.1f %-20s %-18s %.200s", ended[s.Student].Sub(began).Seconds(), s.Student, r.Diagnosis, r.Detail.Message)
		assert.Equal(t, gradebook.Fail, r.Verdict, s.Student)
		assert.Zero(t, r.Points, s.Student)
		assert.NotContains(t, r.Detail.Text(), "root:", s.Student)
		if want := programs[s.Student].Diagnosis; want != "" {
			assert.Equal(t, want, r.Diagnosis, s.Student)
		}
	}
}
