package learner

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A page to share has no names and no paths. Code stays as it is, comments excepted.
func TestShare(t *testing.T) {
	private := &Private{Names: []string{"Ada Lovelace", "max", "al"}, Paths: []string{"/data/course 7"}}
	for _, row := range []struct{ text, prose, code string }{
		{"Hello, I am Ada.", "Hello, I am ….", ""},
		{"ada lovelace, LOVELACE and Adam", "…, … and Adam", ""},
		{"Ada Ada", "… …", ""},
		{"al is too short for a name", "al is too short for a name", ""},
		{"Write to a.l+x@mail.example.org.", "Write to ….", ""},
		{"/home/ada/gpu/work/relu.wgsl:3 is wrong", "…/relu.wgsl:3 is wrong", ""},
		{"(/Users/ada/x) and ~/gpu/a.go", "(…/x) and …/a.go", ""},
		{`C:\Users\Someone\gpu\relu.wgsl`, "…/relu.wgsl", ""},
		{`\\server\share\relu.wgsl`, "…/relu.wgsl", ""},
		{"in /data/course 7/work/relu.wgsl", "in …/work/relu.wgsl", ""},
		{"let m = max(x, 0.0) / n / max(y, 1.0); // Max says so, see /tmp/max/x", "", "let m = max(x, 0.0) / n / max(y, 1.0); // … says so, see …/x"},
		{"out[i] = a/b/c; /* ada */", "", "out[i] = a/b/c; /* … */"},
		{"a & b, a/b and 1/2/3 are no paths", "a & b, a/b and 1/2/3 are no paths", ""},
	} {
		dir := t.TempDir()
		if row.code != "" {
			tries, _ := private.LeaveOut([]Try{{Shader: row.text}}, nil)
			require.Equal(t, row.code, tries[0].Shader)
			continue
		}
		tries := []Try{{Time: time.Now(), Exercise: "add", Shader: "x", Headline: row.text, Message: row.text, Calls: row.text}}
		clean, turns := private.LeaveOut(tries, []Turn{{Exercise: "add", Text: row.text}})
		for _, text := range []string{clean[0].Headline, clean[0].Message, clean[0].Calls, turns[0].Text} {
			require.Equal(t, row.prose, text)
		}
		require.Equal(t, row.text, tries[0].Message, "the journal itself stays")
		require.NoError(t, Record(dir, tries[0]))
		var page strings.Builder
		require.NoError(t, WritePage(&page, dir, private.LeaveOut))
		require.Contains(t, page.String(), "Paths and known names are left out.")
	}
}
