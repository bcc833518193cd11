//go:build acceptance

package jupyterlab

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/exercises"
)

// Cells that write a shader are WGSL, however they came to be; others are in the kernel's
// language, Go.
func testWGSL(t *testing.T, server *lab.Server, clone *lab.Clone, browser *lab.Browser) {
	page := lab.Visit(t, server, clone, browser, "02-add.ipynb")
	shader, err := page.Cell("add-shader")
	require.NoError(t, err)
	check, err := page.Cell("add-check")
	require.NoError(t, err)
	languages := func(ofShader, ofCheck string) {
		t.Helper()
		require.NoError(t, page.WaitLanguage(shader, ofShader))
		require.NoError(t, page.WaitLanguage(check, ofCheck))
	}
	languages("wgsl", "go")
	requireColours(t, page, shader)
	require.NoError(t, page.WaitNumbers(shader, strings.Count(page.Notebook.Cells[shader].Source, "\n")+1), "a verdict speaks of line 5")
	require.NoError(t, page.WaitNumbers(check, 0))

	const text = "%%writefile work/add.wgsl\nfn f() {"
	require.NoError(t, page.Type(shader, text))
	require.NoError(t, page.Press('/', kb.ModifierCtrl))
	require.NoError(t, page.WaitSource(shader, "%%writefile work/add.wgsl\n// fn f() {"))
	require.NoError(t, page.Press('/', kb.ModifierCtrl))
	require.NoError(t, page.WaitSource(shader, text))
	require.NoError(t, page.Press('\r'))
	require.NoError(t, page.WaitSource(shader, text+"\n    "))

	require.NoError(t, page.Restart())
	languages("wgsl", "go")
	require.NoError(t, page.Run(check), "the kernel tells its language at the latest now")
	languages("wgsl", "go")

	// The first line decides, at any time.
	require.NoError(t, page.Type(check, "%%writefile work/other.wgsl\nconst a = 1;"))
	languages("wgsl", "wgsl")
	require.NoError(t, page.Type(check, "%%writefile work/other.txt\nconst a = 1;"))
	languages("wgsl", "go")

	// A new cell, and a copy of it.
	for _, key := range kb.Escape + "b" {
		require.NoError(t, page.Press(key))
	}
	require.NoError(t, page.WaitLanguage(check+1, "go"))
	require.NoError(t, page.Type(check+1, "%%writefile work/new.wgsl\nconst a = 1;"))
	require.NoError(t, page.WaitLanguage(check+1, "wgsl"))
	for _, key := range kb.Escape + "cv" {
		require.NoError(t, page.Press(key))
	}
	require.NoError(t, page.WaitSource(check+2, "%%writefile work/new.wgsl\nconst a = 1;"))
	require.NoError(t, page.WaitLanguage(check+2, "wgsl"))
	page.RequireQuiet(t)
	testWGSLFile(t, server, clone, browser)
}

// A learner's ten minutes with row-max: typing with completion, a mistake that the shader's
// cell reports at once, a race that the check names, and the pass. Pictures go to the folder
// that WGSLAB_SCREENSHOTS names.
func testTenMinutes(t *testing.T, server *lab.Server, clone *lab.Clone, browser *lab.Browser, theme string) {
	const setting = "@jupyterlab/apputils-extension/themes"
	require.NoError(t, clone.Set(setting, `{"theme": "JupyterLab `+theme+`"}`))
	defer func() { require.NoError(t, clone.Set(setting, "{}")) }()
	page := lab.Visit(t, server, clone, browser, "05-reduce.ipynb")
	shader, err := page.Cell("row-max-shader")
	require.NoError(t, err)
	check, err := page.Cell("row-max-check")
	require.NoError(t, err)
	right, err := exercises.Reference("row-max")
	require.NoError(t, err)
	cell := "%%writefile work/row-max.wgsl\n" + strings.TrimSuffix(right, "\n")
	shot := func(name string) {
		t.Helper()
		if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
			require.NoError(t, page.Screenshot(filepath.Join(dir, "minutes-"+name+"-"+strings.ToLower(theme)+".png")))
		}
	}
	run := func(source string, cells ...int) {
		t.Helper()
		require.NoError(t, page.Type(shader, source))
		for _, i := range cells {
			require.NoError(t, page.Run(i))
		}
	}

	begun, _, found := strings.Cut(cell, "Barrier();")
	require.True(t, found)
	require.NoError(t, page.Type(shader, begun))
	require.NoError(t, page.Complete("workgroupBarrier"))
	shot("completion")
	require.NoError(t, page.Press([]rune(kb.Escape)[0]))
	upTo, _, found := strings.Cut(cell, "(me < half)")
	require.True(t, found)
	require.NoError(t, page.Type(shader, upTo+"(me"))
	require.NoError(t, page.Inspect("let me = local.x"))
	shot("inspection")
	require.NoError(t, page.Press([]rune(kb.Escape)[0]))

	run(strings.Replace(cell, "out[row] = candidates[0]", "out[row] = candidate[0]", 1), shader)
	for _, text := range []string{"✗ row-max: does not compile", "out[row] = candidate[0]", "^"} {
		require.NoError(t, page.WaitText(shader, text))
	}
	shot("mistake")
	run(strings.Replace(cell, "workgroupBarrier();", "", 1), shader, check)
	require.NoError(t, page.WaitText(shader, "✗ row-max: compiles, and goes wrong when it runs"))
	require.NoError(t, page.WaitText(check, "✗ row-max: not right yet"))
	require.NoError(t, page.WaitText(check, "no workgroupBarrier() between"))
	require.NoError(t, page.WaitHeats(shader, `^$`), "costs count after a pass")
	shot("race")
	code, err := page.Code(shader)
	require.NoError(t, err)
	run(cell, shader, check)
	require.NoError(t, page.WaitText(shader, "row-max: compiles"))
	require.NoError(t, page.WaitText(check, "✓ row-max: right"))
	reads := slices.IndexFunc(strings.Split(cell, "\n"), func(line string) bool { return strings.Contains(line, "x[") }) + 1
	require.NoError(t, page.WaitHeats(shader, fmt.Sprintf(`(^|\n)3: Line %d moves [0-9.]+ [kM]?B of storage`, reads)))
	still, err := page.Code(shader)
	require.NoError(t, err)
	require.Equal(t, code, still, "the costs move no code")
	shot("pass")
	require.NoError(t, chromedp.Do(page.Tab(), chromedp.Evaluate[chromedp.Void]("document.querySelector('.wgslab-heat-3').scrollIntoView({ block: 'center' })")))
	shot("costs")
	for _, i := range []int{shader, check} {
		text, err := page.Text(i)
		require.NoError(t, err)
		for _, noise := range []string{"exit status", "Cell contents written", "goes wrong"} {
			require.NotContains(t, text, noise)
		}
		page.RequireNoFlaws(t, i)
	}
	require.NoError(t, page.Type(shader, cell+"\n// Changed."))
	require.NoError(t, page.WaitHeats(shader, `^$`), "the costs are about another text")
	page.RequireQuiet(t)
}

// requireColours requires different colours for different kinds of words.
func requireColours(t *testing.T, page *lab.Page, shader int) {
	t.Helper()
	words := map[string]string{} // by colour
	for _, word := range []string{"%%writefile work/add.wgsl", "var", "f32", "storage", "@group", "0", "// Your line goes here.", "a"} {
		colour, err := page.Colour(shader, word)
		require.NoError(t, err)
		t.Logf("%-25s %s", word, colour)
		words[colour] = word
	}
	require.GreaterOrEqual(t, len(words), 6, "%v", words)
}

// A cell's shader is laid out by its key, and its print comments show their values when it runs and
// when it is checked.
func testPrint(t *testing.T, server *lab.Server, clone *lab.Clone, browser *lab.Browser, theme string) {
	const setting = "@jupyterlab/apputils-extension/themes"
	require.NoError(t, clone.Set(setting, `{"theme": "JupyterLab `+theme+`"}`))
	defer func() { require.NoError(t, clone.Set(setting, "{}")) }()
	page := lab.Visit(t, server, clone, browser, "02-add.ipynb")
	shader, err := page.Cell("vector-add-shader")
	require.NoError(t, err)
	check, err := page.Cell("vector-add-check")
	require.NoError(t, err)

	const first = "%%writefile work/vector-add.wgsl\n"
	require.NoError(t, page.Run(check), "the kernel has started")
	require.NoError(t, page.Type(shader, first+lab.Printing))
	require.NoError(t, page.Press('F', kb.ModifierAlt|kb.ModifierShift))
	require.NoError(t, page.WaitSource(shader, first+strings.TrimSuffix(lab.PrintingFormatted, "\n")))
	for _, cell := range []int{shader, check} {
		require.NoError(t, page.Run(cell))
		require.NoError(t, page.WaitText(cell, "Line 8 prints i · vector-add, n = 64"))
		require.NoError(t, page.WaitText(cell, "Line 10 prints i, out[i]"))
		if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
			require.NoError(t, page.Screenshot(filepath.Join(dir, fmt.Sprintf("print-%d-%s.png", cell, strings.ToLower(theme)))))
		}
		page.RequireNoFlaws(t, cell)
	}
}

// testWGSLFile opens a shader as a file: it is read as WGSL as well, and folds if the
// settings ask for it.
func testWGSLFile(t *testing.T, server *lab.Server, clone *lab.Clone, windows *lab.Browser) {
	const setting = "@jupyterlab/codemirror-extension/plugin"
	require.NoError(t, clone.Set(setting, `{"defaultConfig": {"codeFolding": true}}`))
	defer func() { require.NoError(t, clone.Set(setting, "{}")) }()
	const shader = "// { in a comment\nfn f() {\n    let a = 1;\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(clone.Lessons(), "file.wgsl"), []byte(shader), 0o644))
	page, err := windows.OpenFile(server, "file.wgsl")
	require.NoError(t, err)
	defer page.Close()
	require.NoError(t, page.Wait("document.querySelector('.jp-FileEditor .cm-content').dataset.language === 'wgsl'"))

	const markers = "[...document.querySelectorAll('.jp-FileEditor .cm-foldGutter [title=\"Fold line\"]')]"
	require.NoError(t, page.Wait(markers+".length > 0"))
	places, err := browser.Evaluate[int](page, markers+".length")
	require.NoError(t, err)
	require.Equal(t, 1, places, "the function, and not the comment")
	_, err = browser.Evaluate[bool](page, markers+"[0].click() ?? true")
	require.NoError(t, err)
	require.NoError(t, page.Wait("document.querySelector('.jp-FileEditor .cm-line:nth-child(2)').innerText === 'fn f() {…}'"))
	require.Empty(t, page.ConsoleErrors())
}
