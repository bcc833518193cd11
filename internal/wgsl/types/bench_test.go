package types_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// BenchmarkCheck times the check of each exercise's reference shader, without parsing.
func BenchmarkCheck(b *testing.B) {
	paths, err := filepath.Glob("../../../exercises/*/reference.wgsl")
	require.NoError(b, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(b, err)
		b.Run(filepath.Base(filepath.Dir(path)), func(b *testing.B) {
			file, diagnostics := syntax.Parse(syntax.NewSource(path, string(text)))
			require.Empty(b, diagnostics)
			b.ReportAllocs()
			for b.Loop() {
				types.Check(file, types.Options{})
			}
		})
	}
}
