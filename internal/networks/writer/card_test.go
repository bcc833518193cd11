package writer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/networks/gpt"
)

// written is "a\nb<" with an insight in which "b" is as probable as all others together, and each
// letter looks only at the one before it.
func written(t *testing.T) Written {
	t.Helper()
	text, err := gpt.Letters("a\nb\"")
	require.NoError(t, err)
	w := Written{Text: text, Given: 1, Temperature: 1, Heads: 2}
	n := len(text)
	looks := make([]float32, w.Heads*n*n)
	for row := range w.Heads * n {
		looks[row*n+max(row%n-1, 0)] = 1
	}
	w.Insight.Looks = [][]float32{looks}
	for range text {
		scores := make([]float32, len(gpt.Alphabet))
		scores[text[2]] = 4.304065 // log of 74
		w.Insight.Scores = append(w.Insight.Scores, scores)
	}
	return w
}

func TestAClickSaysWhyALetterCame(t *testing.T) {
	html := string(written(t).View().HTML())
	require.Equal(t, 3, strings.Count(html, "<summary"), "the given letter has none")
	require.Equal(t, 2, strings.Count(html, "nowrap"), "a line breaks after a word")
	require.Equal(t, 3, strings.Count(html, `<details name="letters-`), "one of them is open")
	require.Contains(t, html, `title="b had a chance of 50.0 %">b</summary>`)
	require.Contains(t, html, "The most probable: b 50 % · ¶ 1 %")
	require.Contains(t, html, "Looked most at: a 2 back, 100 %")
	require.Contains(t, html, `>¶</summary>`)
	require.Contains(t, html, `>&#34;</summary>`, "escaped")
	require.Equal(t, "a\nb\"", written(t).View().Text())
}

func TestWithoutAnInsightNothingCanBeClicked(t *testing.T) {
	w := written(t)
	w.Insight = Insight{}
	require.NotContains(t, string(w.View().HTML()), "<summary")
	require.Contains(t, string(w.View().HTML()), "a</span>\nb&#34;</div>")
}

func TestChancesOfATemperature(t *testing.T) {
	scores := []float32{0, 1, 0}
	cold, hot := Chances(scores, 0.1), Chances(scores, 10)
	require.Equal(t, uint32(1), cold[0].Letter)
	require.Greater(t, cold[0].Chance, 0.999)
	require.Less(t, hot[0].Chance, 0.36)
}
