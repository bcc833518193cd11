//go:build acceptance

package acceptance

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/course"
)

// Lines are put in order with buttons, from the keyboard alone. The text of the shader follows.
func TestSiteOrdersLines(t *testing.T) {
	const id = "order-sum-tree"
	v := visitSite(t, browser.For(t), site.Serve(t), "05-reduce.html#"+id)
	v.wait(`document.querySelector('#%s .order:not([hidden])')`, id)
	exercise, err := course.Find(id)
	require.NoError(t, err)
	frame, _, err := exercise.Offered()
	require.NoError(t, err)
	press := func(label string) {
		require.True(t, value[bool](v, `((b) => { b?.focus(); return document.activeElement === b; })(
			[...document.querySelectorAll('#%s .order button')].find((b) => b.ariaLabel === %q))`, id, label), label)
		v.keys(kb.Enter)
	}
	lines := strings.Split(reference(t, id), "\n")
	begin := 0
	for lines[begin] != "    let me = local.x;" {
		begin++
	}
	body := lines[begin+1 : len(lines)-2]
	require.Len(t, course.CodeLines(reference(t, id)), len(frame)+len(body))
	for _, line := range body {
		press("Use: " + strings.TrimSpace(line))
		v.wait(`document.activeElement.closest('#%s .order ol li')`, id)
	}
	require.Contains(t, v.check(id), id+": right")
	v.becomes("✓ passed", fmt.Sprintf(`document.querySelector('#%s .passed').textContent`, id))

	press("Move up: workgroupBarrier();")
	v.becomes("Move up", `document.activeElement.title`)
	require.Contains(t, v.check(id), "there is no workgroupBarrier() between them")
	press("Move down: workgroupBarrier();")
	press("Leave out: workgroupBarrier();")
	v.wait(`localStorage.getItem('wgslab:work/%s.wgsl').endsWith('    workgroupBarrier();\n    */\n}\n')`, id)
	require.Empty(t, v.page.ConsoleErrors())
}

// A bug to find is folded until the exercise itself is right, also on the next visit. Below a check
// that failed, a button copies the context for an AI tutor.
func TestSiteFoldsAndTutors(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "02-add.html#find-vector-add")
	shoot := func(name, selector string) {
		for _, theme := range []string{"light", "dark"} {
			if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
				value[bool](v, `(document.querySelector(%q).scrollIntoView({ block: 'center' }), true)`, selector)
				require.NoError(t, v.page.Screenshot(filepath.Join(dir, "page-"+name+"-"+theme+".png")))
			}
			v.click("#theme")
		}
	}
	const fold, tutor = "#find-vector-add .fold", "#check-vector-add .tutor"
	v.becomes("Once your vector-add is right: a wrong one to repair", `document.querySelector('`+fold+` summary').innerText`)
	require.False(t, value[bool](v, `document.querySelector('%s').open`, fold))
	require.True(t, value[bool](v, `document.querySelector('%s').hidden`, tutor))
	v.wait(`document.documentElement.dataset.ready`)
	shoot("folded", fold)

	wrong := strings.Replace(reference(t, "vector-add"), "a[i] + b[i]", "a[i] - b[i]", 1)
	v.write("vector-add", wrong)
	require.Contains(t, v.check("vector-add"), "vector-add: not right yet")
	require.False(t, value[bool](v, `document.querySelector('%s').open`, fold))
	may := cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: "clipboard-read"}, Setting: cdpbrowser.PermissionSettingGranted}
	_, err := chromedp.CallBrowser(v.page.Tab(), cdpbrowser.SetPermission, may)
	require.NoError(t, err)
	for _, how := range []string{"", "navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))"} {
		value[bool](v, `(%s, document.querySelector('%s').focus(), document.querySelector('#check-vector-add .doing').textContent = '', true)`, cmp.Or(how, "0"), tutor)
		v.keys(kb.Enter)
		v.wait(`document.querySelector('#check-vector-add .doing').textContent.startsWith('Copied.')`)
		v.wait(`document.activeElement.matches('%s')`, tutor)
		value[bool](v, `(navigator.clipboard.readText().then((text) => navigator.clipboard.writeText('').catch(() => {}).then(() => { globalThis.copied = text; })), true)`)
		v.wait(`globalThis.copied`)
		for _, part := range []string{"Never write code that solves an exercise", "a[i] - b[i]", "vector-add: not right yet"} {
			require.Contains(t, value[string](v, `globalThis.copied`), part)
		}
		value[bool](v, `delete globalThis.copied`)
	}
	shoot("tutor", tutor)

	v.write("vector-add", reference(t, "vector-add"))
	require.Contains(t, v.check("vector-add"), "vector-add: right")
	require.True(t, value[bool](v, `document.querySelector('%s').hidden`, tutor))
	v.wait(`document.querySelector('%s').open`, fold)
	shoot("unfolded", fold)
	v.open("02-add.html")
	v.wait(`document.querySelector('%s').open`, fold)
	require.Empty(t, v.page.ConsoleErrors())
}

// A click answers a question, runs the example after it, and unfolds the reasons. A later lesson
// asks again what was wrong.
func TestSitePredictsAndRecalls(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "03-matmul.html#predict-mirror")
	v.wait(`document.querySelectorAll('#predict-mirror .answers button').length === 3 && document.documentElement.dataset.ready`)
	q, err := course.FindQuestion("predict-mirror")
	require.NoError(t, err)
	require.False(t, q.Answers[1].Right)
	require.True(t, value[bool](v, `((b) => { b.focus(); return document.activeElement === b; })(document.querySelectorAll('#predict-mirror .answers button')[1])`))
	v.keys(kb.Enter)
	v.wait(`document.querySelector('#predict-mirror details')?.open`)
	v.wait(`document.querySelectorAll('#mirror-run .shown img, #mirror-run .shown table').length >= 3`)
	require.Contains(t, value[string](v, `document.querySelector('#predict-mirror .shown').textContent`), q.Answers[2].Why)
	require.Equal(t, "true", value[string](v, `document.querySelectorAll('#predict-mirror .answers button')[1].ariaPressed`))

	v.open("05-reduce.html")
	v.wait(`document.documentElement.dataset.ready && document.querySelector('#recall details')`)
	v.click(`#recall summary`)
	v.wait(`document.querySelectorAll('#recall .answers button').length === 3`)
	require.Contains(t, value[string](v, `document.querySelector('#recall .asks').textContent`), "A matrix has 4 rows and 6 columns.")
	v.click(`#recall .answers button:nth-child(1)`)
	v.wait(`document.querySelector('#recall .shown').textContent.includes('Right: ')`)

	for _, said := range []string{"03-matmul", "05-reduce"} { // what one lesson keeps, the next but one shows
		v.open(said + ".html")
		v.wait(`document.documentElement.dataset.ready && document.querySelector('#explain textarea')`)
		v.click(`#explain textarea`)
		v.keys("Row by row, in " + said + ".")
		v.click(`#explain .start`)
		v.wait(`document.querySelector('#explain .shown').textContent.includes('Row by row, in %s.')`, said)
	}
	require.Contains(t, value[string](v, `document.querySelector('#explain .shown').textContent`), "Row by row, in 03-matmul.")
	v.open("05-softmax.html")
	v.wait(`document.documentElement.dataset.ready && document.querySelector('#line textarea')`)
	v.click(`#line textarea`)
	v.keys("total += a[row * dims.k + i] * b[i * dims.n + column];" + kb.Enter)
	v.wait(`document.querySelector('#line .shown').textContent.includes('Right: ')`)
	require.Empty(t, v.page.ConsoleErrors())
}
