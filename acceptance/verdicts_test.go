//go:build acceptance

package acceptance

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The limits of a verdict before anything is unfolded, in pixels at a width of 800: nine of ten and
// all.
const (
	mostVerdicts = 300
	everyVerdict = 450
)

// oneVerdictIn is how many wrong shaders of the exercises one is drawn of.
const oneVerdictIn = 4

// TestVerdictsAreShort draws verdicts as JupyterLab does and measures how much of the window they
// take. With WGSLAB_VERDICTS=FILE, it keeps the page with all verdicts and their texts.
func TestVerdictsAreShort(t *testing.T) {
	exact := simulator.New(simulator.Options{})
	keep, every := os.Getenv("WGSLAB_VERDICTS"), oneVerdictIn
	if keep != "" {
		every = 1
	}
	var page, texts strings.Builder
	page.WriteString(`<!doctype html><meta charset="utf-8"><style>body{font:14px system-ui;margin:8px}pre,code{font:13px monospace;margin:0}.v{width:800px;margin-bottom:12px}table{border-spacing:0}</style>`)
	for _, e := range coursetest.Exercises(t, course.All()) {
		paths, err := exercises.Files.Glob(e.ID + "/wrong/*.wgsl")
		require.NoError(t, err)
		for i, path := range paths {
			if i%every > 0 {
				continue
			}
			text, err := exercises.Files.ReadFile(path)
			require.NoError(t, err)
			v, err := judge.Explain(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/"+e.ID+".wgsl", string(text)), 7, nil)
			require.NoError(t, err)
			fmt.Fprintf(&page, "<div class=v title=%q>%s</div>\n", e.ID+"/"+filepath.Base(path), v.HTML())
			fmt.Fprintf(&texts, "=== %s/%s\n%s\n%s\n", e.ID, filepath.Base(path), text, v.Text())
		}
	}
	if keep != "" {
		require.NoError(t, os.WriteFile(keep, []byte(page.String()), 0o600))
		require.NoError(t, os.WriteFile(keep+".txt", []byte(texts.String()), 0o600))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(page.String())) }))
	defer server.Close()
	b, err := browser.Start(t.Context())
	require.NoError(t, err)
	defer b.Close()
	opened, err := b.Open(server.URL)
	require.NoError(t, err)
	drawn, err := browser.Evaluate[[]drawnVerdict](opened, `[...document.querySelectorAll('.v')].map((v) => ({ Name: v.title, Height: v.getBoundingClientRect().height }))`)
	require.NoError(t, err)
	require.NotEmpty(t, drawn)
	var heights []float64
	for _, v := range drawn {
		heights = append(heights, v.Height)
		if v.Height > mostVerdicts {
			t.Logf("%s: %.0f px", v.Name, v.Height)
		}
		require.LessOrEqual(t, v.Height, float64(everyVerdict), v.Name)
	}
	slices.Sort(heights)
	n := len(heights)
	t.Logf("%d verdicts: median %.0f px, nine of ten %.0f px, the highest %.0f px", n, heights[n/2], heights[n*9/10], heights[n-1])
	if coursetest.Whole(t) {
		require.LessOrEqual(t, heights[n*9/10], float64(mostVerdicts))
	}
}

type drawnVerdict struct {
	Name   string
	Height float64
}
