package learner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// letterOf returns the letter of a right or a wrong answer.
func letterOf(t *testing.T, q *course.Question, right bool) string {
	t.Helper()
	for i, a := range q.Answers {
		if a.Right == right {
			return course.Letter(i)
		}
	}
	require.FailNow(t, "there is none")
	return ""
}

// Each question takes each of its answers. The journal keeps them, and the card has all reasons.
func TestPredict(t *testing.T) {
	for _, q := range course.OwnQuestions() {
		dir := filepath.Join(t.TempDir(), "work")
		c, err := Predict(dir, q.ID, "")
		require.NoError(t, err)
		require.Contains(t, c.Text(), "between the quotes")
		require.NotContains(t, string(c.HTML()), "<details", "the reasons come after the answer")
		require.NoDirExists(t, dir)
		for i, a := range q.Answers {
			c, err := Predict(dir, q.ID, course.Letter(i))
			require.NoError(t, err)
			says := "You say: "
			if q.Reads() { // no example follows
				says = map[bool]string{true: "✓ Right: ", false: "✗ Not this one: "}[a.Right]
			}
			require.Contains(t, c.Text(), says+a.Text)
			for _, other := range q.Answers {
				require.Contains(t, c.Text(), other.Why)
			}
		}
		tries, damaged, err := ReadJournal(dir)
		require.NoError(t, err)
		require.Zero(t, damaged)
		require.Len(t, tries, len(q.Answers))
		passed, err := Read(dir)
		require.NoError(t, err)
		require.Empty(t, passed, "a prediction gives no points")
	}
}

// The same answer again, as when all cells run again, is not a second one. A letter that names no
// answer isn't one at all.
func TestAnswersCountOnce(t *testing.T) {
	dir := t.TempDir()
	for _, letter := range []string{"a", " A ", "x"} {
		c, err := Predict(dir, "predict-race", letter)
		require.NoError(t, err)
		require.Equal(t, letter == "x", c.Given == nil)
	}
	tries, _, err := ReadJournal(dir)
	require.NoError(t, err)
	require.Len(t, tries, 1)
	_, err = Predict(dir, "predict-nothing", "a")
	require.ErrorContains(t, err, "predict-race")
}

// A recall asks what the learner got wrong, and stays the same question in its lesson.
func TestRecall(t *testing.T) {
	dir := t.TempDir()
	asked := func(lesson int, letter string) *QuestionCard {
		t.Helper()
		c, err := Recall(dir, lesson, letter)
		require.NoError(t, err)
		return c
	}
	require.Equal(t, "predict-half", asked(5, "").ID, "with an empty journal, the lesson before")
	_, err := Recall(dir, 1, "")
	require.Error(t, err)

	for range 2 {
		require.NoError(t, Record(dir, Try{Exercise: "matmul", Diagnosis: "transposed"}))
	}
	require.NoError(t, Record(dir, Try{Exercise: "relu", Diagnosis: "no-guard"}))
	for range 5 {
		require.NoError(t, Record(dir, Try{Exercise: "add", Diagnosis: verdict.Stub}))
	}
	require.Equal(t, "predict-mirror", asked(5, "").ID, "the lesson with the most failed checks")

	surplus, err := course.FindQuestion("predict-surplus")
	require.NoError(t, err)
	_, err = Predict(dir, surplus.ID, letterOf(t, surplus, false))
	require.NoError(t, err)
	require.Equal(t, surplus.ID, asked(5, "").ID, "the question that was answered wrong")
	require.NotEqual(t, surplus.ID, asked(2, "").ID, "only earlier lessons count")

	c := asked(5, letterOf(t, surplus.Anew(), true))
	require.Contains(t, c.Text(), "✓ Right: ")
	require.Equal(t, surplus.ID, asked(5, "").ID, "the lesson keeps its question")
	require.Equal(t, "predict-mirror", asked(6, "").ID, "the next lesson asks another one")
	c = asked(5, letterOf(t, surplus.Anew(), false))
	require.Contains(t, c.Text(), "✗ Not this one: ")
	require.Equal(t, "predict-mirror", asked(6, "").ID, "a question that began a lesson rests")
	require.Equal(t, surplus.ID, asked(5+rest, "").ID)
}

// A learner who answers every recall wrong meets another question in each of the next lessons.
func TestRecallsDiffer(t *testing.T) {
	dir := t.TempDir()
	began := map[string]int{}
	for _, l := range course.Lessons[1:] {
		if l.Section() > 1 {
			continue // its lesson has begun
		}
		c, err := Recall(dir, l.Number, "")
		require.NoError(t, err)
		if before, again := began[c.ID]; again {
			require.GreaterOrEqual(t, l.Number, before+rest, c.ID)
		}
		_, err = Recall(dir, l.Number, letterOf(t, c.Question, false))
		require.NoError(t, err)
		began[c.ID] = l.Number
	}
}

func TestAJournalThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "journal.jsonl"), 0o755))
	_, err := Recall(dir, 3, "")
	require.ErrorContains(t, err, "reading your journal")
}
