//go:build acceptance

package acceptance

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/firefox"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/writer"
)

// writtenLayout is what a browser makes of the card of a written text.
type writtenLayout struct {
	Lines, Plain int     // of the text whose letters can be clicked, and of the same text without
	Height       float64 // of the card
	Open         int     // panels
	Inside       bool    // the open panel is inside the card
	Wide         bool    // something is wider than the card
}

// written is JavaScript that clicks a letter, if there is one of that number, and measures a
// writtenLayout.
const written = `((click) => {
	document.querySelectorAll('.wgslab-written summary')[click]?.click();
	const [card, plain] = document.querySelectorAll('.wgslab-written');
	const lines = (card) => {
		const range = document.createRange(), tops = new Set();
		const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT, (node) => node.parentElement.closest('summary') || !node.parentElement.closest('details, [style*=absolute]') ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
		while (walker.nextNode()) {
			range.selectNodeContents(walker.currentNode);
			for (const box of range.getClientRects()) tops.add(Math.round(box.top / 4));
		}
		return tops.size;
	};
	const box = card.getBoundingClientRect(), open = [...card.querySelectorAll('details[open]')];
	const panel = open[0]?.querySelector('span').getBoundingClientRect();
	return {
		Lines: lines(card), Plain: lines(plain), Height: box.height, Open: open.length, Wide: card.scrollWidth > card.clientWidth + 1,
		Inside: Boolean(panel) && panel.height > 20 && panel.top >= box.top && panel.bottom <= box.bottom && panel.left >= box.left && panel.right <= box.right,
	};
})(%d)`

// cardOfText is the card of a text, with and without an insight.
func cardOfText(t *testing.T, text string, given int) string {
	t.Helper()
	letters, err := gpt.Letters(text)
	require.NoError(t, err)
	w := writer.Written{Text: letters, Given: given, Temperature: 0.8, Heads: 2}
	plain := w.View().HTML()
	n := len(letters)
	w.Insight.Looks = [][]float32{make([]float32, w.Heads*n*n)}
	for range letters {
		w.Insight.Scores = append(w.Insight.Scores, make([]float32, len(gpt.Alphabet)))
	}
	return fmt.Sprintf(`<!doctype html><meta charset=utf-8><body style="font:14px sans-serif;width:640px">%s%s`, w.View().HTML(), plain)
}

// Letters that can be clicked flow like any other text, in Chromium and in Firefox, and a click
// shows one panel inside the card and moves nothing.
func TestWrittenLettersFlow(t *testing.T) {
	serving := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, serving) }))
	t.Cleanup(server.Close)
	chromium, err := browser.For(t).Open(server.URL)
	require.NoError(t, err)
	fox, err := firefox.For(t).Open(server.URL)
	require.NoError(t, err)
	for name, page := range map[string]interface {
		Open(string) error
		Screenshot(string) error
	}{"Chromium": chromium, "Firefox": fox} {
		measure := func(click int) (l writtenLayout) {
			script, err := fmt.Sprintf(written, click), error(nil)
			if name == "Firefox" {
				l, err = firefox.Evaluate[writtenLayout](fox, script)
			} else {
				l, err = browser.Evaluate[writtenLayout](chromium, script)
			}
			require.NoError(t, err)
			return l
		}
		for _, c := range []struct {
			text  string
			given int
			lines int // at most
		}{
			{"Once upon a time there was a little girl who loved the sun and the rain.", 16, 2},
			{"Tom saw a dog.\nThe dog ran.\n\nThey played in the park all day, and then it was time to go home. The end.", 3, 6},
			{"Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, 3},
			{"A   lot  of     space   between        the words", 1, 2},
		} {
			serving = cardOfText(t, c.text, c.given)
			require.NoError(t, page.Open(server.URL))
			before := measure(-1)
			require.LessOrEqual(t, before.Lines, c.lines, "%s: %q takes %d lines, and without letters to click %d", name, c.text, before.Lines, before.Plain)
			require.False(t, before.Wide, "%s: %q", name, c.text)
			for _, letter := range []int{1, 9, 5} {
				after := measure(letter)
				require.Equal(t, []any{1, true, before.Height, before.Lines}, []any{after.Open, after.Inside, after.Height, after.Lines}, "%s: %q, letter %d", name, c.text, letter)
			}
			if folder := os.Getenv("WGSLAB_SCREENSHOTS"); folder != "" {
				require.NoError(t, page.Screenshot(filepath.Join(folder, fmt.Sprintf("written-%s-%d.png", name, c.given))))
			}
		}
	}
}
