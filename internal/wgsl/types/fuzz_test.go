package types_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// FuzzCheck checks the parser's tree of any text, broken ones included. The check must end, and its
// messages must point into the text.
func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"../../../exercises/*/reference.wgsl", "../../../shaders/*/*.wgsl"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(string(text))
		}
	}
	wrong, err := exercises.Files.Glob("*/wrong/*.wgsl")
	require.NoError(f, err)
	for _, name := range wrong {
		text, err := exercises.Files.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	for _, m := range messages {
		f.Add(m.line)
	}
	for _, text := range trueConstants {
		f.Add("const_assert " + text + ";")
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, _ := syntax.Parse(syntax.NewSource("", text))
		info, diagnostics := types.Check(file, types.Options{Features: types.AllFeatures})
		whole := syntax.Span{End: int32(len(text))}
		for _, d := range diagnostics {
			require.True(t, whole.Contains(d.Span), "%s at %v", d, d.Span)
			require.NotEmpty(t, d.Message)
			for _, r := range d.Related {
				require.True(t, whole.Contains(r.Span))
			}
			for _, fix := range d.Fixes {
				_, err := findings.Apply(text, fix.Edits)
				require.NoError(t, err)
			}
		}
		if len(diagnostics) == 0 {
			for _, e := range info.EntryPoints {
				info.Pipeline(e, nil)
			}
		}
	})
}
