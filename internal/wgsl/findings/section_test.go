package findings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every kind with a section is one that the front end reports, and has one section only.
func TestSectionsNameKinds(t *testing.T) {
	var source strings.Builder
	for _, folder := range []string{".", "../syntax", "../types", "../flow", "../analysis"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.Base(file), "section") {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			source.Write(text)
		}
	}
	listed := 0
	for line := range strings.Lines(sections) {
		_, kinds, _ := strings.Cut(line, ": ")
		for _, kind := range strings.Fields(kinds) {
			require.Contains(t, source.String(), `"`+kind+`"`, kind)
			listed++
		}
	}
	require.Len(t, anchors(), listed, "a kind is listed twice")
	require.Equal(t, "https://www.w3.org/TR/WGSL/#uniformity", NonUniformValue.Link())
	require.Empty(t, ForeignWord.Link(), "no rule is about words of other languages")
}
