package tutor

import (
	"encoding/json"
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

var (
	// planted finds the false words of a sentence, and the true ones.
	planted = regexp.MustCompile(`\{([^{}]*?)⇒([^{}]*?)\}`)
	// saidOf finds what a fact says, as in "value of:out[0] case:n = 1 is:3".
	saidOf = regexp.MustCompile(`\b(line|has|in|of|does|when|case|invocation|workgroup|round|is):`)
)

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
		for _, said := range strings.Split("\n"+sentences, "\n- ")[1:] {
			all++
			if judge(planted.ReplaceAllString(said, "$1")) != "" {
				caught++
			} else {
				t.Logf("%s passes: %s", id, said)
			}
			if refused := judge(planted.ReplaceAllString(said, "$2")); refused != "" {
				t.Errorf("%s: true, but refused: %s\n%s", id, said, refused)
			}
		}
	}
	t.Logf("%d of %d false facts are caught", caught, all)
	require.Equal(t, 100, all)
	require.GreaterOrEqual(t, float64(caught), leastCaught*float64(all))
}

// factsOf reads facts as facts.md has them.
func factsOf(t *testing.T, text string) (facts []fact) {
	t.Helper()
	for _, one := range strings.Split(strings.TrimSpace(text), " | ") {
		kind, rest, _ := strings.Cut(one, " ")
		said := map[string]any{"kind": kind}
		places := saidOf.FindAllStringSubmatchIndex(rest, -1)
		for i, at := range places {
			end := len(rest)
			if i+1 < len(places) {
				end = places[i+1][0]
			}
			var value any = strings.TrimSpace(rest[at[1]:end])
			switch rest[at[2]:at[3]] {
			case "line", "round":
				value = json.Number(value.(string))
			case "invocation", "workgroup":
				value = json.RawMessage("[" + value.(string) + "]")
			}
			said[rest[at[2]:at[3]]] = value
		}
		object, err := json.Marshal(said)
		require.NoError(t, err, one)
		var f fact
		require.NoError(t, json.Unmarshal(object, &f), one)
		facts = append(facts, f)
	}
	return facts
}

// mistaken returns what judges the facts about a program with a known mistake.
func mistaken(t *testing.T, id, slug string) func(said string) string {
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
	return func(said string) string {
		text, stated, _ := strings.Cut(said, "\n")
		facts := factsOf(t, stated)
		if bare := uncovered(e, p, text, facts); bare != "" {
			return "uncovered " + bare
		}
		wrong, err := s.falseFact(t.Context(), e, p, facts)
		require.NoError(t, err, text)
		return wrong
	}
}
