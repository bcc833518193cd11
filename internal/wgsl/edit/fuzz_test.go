package edit_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/mutant"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// FuzzEdits lists the edits of mutants of any text. Bytes alone hardly ever make a valid shader, so
// a seed changes tokens as well.
//
//	go test ./internal/wgsl/edit -fuzz FuzzEdits -fuzztime 1m -fuzzminimizetime 1x
func FuzzEdits(f *testing.F) {
	paths, err := filepath.Glob("../../../exercises/*/reference.wgsl")
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for i, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(string(text), uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 10_000 {
			t.Skip("too long to be quick")
		}
		text, _ = mutant.Of(rand.New(rand.NewPCG(seed, 1)), text)
		s := wgsl.Read("", text, types.Options{Features: types.AllFeatures})
		if s.Valid() {
			requireSound(t, s)
		}
	})
}

// requireSound checks that a shader's edits can be made and shown, and come in the same order each
// time: among equally good ones the judge takes the first.
func requireSound(t *testing.T, s *wgsl.Shader) {
	t.Helper()
	text := s.Source.Text
	edits, seen := edit.All(s), map[string]bool{text: true}
	for _, e := range edits {
		require.False(t, seen[e.Text], "%s %q instead of %q gives a text once more", e.Kind, e.To, e.Was)
		seen[e.Text] = true
		again, err := findings.Apply(text, e.Changes)
		require.NoError(t, err)
		require.Equal(t, e.Text, again)
		require.NotEmpty(t, e.Kind)
		require.True(t, edit.Slip <= e.Cost && e.Cost <= edit.Rare, "cost %d", e.Cost)
		requireWithin(t, text, e.Span)
		for _, c := range e.Changes {
			requireWithin(t, text, c.Span)
		}
	}
	require.Equal(t, edits, edit.All(s))
}

func requireWithin(t *testing.T, text string, at syntax.Span) {
	t.Helper()
	require.True(t, 0 <= at.Start && at.Start <= at.End && int(at.End) <= len(text), "%v of %d bytes", at, len(text))
}
