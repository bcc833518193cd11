package learner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The tutor's prompt holds no more of a file than a check reads.
func TestTutorReadsNoMoreThanACheck(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "add.wgsl"), []byte(strings.Repeat("a", 3*shader.MaxSource)), 0o600))
	exercise, err := course.Find("add")
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, WritePrompt(&out, "Never solve it.\n", dir, exercise))
	require.Less(t, out.Len(), 2*shader.MaxSource)
}

func TestTutorKnowsTheExercise(t *testing.T) {
	notebooks := t.TempDir()
	dir := filepath.Join(notebooks, "work")
	require.NoError(t, os.Mkdir(dir, 0o755))
	exercise, err := course.Find("add")
	require.NoError(t, err)
	var out strings.Builder
	_, err = Rules(dir, nil)
	require.ErrorContains(t, err, "tutor's rules")

	require.NoError(t, os.WriteFile(filepath.Join(notebooks, rulesFile), []byte("Never solve it.\n"), 0o644))
	rules, err := Rules(dir, nil)
	require.NoError(t, err)
	require.NoError(t, WritePrompt(&out, rules, dir, exercise))
	require.Contains(t, out.String(), "There is no shader yet.")

	for i := range lastTries + 1 {
		require.NoError(t, Record(dir, Try{
			Exercise: "add", Shader: string(rune('a' + i)), Headline: "add: judged", Diagnosis: "subtract", Message: "What `out` holds.",
		}))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "add.wgsl"), []byte("my shader"), 0o644))
	out.Reset()
	require.NoError(t, WritePrompt(&out, rules, dir, exercise))
	for _, part := range []string{"Never solve it.", exercise.Task, exercise.Hints[0], "subtract", "my shader", "var<storage, read> a"} {
		require.Contains(t, out.String(), part)
	}
	require.Equal(t, lastTries, strings.Count(out.String(), "add: judged"))
	require.NotContains(t, out.String(), "out[0] = a[0] + b[0];", "the answer is not there to be read")
}

// For an exercise of the host's calls, the prompt has the learner's program in Go or JavaScript.
func TestTutorKnowsPrograms(t *testing.T) {
	dir := t.TempDir()
	exercise, err := course.Find("host-add")
	require.NoError(t, err)
	prompt := func() string {
		var out strings.Builder
		require.NoError(t, WritePrompt(&out, "Never solve it.\n", dir, exercise))
		require.NotContains(t, out.String(), "@group(0)")
		require.NotContains(t, out.String(), "shader yet")
		return out.String()
	}
	require.Contains(t, prompt(), "There is no program yet.")
	require.NoError(t, Record(dir, Try{Exercise: "host-add", Shader: "func fromTheJournal() {}", Headline: "host-add: judged", Calls: "• dispatch      missing"}))
	require.Contains(t, prompt(), "```go\nfunc fromTheJournal() {}\n```")
	require.Contains(t, prompt(), "## What the calls did, in the last case of the last check\n\n```\n• dispatch      missing\n```\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "host-add.go"), []byte("func addVectors() {}"), 0o644))
	require.Contains(t, prompt(), "```go\nfunc addVectors() {}\n```")
	require.Contains(t, prompt(), "The program has changed since that check.")
	require.Contains(t, prompt(), "Don't write any call\nthat the exercise asks for")
	script := filepath.Join(dir, "host-add.js")
	require.NoError(t, os.WriteFile(script, []byte("function addVectors() {}"), 0o644))
	require.NoError(t, os.Chtimes(script, time.Time{}, time.Now().Add(time.Hour)))
	require.Contains(t, prompt(), "```js\nfunction addVectors() {}\n```")
}

// The journal's page has the conversation between the tries, and marks the one that became right.
func TestConversationIsBetweenTheTries(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	minute := func(n int) time.Time { return at.Add(time.Duration(n) * time.Minute) }
	require.NoError(t, Record(dir, Try{Time: minute(0), Exercise: "add", Shader: "a", Headline: "add: not right yet"}))
	require.NoError(t, Record(dir, Try{Time: minute(4), Exercise: "add", Shader: "b", Headline: "add: right", Passed: true}))
	require.NoError(t, Record(dir, Try{Time: minute(6), Exercise: "add", Shader: "c", Headline: "add: right again", Passed: true}))
	for i, text := range []string{"<script>first</script>", "second `a[0]`\n```wgsl\nlet x = 1;\n```\nthird", "last"} {
		require.NoError(t, Keep(dir, Turn{Time: minute(1 + 2*i + i/2*4), Exercise: "add", Who: Tutor, Level: Levels[0], Text: text}))
	}
	require.NoError(t, Keep(dir, Turn{Time: minute(2), Exercise: "relu", Who: Learner, Text: "alone"}))
	require.Equal(t, "Use wgslab, and help me with relu.", AttachedQuestion(dir, "relu"))
	for _, number := range []int{3, 1, 3} {
		require.NoError(t, OpenHint(dir, "relu", number))
	}
	require.ErrorContains(t, OpenHint(dir, "relu", 0), "relu has no hint 0")
	require.ErrorContains(t, OpenHint(dir, "reluu", 1), `did you mean "relu"`)
	file, err := os.OpenFile(filepath.Join(dir, ConversationFile), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("half a li")
	require.NoError(t, err)
	require.NoError(t, file.Close())

	var page strings.Builder
	require.NoError(t, WritePage(&page, dir, nil))
	text := page.String()
	place := -1
	for _, part := range []string{"1 damaged line", `<a href="#add-right">add</a>, at try 2`, "Lesson 2: Add two vectors</h2>", "✓ 3 tries, 3 turns with the tutor", "try 1", "&lt;script&gt;first", "<p>second <code>a[0]</code></p><pre>let x = 1;</pre><p>third</p>", `id="add-right"`, "try 2", "it became right here", "try 3", "last", "0 tries, 1 turn with the tutor", "<b>You", "alone", "You opened hint 3", "You opened hint 1"} {
		next := strings.Index(text[place+1:], part)
		require.GreaterOrEqual(t, next, 0, "%s\n%s", part, text)
		place += 1 + next
	}
	require.Equal(t, 1, strings.Count(text, "became right here"))
	require.Equal(t, 2, strings.Count(text, "You opened hint"))
	require.NotRegexp(t, `https?:|src=|url\(|@import`, text, "it is one file")
}
