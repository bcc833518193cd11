//go:build acceptance

package acceptance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
)

// While a check runs, an editor takes every key, finishes words and finds errors.
func TestSiteTypesDuringACheck(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "02-add.html")
	busy := func() bool {
		return value[bool](v, `document.querySelector('#check-vector-add').hasAttribute('aria-busy')`)
	}
	v.write("vector-add", lab.EndlessAdd(t))
	v.write("add", "fn f() {\n  ")
	v.wait(`document.querySelector('#add .problems.bad')`) // the message moves what is below it
	v.click("#check-vector-add .start")
	v.wait(`document.querySelector('#check-vector-add .stop').checkVisibility()`)
	value[bool](v, `document.querySelector('#add .cm-content').focus() || true`)
	const typed = "let x = arrayL"
	for key := range strings.SplitSeq(typed, "") {
		v.keys(key)
	}
	v.wait(`localStorage.getItem('wgslab:work/add.wgsl')?.includes(%q)`, typed)
	v.wait(`document.querySelector('.cm-tooltip-autocomplete')?.innerText.includes('arrayLength')`)
	v.wait(`document.querySelector('#add .problems.bad')`)
	require.True(t, busy(), "the check was under way all the time")
	v.click("#check-vector-add .stop")
	v.wait(`document.querySelector('#check-vector-add .doing').textContent === 'Stopped. There is no result.'`)
}
