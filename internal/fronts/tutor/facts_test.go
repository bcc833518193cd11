package tutor

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// leastCaught is the share of false facts that have to be caught.
const leastCaught = 0.9

// planted finds the false words of a sentence, and the true ones.
var planted = regexp.MustCompile(`\{(.*?)⇒(.*?)\}`)

// Sentences with one false fact about a known wrong program are refused, and with the true one they
// are kept.
func TestFalseFacts(t *testing.T) {
	coursetest.NeedsChange(t, "internal/fronts/tutor/", "internal/course/judge/verdict/")
	text, err := os.ReadFile(filepath.Join("testdata", "facts.md"))
	require.NoError(t, err)
	caught, all := 0, 0
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		title, sentences, _ := strings.Cut(section, "\n")
		id, slug, _ := strings.Cut(title, " ")
		judge := mistaken(t, id, slug)
		for line := range strings.Lines(sentences) {
			sentence, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
			if !ok {
				continue
			}
			all++
			if judge(planted.ReplaceAllString(sentence, "$1")) != "" {
				caught++
			} else {
				t.Logf("%s passes: %s", id, sentence)
			}
			if refused := judge(planted.ReplaceAllString(sentence, "$2")); refused != "" {
				t.Errorf("%s: true, but refused: %s\n%s", id, sentence, refused)
			}
		}
	}
	t.Logf("%d of %d false facts are caught", caught, all)
	require.Equal(t, 100, all)
	require.GreaterOrEqual(t, float64(caught), leastCaught*float64(all))
}

// mistaken returns what judges the facts about a program with a known mistake.
func mistaken(t *testing.T, id, slug string) func(text string) string {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	known, err := e.Misconceptions()
	require.NoError(t, err)
	work := filepath.Join(t.TempDir(), "work")
	require.NoError(t, os.Mkdir(work, 0o755))
	for _, m := range known {
		if source, ok := m.In([3]uint32{64, 1, 1}); ok && m.Slug == slug {
			program := source.Text
			for strings.HasPrefix(program, "//") {
				_, program, _ = strings.Cut(program, "\n")
			}
			require.NoError(t, os.WriteFile(filepath.Join(work, id+".wgsl"), []byte(program), 0o644))
		}
	}
	s, err := New(Options{Work: work, Texts: []string{courseTexts}})
	require.NoError(t, err)
	t.Cleanup(s.folder.close)
	p, err := s.folder.program(e)
	require.NoError(t, err)
	require.NotEmpty(t, p.Text, "%s has no mistake %s", id, slug)
	return func(text string) string {
		wrong, err := s.contradiction(t.Context(), e, p, text)
		require.NoError(t, err, text)
		return wrong
	}
}
