package learner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

func try(exercise, shader, diagnosis string, passed bool) Try {
	return Try{
		Time: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), Exercise: exercise, Shader: shader, ShaderSHA256: "abc",
		Passed: passed, Headline: exercise + ": judged", Diagnosis: diagnosis, Message: "What `out` holds.",
	}
}

func TestProgressComesFromPassedTries(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Record(dir, try("add", "one", "subtract", false)))
	progress, err := Read(dir)
	require.NoError(t, err)
	require.Empty(t, progress, "a failed try does not count as progress")

	require.NoError(t, Record(dir, try("add", "two", "", true)))
	later := try("add", "three", "", true)
	later.ShaderSHA256, later.Time = "def", later.Time.Add(time.Hour)
	require.NoError(t, Record(dir, later))
	progress, err = Read(dir)
	require.NoError(t, err)
	require.Equal(t, PassedExercises{"add": {Time: later.Time.Add(-time.Hour), ShaderSHA256: "abc"}}, progress, "the first pass stays")

	require.NoError(t, os.Remove(filepath.Join(dir, progressFile)))
	tries, damaged, err := ReadJournal(dir)
	require.NoError(t, err)
	require.Zero(t, damaged)
	require.Len(t, tries, 3, "deleting the progress loses no try")
}

// The next exercise is the first that later lessons need, and then one of the others.
func TestNextOnTheMap(t *testing.T) {
	m := Map{Progress: PassedExercises{}}
	for want, passes := range map[string]func(*course.Exercise) bool{
		"hello":      func(*course.Exercise) bool { return false },
		"add":        func(e *course.Exercise) bool { return e.Lesson < 2 },
		"leaky-relu": func(e *course.Exercise) bool { return !e.Stretch && !e.IsBeyond() },
		"count-up":   func(e *course.Exercise) bool { return !e.IsBeyond() },
	} {
		clear(m.Progress)
		for _, l := range course.AllLessons() {
			for _, e := range l.Exercises() {
				if passes(e) {
					m.Progress[e.ID] = Passed{}
				}
			}
		}
		require.Equal(t, want, m.Next().ID)
	}
	for _, l := range course.AllLessons() {
		for _, e := range l.Exercises() {
			m.Progress[e.ID] = Passed{}
		}
	}
	require.Nil(t, m.Next())
}

// The order of the tries is that of the journal's lines, whatever the clock says.
func TestTheClockIsSetBack(t *testing.T) {
	dir := t.TempDir()
	first, second := try("add", "one", "subtract", false), try("add", "two", "", true)
	second.Time = first.Time.AddDate(-4, 0, 0)
	require.NoError(t, Record(dir, first))
	require.NoError(t, Record(dir, second))
	tries, _, err := ReadJournal(dir)
	require.NoError(t, err)
	require.Equal(t, []Try{first, second}, tries)
	var page strings.Builder
	require.NoError(t, WritePage(&page, dir, nil))
	require.Less(t, strings.Index(page.String(), "try 1: "), strings.Index(page.String(), "try 2: "))
	require.Contains(t, page.String(), `<span class="taken">one</span><span class="added">two</span>`)
	progress, err := Read(dir)
	require.NoError(t, err)
	require.Contains(t, progress, "add")
}

func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Record(dir, try("add", "one", "", true)))
	journal := filepath.Join(dir, JournalFile)
	whole, err := os.ReadFile(journal)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(journal, append([]byte("{half a li\n"), whole...), 0o644))
	tries, damaged, err := ReadJournal(dir)
	require.NoError(t, err)
	require.Len(t, tries, 1)
	require.Equal(t, 1, damaged)

	require.NoError(t, os.WriteFile(filepath.Join(dir, progressFile), []byte("{"), 0o644))
	_, err = Read(dir)
	require.ErrorContains(t, err, "delete it")
	require.Error(t, Record(dir, try("add", "two", "", true)), "a damaged file is not overwritten")
}

// oneOfAll is the summary after one exercise.
func oneOfAll() string {
	core := 0
	for _, e := range append(course.Written(), course.OnHost...) {
		if !e.Stretch && !e.IsBeyond() {
			core++
		}
	}
	return fmt.Sprintf("1 of %d exercises passed", core)
}

func TestMap(t *testing.T) {
	m := Map{Progress: PassedExercises{"add": {}}, Here: 2}
	text := m.Text()
	for _, l := range course.Lessons {
		require.Contains(t, text, l.Title)
		for _, e := range l.Exercises() {
			require.Contains(t, text, e.ID)
			require.Contains(t, string(m.HTML()), e.ID)
		}
	}
	require.Contains(t, text, "→ 2  Add two vectors")
	require.Contains(t, text, "✓ add")
	require.Contains(t, text, "○ vector-add")
	require.Contains(t, text, oneOfAll(), "those that go further do not count")
	require.Contains(t, text, "Beyond the eight\n  9  Frame it")
	m.Progress["count-up"] = Passed{}
	require.Contains(t, m.Text(), oneOfAll()+", and 1 of ")
	require.Contains(t, string(m.HTML()), "Beyond the eight")
}

func TestPageShowsTheWay(t *testing.T) {
	dir := t.TempDir()
	for _, s := range []Try{
		try("add", "a\nb <script>\nc", "", false),
		try("add", "a\nb <script>\nc", "", false),
		try("hello", "x", "stub", false),
		try("add", "a\nB\nc", "", true),
		try("sum-together", "s", "", false), // it was late, and then in time
		try("sum-together", "s", "", true),
		try("host-add", "func addVectors", "no-copy", false),
		try("forward", "", "", false),
		try("train", "", "", true),
	} {
		require.NoError(t, Record(dir, s))
	}
	var page strings.Builder
	require.NoError(t, WritePage(&page, dir, nil))
	for _, part := range []string{
		"try 1: add: judged", "checked once more", "What <code>out</code> holds.", "try 2: add: judged", "b &lt;script&gt;",
		`<a href="#add">✓ add</a>`, "✓ 2 tries", `id="add"`,
		`<span class="taken">b &lt;script&gt;</span><span class="added">B</span>`, oneOfAll(), "○ try 1: hello",
		`<a href="#sum-together">✓ sum-together</a>`, `<a href="#host-add">✗ host-add</a>`, "func addVectors",
		`<a href="#forward">✗ forward</a>`, `<a href="#train">✓ train</a>`,
	} {
		require.Contains(t, page.String(), part)
	}
	require.NotContains(t, page.String(), "<script>")
	require.NotContains(t, page.String(), "subtract", "no slug of a diagnosis")
}
