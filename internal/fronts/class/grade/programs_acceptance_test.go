//go:build acceptance

package grade

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/jail/hostile"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
)

func TestRightPrograms(t *testing.T) {
	class := []submission.Submission{withPrograms(t, handsIn("go", nil), "go"), withPrograms(t, handsIn("js", nil), "js")}
	o := onPrograms(t)
	table, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	for _, s := range table.Submissions {
		for _, e := range course.OnHost {
			r := mustHave(t, s, e.ID)
			assert.Equal(t, gradebook.Pass, r.Verdict, "%s %s: %+v %s", s.Student, e.ID, r.Detail, r.Note)
		}
	}
}

// Each hostile program costs its exercise's points, and nothing else: the student's shader is
// right, and so are the program and the shader of a student beside it.
func TestHostilePrograms(t *testing.T) {
	var class []submission.Submission
	programs := hostile.Programs()
	for name, h := range programs {
		s := handsIn(name, map[string]string{"add": reference(t, "add")})
		s.Programs = map[string]submission.HandIn{"host-add": {Source: h.Source, Script: h.Script}}
		class = append(class, s)
	}
	class = append(class, withPrograms(t, handsIn("beside", map[string]string{"add": reference(t, "add")}), "go"))
	o := onPrograms(t)
	ended := map[string]time.Time{}
	o.Graded = func(s gradebook.Student) { ended[s.Student] = time.Now() }
	began := time.Now()
	table, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	t.Logf("%d programs in %v", len(class), time.Since(began).Round(time.Millisecond))
	for _, s := range table.Submissions {
		r := mustHave(t, s, "host-add")
		assert.Equal(t, gradebook.Pass, mustHave(t, s, "add").Verdict, s.Student)
		if s.Student == "beside" {
			assert.Equal(t, gradebook.Pass, r.Verdict)
			continue
		}
		t.Logf("%6.1f %-20s %-18s %.200s", ended[s.Student].Sub(began).Seconds(), s.Student, r.Diagnosis, r.Detail.Message)
		assert.Equal(t, gradebook.Fail, r.Verdict, s.Student)
		assert.Zero(t, r.Points, s.Student)
		assert.NotContains(t, r.Detail.Text(), "root:", s.Student)
		if want := programs[s.Student].Diagnosis; want != "" {
			assert.Equal(t, want, r.Diagnosis, s.Student)
		}
	}
}
