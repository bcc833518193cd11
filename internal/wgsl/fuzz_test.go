package wgsl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// FuzzFrontEnd feeds any text to every stage. Nothing may crash, and every message must point into
// the text.
func FuzzFrontEnd(f *testing.F) {
	for _, pattern := range []string{"../../exercises/*/reference.wgsl", "analysis/testdata/*/*.wgsl"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(f, err)
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := Read("", text, types.Options{Features: types.AllFeatures})
		info, found := read.Info, read.Findings
		if read.Valid() {
			found = append(found, analysis.Analyze(info)...)
			for _, e := range info.EntryPoints {
				info.Pipeline(e, nil)
			}
		}
		for _, d := range found {
			require.True(t, 0 <= d.Span.Start && d.Span.Start <= d.Span.End && int(d.Span.End) <= len(text), "%v at %v", d, d.Span)
			for _, r := range d.Related {
				require.True(t, 0 <= r.Span.Start && r.Span.Start <= r.Span.End && int(r.Span.End) <= len(text), "%v at %v", d, r.Span)
			}
			for _, fix := range d.Fixes {
				_, err := findings.Apply(text, fix.Edits)
				require.NoError(t, err, "%v", d)
			}
		}
	})
}
