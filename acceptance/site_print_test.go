//go:build acceptance

package acceptance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
)

// The button Format lays a shader out, and the check shows what its print comments name. Pictures
// go to the folder that WGSLAB_SCREENSHOTS names.
func TestSitePrintsAndFormats(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "02-add.html")
	v.write("vector-add", lab.Printing)
	v.click("#vector-add .format")
	v.wait(`localStorage.getItem('wgslab:work/vector-add.wgsl') === %q`, lab.PrintingFormatted)
	said := v.check("vector-add")
	require.Contains(t, said, "Line 7 prints i · vector-add, n = 64")
	require.Contains(t, said, "Line 9 prints i, out[i]")
	v.wait(`document.querySelector('#check-vector-add .verdict .wgslab-heatmap td[title="row 48, column +15: 63"]')`)
	for _, theme := range []string{"light", "dark"} {
		if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
			value[bool](v, `(document.querySelector('#vector-add').scrollIntoView(), true)`)
			require.NoError(t, v.page.Screenshot(filepath.Join(dir, "page-print-"+theme+".png")))
			value[bool](v, `(document.querySelector('#check-vector-add .wgslab-heatmap').scrollIntoView(), true)`)
			require.NoError(t, v.page.Screenshot(filepath.Join(dir, "page-print-below-"+theme+".png")))
		}
		v.click("#theme")
	}

	v.write("vector-add", "fn f( {")
	v.click("#vector-add .format")
	v.wait(`document.querySelector('#vector-add .problems').innerText.includes('Not formatted: line 1')`)
}
