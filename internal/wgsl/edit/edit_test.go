package edit_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
)

// Every edit changes the text, and no two give the same one.
func TestEditsAreUnique(t *testing.T) {
	for _, e := range course.All() {
		reference, err := e.Reference()
		require.NoError(t, err)
		seen := map[string]bool{reference.Text: true}
		for _, x := range edit.All(reference.Shader()) {
			require.False(t, seen[x.Text], "%s: %s %q instead of %q", e.ID, x.Kind, x.To, x.Was)
			seen[x.Text] = true
		}
	}
}
