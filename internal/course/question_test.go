package course_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

const question = `kind = "predict"
lesson = 2
question = "What is 7 / 2?"
[[answers]]
text = "3.5"
why = "So it is on paper."
[[answers]]
text = "3"
right = true
why = "Both are whole."
`

// The cell of a question is a call that the kernel answers, whatever the question.
func TestQuestionsAreCalls(t *testing.T) {
	require.Greater(t, len(course.Questions()), 8)
	for _, q := range course.Questions() {
		call, ok := cell.Read(q.Cell()).Call()
		require.True(t, ok, q.Cell())
		require.Equal(t, []any{q.ID, ""}, call.Arguments)
		found, err := course.FindQuestion(q.ID)
		require.NoError(t, err)
		require.Same(t, q, found)
		for i, a := range q.Answers {
			chosen, ok := q.Answer(strings.ToUpper(course.Letter(i)))
			require.True(t, ok)
			require.Equal(t, a, chosen)
		}
	}
	_, err := course.Find("predict-race")
	require.Error(t, err, "a question has no shader")
}

func TestMistakesInAQuestion(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"none":           {"", "", ""},
		"no question":    {"question = \"What is 7 / 2?\"\n", "", "it has no question"},
		"no reason":      {"why = \"Both are whole.\"\n", "", "answer 2 has no `why`"},
		"no right one":   {"right = true\n", "", "0 answers have `right = true`: use one"},
		"a wrong key":    {"lesson = 2", "lessen = 2", "line 2: there is no key lessen"},
		"only one":       {"[[answers]]\ntext = \"3.5\"\nwhy = \"So it is on paper.\"\n", "", "there are 1 answers: use 2 to 4"},
		"asked again":    {"", "\n[again]\nquestion = \"And 8 / 3?\"\n", "again: there are 0 answers"},
		"a shader's key": {"lesson = 2", "lesson = 2\npoints = 1", "line 3: there is no key points"},
	} {
		text := strings.Replace(question, c.old, c.new, 1)
		if c.old == "" {
			text = question + c.new
		}
		_, err := course.ReadQuestion(fstest.MapFS{"x/exercise.toml": {Data: []byte(text)}}, "x")
		if c.want == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.want, name)
		}
	}
}

// A pack can have questions, beside an exercise of the same notebook.
func TestPackWithAQuestion(t *testing.T) {
	folder := aPack(t)
	own := filepath.Join(folder, "predict-sum")
	require.NoError(t, os.Mkdir(own, 0o755))
	write := func(notebook string) {
		text := strings.Replace(question, "lesson = 2", `notebook = "`+notebook+`"`, 1)
		require.NoError(t, os.WriteFile(filepath.Join(own, "exercise.toml"), []byte(text), 0o644))
	}
	write("sums.ipynb")
	found, broken := course.ReadPack(folder)
	require.Empty(t, broken)
	require.Len(t, found, 1, "a question is no shader")
	write("others.ipynb")
	_, broken = course.ReadPack(folder)
	require.Len(t, broken, 1)
	require.ErrorContains(t, broken[0], "name the notebook of one of the pack's exercises")
}
