package grade

import (
	"path"
	"strings"
	"testing"

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
		s.Programs[e.ID] = submission.HandIn{Source: programOf(t, e.ID, ext), File: "lesson.ipynb", Cell: 1, Script: ext == "js"}
	}
	return s
}

// programOf returns the right program of an exercise, in Go as a hand-in has it.
func programOf(t *testing.T, id, ext string) string {
	t.Helper()
	text, err := folders.Files.ReadFile(path.Join(id, "reference."+ext))
	require.NoError(t, err)
	return strings.TrimPrefix(string(text), "//go:build ignore\n\n")
}

// onPrograms returns options that run programs. A test is skipped on a system that can't confine
// them.
func onPrograms(t *testing.T) Options {
	t.Helper()
	o := options()
	o.Clone = "../../../.."
	o.Excused = func(_ []string, why error) { t.Skipf("programs in Go aren't run here: %v", why) }
	return o
}

// host-add in several ways, as hand-ins have it: each gets a verdict of its own. The lines of a
// verdict are the program's.
func TestPrograms(t *testing.T) {
	t.Parallel()
	right, script := programOf(t, "host-add", "go"), programOf(t, "host-add", "js")
	rows := map[string]struct {
		program   submission.HandIn
		diagnosis string // "" if it is right
		line      string // that the verdict shows
	}{
		"right":       {submission.HandIn{Source: right}, "", ""},
		"right in JS": {submission.HandIn{Source: script, Script: true}, "", ""},
		"wrong usage": {submission.HandIn{Source: strings.Replace(right, "wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst", "wgpu.BufferUsageMapRead", 1)}, "copy-usage-destination", "Usage: wgpu.BufferUsageMapRead,"},
		"no poll":     {submission.HandIn{Source: strings.Replace(right, "device.Poll(true, nil)", "", 1)}, "no-poll", "for !mapped"},
		"no Go":       {submission.HandIn{Source: strings.Replace(right, "slices.Clone(", "slices.Copy(", 1)}, "compile", "slices.Copy"},
		"other type":  {submission.HandIn{Source: "package main\n\nfunc addVectors() {}\n"}, "compile", "func addVectors"},
		"no function": {submission.HandIn{Source: "package main\n\ntype addVectors int\n"}, "compile", ""},
		"opens files": {submission.HandIn{Source: hostile.Programs()["files"].Source}, "compile", `"os"`},
		"in JS":       {submission.HandIn{Source: hostile.Programs()["script: a stack"].Source, Script: true}, "panic", ""},
	}
	var class []submission.Submission
	for name, row := range rows {
		s := handsIn(name, nil)
		s.Programs = map[string]submission.HandIn{"host-add": row.program}
		class = append(class, s)
	}
	table, err := Run(t.Context(), class, onPrograms(t))
	require.NoError(t, err)
	for _, s := range table.Submissions {
		r, row := mustHave(t, s, "host-add"), rows[s.Student]
		if row.diagnosis == "" {
			require.Equal(t, gradebook.Pass, r.Verdict, "%s: %+v", s.Student, r.Detail)
			require.Equal(t, r.MaxPoints, s.Points)
			continue
		}
		require.Equal(t, gradebook.Fail, r.Verdict, s.Student)
		require.Equal(t, row.diagnosis, r.Diagnosis, "%s: %+v", s.Student, r.Detail)
		require.Zero(t, s.Points)
		require.Contains(t, r.Detail.Excerpt, row.line, s.Student)
		if row.line != "" {
			require.Contains(t, strings.Split(r.Source, "\n")[r.Detail.Line-1], row.line)
		}
	}
}

// A program gets its author's pieces of the host that are right, and references for the others: a
// wrong piece costs its own points.
func TestProgramsOfPieces(t *testing.T) {
	t.Parallel()
	var class []submission.Submission
	for _, ext := range []string{"go", "js"} {
		use, err := folders.Files.ReadFile("host-add/right/from-pieces." + ext)
		require.NoError(t, err)
		upload := programOf(t, "host-upload", ext)
		for name, piece := range map[string]string{"right": upload, "wrong": strings.NewReplacer("Usage: usage}", "Usage: wgpu.BufferUsageUniform}", "usage: usage", "usage: 0").Replace(upload)} {
			s := handsIn(name+" "+ext, nil)
			s.Programs = map[string]submission.HandIn{
				"host-add":    {Source: strings.TrimPrefix(string(use), "//go:build ignore\n\n"), Script: ext == "js"},
				"host-upload": {Source: piece, Script: ext == "js"},
			}
			class = append(class, s)
		}
	}
	table, err := Run(t.Context(), class, onPrograms(t))
	require.NoError(t, err)
	for _, s := range table.Submissions {
		require.Equal(t, gradebook.Pass, mustHave(t, s, "host-add").Verdict, "%s: %+v", s.Student, mustHave(t, s, "host-add").Detail)
		want := map[string]gradebook.ExerciseStatus{"right": gradebook.Pass, "wrong": gradebook.Fail}[s.Student[:5]]
		require.Equal(t, want, mustHave(t, s, "host-upload").Verdict, "%s: %+v", s.Student, mustHave(t, s, "host-upload").Detail)
	}
}

// A machine that can't run programs in Go says which exercises don't count, before it grades.
func TestProgramsNeedExecution(t *testing.T) {
	t.Parallel()
	s := handsIn("ada", nil)
	s.Programs = map[string]submission.HandIn{"host-add": {Source: programOf(t, "host-add", "go")}, "forward": {Source: "function forward() {}", Script: true}}
	o, excused := options(), []string{}
	o.Excused = func(exercises []string, why error) {
		excused = exercises
		require.ErrorContains(t, why, "clone of wgslab")
	}
	table, err := Run(t.Context(), []submission.Submission{s}, o)
	require.NoError(t, err)
	require.Len(t, excused, len(course.OnHost))
	r := mustHave(t, table.Submissions[0], "host-add")
	require.Equal(t, gradebook.NeedsExecution, r.Verdict)
	require.Zero(t, r.MaxPoints)
	require.Equal(t, gradebook.Fail, mustHave(t, table.Submissions[0], "forward").Verdict)
}
