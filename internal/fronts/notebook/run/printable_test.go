package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrintable(t *testing.T) {
	const title, clear, red, reset = "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x1b[1;31m", "\x1b[0m"
	for text, want := range map[string]string{
		title + clear + red + "a" + reset + "\x00\x07": "a",
		"10%\r50%\r100%\nnext\r\nlast\r":               "100%\nnext\nlast",
		"tab\tü\u009b31m€":                             "tab\tü31m€",
	} {
		require.Equal(t, want, printable(text, false))
	}
	require.Equal(t, red+"a"+reset, printable(title+clear+red+"a"+reset, true))
}
