//go:build acceptance

package acceptance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/firefox"
)

// startFirefox starts a Firefox that ends with the test.
func startFirefox(t *testing.T) *firefox.Browser {
	t.Helper()
	// Not t.Context(), which is over before the browser is closed.
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	t.Cleanup(cancel)
	fox, err := firefox.Start(ctx)
	require.NoError(t, err)
	t.Cleanup(fox.Close)
	return fox
}

// The way of a visitor in Firefox: what is wrong is seen while they write, a wrong shader,
// why, the right one, and the same without a network.
func TestSiteInFirefox(t *testing.T) {
	from, fox := serveSite(t), startFirefox(t)
	page, err := fox.Open(from.URL + "/02-add.html#vector-add")
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			shot := filepath.Join(os.TempDir(), "wgslab-site-firefox.png")
			t.Logf("what the window showed: %s (%v); the console said %q", shot, page.Screenshot(shot), fox.ConsoleErrors())
		}
	})
	wait := func(expression string, arguments ...any) {
		t.Helper()
		require.NoError(t, page.Wait(fmt.Sprintf(expression, arguments...)))
	}
	value := func(expression string, arguments ...any) string {
		t.Helper()
		got, err := firefox.Evaluate[string](page, fmt.Sprintf(expression, arguments...))
		require.NoError(t, err)
		return got
	}
	write := func(source string) {
		t.Helper()
		wait(`document.querySelector('#vector-add .cm-content')`)
		value(`(document.querySelector('#vector-add .cm-content').focus(), '')`)
		require.NoError(t, page.Press(firefox.Control, "a"))
		require.NoError(t, page.Press(firefox.Delete))
		value(`(document.execCommand('insertText', false, %q), '')`, source)
		wait(`localStorage.getItem('wgslab:work/vector-add.wgsl') === %q`, source)
	}
	check := func() string {
		t.Helper()
		value(`(document.querySelector('#check-vector-add .verdict').replaceChildren(), '')`)
		wait(`!document.querySelector('#check-vector-add .start').disabled`)
		require.NoError(t, page.Click("#check-vector-add .start"))
		wait(`document.querySelector('#check-vector-add .verdict').childElementCount > 0 && !document.querySelector('#check-vector-add').hasAttribute('aria-busy')`)
		return value(`document.querySelector('#check-vector-add .verdict').innerText`)
	}

	wait(`document.querySelector('#check-vector-add .doing').textContent.includes('no WebGPU')`)
	right := reference(t, "vector-add")
	write(strings.Replace(right, "a[i] + b[i]", "a[i] + c[i]", 1))
	wait(`document.querySelector('#vector-add .cm-lintRange-error')?.textContent === 'c'`)
	write(strings.Replace(right, "a[i] + b[i]", "a[i] - b[i]", 1))
	require.Contains(t, check(), "a[i] - b[i]")
	write(right)
	require.Contains(t, check(), "vector-add: right")
	require.Equal(t, "✓ passed", value(`document.querySelector('#vector-add .passed').textContent`))

	wait(`document.querySelector('#offline').textContent !== ''`)
	for _, asked := range fox.Requests() {
		require.True(t, strings.HasPrefix(asked, from.URL+"/"), "the page asked for %s", asked)
	}
	require.Empty(t, value(`document.cookie`))
	require.Empty(t, fox.ConsoleErrors())

	from.gone.Store(true)
	require.NoError(t, page.Open(from.URL+"/02-add.html?again#vector-add"))
	wait(`document.querySelector('#vector-add .cm-content')?.innerText.includes('a[i] + b[i]')`)
	require.Contains(t, check(), "vector-add: right")
}
