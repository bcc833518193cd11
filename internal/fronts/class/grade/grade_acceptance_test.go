//go:build acceptance

package grade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/jail/hostile"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
)

func init() { cutEvery = 1 }

func TestHostileShaders(t *testing.T) {
	t.Parallel()
	class := []submission.Submission{}
	shaders := hostile.Shaders()
	for name, h := range shaders {
		class = append(class, handsIn(name, map[string]string{"add": h.Source, "relu": reference(t, "relu")}))
		class = append(class, handsIn("beside "+name, map[string]string{"add": reference(t, "add") + "// " + name}))
	}
	begin := time.Now()
	table, err := Run(t.Context(), class, options())
	require.NoError(t, err)
	t.Logf("%d submissions in %v", len(class), time.Since(begin).Round(time.Millisecond))
	for _, s := range table.Submissions {
		add := mustHave(t, s, "add")
		if strings.HasPrefix(s.Student, "beside ") {
			require.Equal(t, gradebook.Pass, add.Verdict, s.Student)
			continue
		}
		require.Equal(t, gradebook.Fail, add.Verdict, s.Student)
		require.Zero(t, add.Points, s.Student)
		require.NotEmpty(t, add.Detail.Message, s.Student)
		if want := shaders[s.Student].Diagnosis; want != "" {
			require.Equal(t, want, add.Diagnosis, s.Student)
		}
		require.Equal(t, gradebook.Pass, mustHave(t, s, "relu").Verdict, s.Student)
		t.Logf("%-18s %-14s %.90s", s.Student, add.Diagnosis, add.Detail.Message)
	}
}

func TestResume(t *testing.T) {
	t.Parallel()
	class := []submission.Submission{handsIn("a", references(t, "hello", "add", "vector-add", "saxpy", "matmul", "softmax", "break-matmul")), handsIn("b", map[string]string{"add": "fn", "relu": reference(t, "relu") + "\n"})}
	o := options()
	o.Parallel = 1
	whole, err := Run(t.Context(), class, o)
	require.NoError(t, err)

	o.Journal = filepath.Join(t.TempDir(), "grades.csv.journal")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop, checked := errors.New("Ctrl-C"), 0
	o.Checked = func() {
		if checked++; checked == 5 {
			cancel(stop)
		}
	}
	_, err = Run(ctx, class, o)
	require.ErrorIs(t, err, stop)

	begun, ok := Begun(o.Journal)
	require.True(t, ok)
	require.Equal(t, o.Seed, begun.Seed)

	// A power cut leaves half a line.
	data, err := os.ReadFile(o.Journal)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.Journal, data[:len(data)-20], 0o644))

	jails := 0
	o.Checked = func() { jails++ }
	journal, err := openJournal(o.Journal, begun)
	require.NoError(t, err)
	require.Len(t, journal.known, 4, "five verdicts, of which one was cut short")
	journal.close()
	resumed, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	require.Equal(t, o.HandIns(class), jails)
	require.Equal(t, timeless(whole), timeless(resumed))

	other := o
	other.Seed = 8
	_, err = Run(t.Context(), class, other)
	require.ErrorIs(t, err, ErrOtherConditions)
	require.ErrorContains(t, err, "seed 7")

	notOurs := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(notOurs, []byte("my notes\n"), 0o644))
	other.Journal = notOurs
	_, err = Run(t.Context(), class, other)
	require.ErrorContains(t, err, "isn't the journal")
}

func TestShardsAndMerge(t *testing.T) {
	t.Parallel()
	var class []submission.Submission
	right, named := reference(t, "add"), reference(t, "find-vector-add")
	_, repaired, _ := strings.Cut(named, "\n") // below the line that names the bug
	for i := range 12 {                        // shaders that look alike, and differ in what they are worth
		class = append(class, handsIn(fmt.Sprintf("student %02d", i), map[string]string{
			"add":             []string{right, strings.Replace(right, "fn ", "fn \u200b", 1), right + "/* never closed", right + "// mine"}[i%4],
			"find-vector-add": []string{named, "// The bug is in this line: fn\n" + repaired, repaired}[i%3],
		}))
	}
	o := options()
	whole, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	var parts []*gradebook.ClassTable
	for index := range 3 {
		o.Shard = gradebook.Shard{Index: index, Of: 3}
		part, err := Run(t.Context(), class, o)
		require.NoError(t, err)
		require.NotEmpty(t, part.Submissions)
		require.Less(t, len(part.Submissions), 12)
		parts = append(parts, part)
	}
	// The parts come in a different order, and one of them twice.
	merged, gaps, err := gradebook.Merge([]*gradebook.ClassTable{parts[2], parts[0], parts[1], parts[0]})
	require.NoError(t, err)
	require.Empty(t, gaps)
	require.Equal(t, timeless(whole).Submissions, timeless(merged).Submissions)

	_, gaps, err = gradebook.Merge(parts[:2])
	require.NoError(t, err)
	require.Len(t, gaps, 1)
	require.Contains(t, gaps[0], "shard 2 of 3 is missing: ")
	for _, s := range parts[2].Submissions {
		require.Contains(t, gaps[0], s.Student)
	}

	other := *parts[1]
	other.Seed++
	_, _, err = gradebook.Merge([]*gradebook.ClassTable{parts[0], &other})
	require.ErrorContains(t, err, "not from the same grading run")

	o.Shard, o.Deadline = gradebook.Shard{Index: 1, Of: 3}, 2*o.Deadline
	impatient, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	_, _, err = gradebook.Merge([]*gradebook.ClassTable{parts[0], impatient, parts[2]})
	require.ErrorContains(t, err, "not from the same grading run")
	require.ErrorContains(t, err, "other versions of wgslab, exercises, deadlines or costs")

	points := func(exercise string) map[float64]int {
		found := map[float64]int{}
		for i := range whole.Submissions {
			found[mustHave(t, whole.Submissions[i], exercise).Points]++
		}
		return found
	}
	require.Len(t, points("add"), 2, "some are right")
	require.Equal(t, 6, points("add")[0], "an invisible character and an open comment don't compile")
}

// timeless removes the times of the checks from a table.
func timeless(t *gradebook.ClassTable) *gradebook.ClassTable {
	for _, s := range t.Submissions {
		for _, e := range s.Exercises {
			if e.Detail != nil {
				e.Detail.Milliseconds = 0
			}
		}
	}
	return t
}
