package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A right shader's marks are shown once more if it is checked again, without another count.
func TestMarksAreShown(t *testing.T) {
	source, err := exercises.Reference("vector-add")
	require.NoError(t, err)
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	var shown []view.View
	s := &Session{Display: func(v ...view.View) { shown = append(shown, v...) }}
	for range 2 {
		s.showMarks(t.Context(), exercise, shader.Read("own.wgsl", source))
	}
	require.Len(t, shown, 2)
	require.Len(t, s.Cache.marked, 1)
	require.Equal(t, "  What it costs (this decides nothing):\n  ✓ coalesced", shown[0].Text())
	require.Contains(t, string(shown[0].HTML()), "✓ coalesced")
}

func TestMarksAreEscaped(t *testing.T) {
	html := string(costMarks{cost.Marks{{Name: "a < b", Line: 3, Text: "a < b", Count: "barriers", Yours: 2, Limit: 1, Ask: "Is `a < b`?"}}, []cost.Heat{{Line: 3, Bytes: "4 kB", Says: "a < b", Step: 2}}}.HTML())
	require.Contains(t, html, "· a &lt; b: 2 barriers, most on line 3; 1 would reach it")
	require.Contains(t, html, "<code>a &lt; b</code>")
	require.NotContains(t, strings.ReplaceAll(html, "&lt;", ""), "a < b")
}

// Points for costs need a right shader that reaches every goal.
func TestGoalsAreRequired(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("work", 0o755))
	usual, err := exercises.Reference("copy-2d")
	require.NoError(t, err)
	copies, err := course.Find("copy-2d")
	require.NoError(t, err)
	right, err := copies.Right()
	require.NoError(t, err)
	scattered := right[0] // columns-first
	for name, of := range map[string]struct{ source, err, shows string }{
		"all reached": {usual, "", "✓ coalesced"},
		"not right":   {strings.Replace(usual, "= x[", "= 1.0 + x[", 1), "not right yet", "nothing to count yet"},
		"missed":      {scattered.Text, "the shader misses 1 of 1 goal", "· coalesced"},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join("work", "copy-2d.wgsl"), []byte(of.source), 0o644))
			shown, alone := "", simulator.New(simulator.Options{})
			s := &Session{
				Display: func(views ...view.View) {
					for _, v := range views {
						shown += v.Text() + "\n"
					}
				},
				Read: shader.Read,
				Open: func(context.Context) (*engine.Opened, error) {
					return &engine.Opened{Engines: shader.Engines{Values: alone, Watcher: alone}}, nil
				},
			}
			err := s.Goals(t.Context(), "copy-2d", 1)
			if of.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, of.err)
			}
			require.Contains(t, shown, of.shows)
		})
	}
}
