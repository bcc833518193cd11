//go:build acceptance

package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/site"
)

// With wgslab site --work, the page and wgslab check see the same files: what the learner types is
// in the file, what an editor writes is in the page, and tries and progress are in both.
func TestSiteKeepsWorkInAFolder(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "Meine Übungen")
	folder := filepath.Join(parent, "work")
	from := site.ServeWork(t, folder)
	right := reference(t, "vector-add")
	file := filepath.Join(folder, "vector-add.wgsl")
	require.NoError(t, os.WriteFile(file, []byte("// begun elsewhere\n"+right), 0o644))

	v := visitSite(t, browser.For(t), from, "02-add.html#vector-add")
	v.wait(`document.querySelector('#vector-add .cm-content')?.innerText.includes('begun elsewhere')`)
	v.wait(`document.querySelector('.work p').textContent.includes(%q)`, folder)

	wrong := strings.Replace(right, "a[i] + b[i]", "a[i] - b[i]", 1)
	require.NotEqual(t, right, wrong)
	value[bool](v, `document.querySelector('#vector-add .cm-content').focus() || true`)
	v.keys("a", chromedp.KeyModifiers(2))
	value[bool](v, `document.execCommand('insertText', false, %q)`, wrong)
	require.Eventually(t, func() bool { return textOf(file) == wrong }, time.Minute, 50*time.Millisecond, "the file has what was typed")
	require.Contains(t, v.check("vector-add"), "a[i] - b[i]")
	code, said := checkIn(t, parent, "vector-add")
	require.Equal(t, 1, code, said)
	require.Contains(t, said, "a[i] - b[i]")

	require.NoError(t, os.WriteFile(file, []byte(right), 0o644))
	v.wait(`document.querySelector('#vector-add .cm-content')?.innerText.includes('a[i] + b[i]')`)
	require.Contains(t, v.check("vector-add"), "vector-add: right")
	v.becomes("✓ passed", `document.querySelector('#vector-add .passed').textContent`)
	require.Eventually(t, func() bool { return strings.Contains(textOf(filepath.Join(folder, "progress.json")), "vector-add") }, time.Minute, 50*time.Millisecond)

	require.NoError(t, os.WriteFile(filepath.Join(folder, "add.wgsl"), []byte(reference(t, "add")), 0o644))
	code, said = checkIn(t, parent, "add")
	require.Zero(t, code, said)
	v.wait(`document.querySelector('#lessons [data-mark=add].done')`)
	require.Equal(t, 4, strings.Count(textOf(filepath.Join(folder, "journal.jsonl")), "\n"), "two tries in the page, two in the terminal")

	v.open("02-add.html#add")
	v.wait(`document.querySelector('#vector-add .passed').textContent === '✓ passed'`)
	require.Equal(t, right, textOf(file))
	require.Empty(t, v.page.ConsoleErrors())
}

// checkIn runs wgslab check in a folder.
func checkIn(t *testing.T, dir, id string) (code int, said string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "wgslab", "check", id, "--engine", "simulator")
	command.Dir = dir
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		require.NoError(t, err)
	}
	return command.ProcessState.ExitCode(), string(out)
}

// textOf returns a file's text, or "" if it can't be read.
func textOf(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}
