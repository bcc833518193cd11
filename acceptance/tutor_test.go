//go:build acceptance

package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// lastMissing is a vector-add without its last element.
const lastMissing = `// A vector-add that is nearly right.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i + 1u < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
`

// A client in another language drives each tool of the tutor's server, makes mistakes, and asks 200
// times at once. The protocol is what they share: the Go tests use the library of the server.
func TestTutorWithPythonsClient(t *testing.T) {
	coursetest.NeedsChange(t, "internal/fronts/tutor/", "cmd/wgslab/", "setup/mcp.lock", "go.mod")
	packages := lab.Wheels(t, "setup/mcp.lock")
	folder := t.TempDir()
	shader := filepath.Join(folder, "work", "vector-add.wgsl")
	require.NoError(t, os.Mkdir(filepath.Dir(shader), 0o755))
	require.NoError(t, os.WriteFile(shader, []byte(lastMissing), 0o644))

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	root := lab.Root(t)
	client := exec.CommandContext(ctx, filepath.Join(root, ".venv", "bin", "python"),
		filepath.Join("testdata", "tutor_client.py"), filepath.Join(root, ".build", "bin", "wgslab"), folder)
	client.Env = append(os.Environ(), "PYTHONPATH="+packages)
	said, err := client.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Equal(t, "attempts concept examine hear say suppose task\n", string(said))
	require.Equal(t, lastMissing, lab.Read(t, shader), "no tool writes it")
}

// A whole conversation about one exercise: tries, what was asked and said between them, a hint, and
// a conversation that was pasted. The page shows it as the journal, on one page without requests.
func TestConversationInThePage(t *testing.T) {
	coursetest.NeedsChange(t, "internal/fronts/tutor/", "internal/fronts/page/", "internal/course/learner/", "cmd/wgslab/")
	parent := t.TempDir()
	folder := filepath.Join(parent, "work")
	from := site.ServeWork(t, folder)
	try := func(text string, code int) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "vector-add.wgsl"), []byte(text), 0o644))
		got, said := checkIn(t, parent, "vector-add")
		require.Equal(t, code, got, said)
	}
	try(strings.Replace(lastMissing, "a[i] + b", "a[i] - b", 1), 1)
	tell(t, parent,
		turn{"hear", "", "Every sum is wrong. Is `arrayLength` broken?", nil},
		turn{"say", "question", "Take element 3 by hand: which two numbers does the check want to see added, and what does your line 10 do with them?",
			[]any{map[string]any{"kind": "line", "line": 10, "has": "a[i] - b[i]"}, map[string]any{"kind": "access", "of": "out[3]", "does": "writes", "case": "n = 65", "is": 1}}},
		turn{"hear", "", "Oh. I subtract.", nil})
	try(lastMissing, 1)
	tell(t, parent,
		turn{"hear", "", "Now only the last one is wrong, always the last one.", nil},
		turn{"say", "question", "Which invocations get past the condition on line 9, if the length is 4?", []any{map[string]any{"kind": "line", "line": 9, "in": "condition"}}},
		turn{"say", "concept", "A guard lets an invocation work if its element exists. The elements of an array of length n have the indices 0 to n - 1.", nil})

	v := visitSite(t, browser.For(t), from, "02-add.html#vector-add")
	v.wait(`document.documentElement.dataset.ready`)
	value[bool](v, `(document.querySelector('#vector-add-hints details').open = true)`)
	require.Eventually(t, func() bool { return strings.Contains(textOf(filepath.Join(folder, "tutor.jsonl")), `"hint":1`) }, time.Minute, 50*time.Millisecond)
	require.Contains(t, v.check("vector-add"), "not right yet")
	v.click("#check-vector-add .tutor")
	v.wait(`document.querySelector('#check-vector-add .doing').textContent.startsWith('Copied for the tutor that is attached to your folder: “Use wgslab, and help me with vector-add.”')`)
	try(reference(t, "vector-add"), 0)

	value[bool](v, `((form) => { form.open = true; form.querySelector('textarea').value = '**You:** Why 64?\n**AI:** What does a workgroup of 64 leave over of 65 elements?'; return true; })(document.querySelector('#paste'))`)
	v.click("#paste button")
	v.becomes("Nothing was kept: the conversation doesn't name its exercise: choose one.", `document.querySelector('#paste [role=status]').textContent`)
	value[string](v, `(document.querySelector('#paste select').value = 'vector-add')`)
	v.click("#paste button")
	v.becomes("Kept 2 turns about vector-add. The journal shows it.", `document.querySelector('#paste [role=status]').textContent`)
	require.Eventually(t, func() bool { return strings.Contains(textOf(filepath.Join(folder, "tutor.jsonl")), `"pasted":true`) }, time.Minute, 50*time.Millisecond)
	if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
		require.NoError(t, v.page.Screenshot(filepath.Join(dir, "journal-foot.png")))
	}
	journal := openJournal(v)
	for _, size := range []int64{1280, 800, 360} {
		require.NoError(t, chromedp.Do(journal.page.Tab(), chromedp.EmulateViewport(size, 2800)))
		require.False(t, value[bool](journal, `document.documentElement.scrollWidth > innerWidth`), "%d px", size)
		if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
			require.NoError(t, journal.page.Screenshot(filepath.Join(dir, fmt.Sprintf("journal-%d.png", size))))
		}
	}
	text := value[string](journal, `document.body.innerText`)
	for _, part := range []string{"1 of 50 exercises passed", "Where it became right", "try 1: ", "Is arrayLength broken?", "TUTOR · QUESTION", "I subtract.", "try 2: ", "the last one", "TUTOR · CONCEPT", "You opened hint 1", "it became right here", "pasted", "leave over of 65"} {
		at := strings.Index(strings.ToLower(text), strings.ToLower(part))
		require.GreaterOrEqual(t, at, 0, "%q is missing, or in another place:\n%s", part, text)
		text = text[at:]
	}
	require.Empty(t, v.page.ConsoleErrors())
}

// A turn is a call of the tutor's server.
type turn struct {
	tool, level, text string
	facts             []any
}

// tell passes turns about vector-add to the tutor's server of a folder. Each has to be kept.
func tell(t *testing.T, folder string, turns ...turn) {
	t.Helper()
	lines := []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i, said := range turns {
		arguments := map[string]any{"exercise": "vector-add", "text": said.text}
		if said.level != "" {
			arguments["level"], arguments["facts"] = said.level, said.facts
		}
		call, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": i + 1, "method": "tools/call", "params": map[string]any{"name": said.tool, "arguments": arguments}})
		require.NoError(t, err)
		// Calls of one session run at the same time, so each turn has its own.
		server := exec.CommandContext(t.Context(), "wgslab", "mcp", "--folder", folder)
		server.Stdin = strings.NewReader(strings.Join(append(lines[:2:2], string(call)), "\n") + "\n")
		answer, err := server.Output()
		require.NoError(t, err)
		require.Contains(t, string(answer), `{\"kept\":true`, "%s", said.text)
	}
}

// openJournal opens the journal of a page, in dark colours, with its first exercise unfolded.
func openJournal(v *visit) *visit {
	v.t.Helper()
	opened := chromedp.WaitNewTarget(v.page.Tab(), func(i *target.Info) bool { return strings.HasPrefix(i.URL, "blob:") })
	v.click("#journal")
	var id target.ID
	select {
	case id = <-opened:
	case <-time.After(time.Minute):
		require.Fail(v.t, "no tab opens")
	}
	page, err := v.page.Other(id)
	require.NoError(v.t, err)
	v.t.Cleanup(page.Close)
	dark := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}
	_, err = chromedp.Call(page.Tab(), emulation.SetEmulatedMedia, dark)
	require.NoError(v.t, err)
	journal := &visit{t: v.t, tab: page, page: page, from: v.from}
	journal.wait(`document.querySelector('details')`)
	value[bool](journal, `(document.querySelector('details').open = true)`)
	require.Empty(v.t, page.Requests(), "it is one file")
	return journal
}
