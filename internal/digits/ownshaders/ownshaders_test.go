package ownshaders

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A shader that can't be read is not taken for one that isn't written.
func TestFindSaysWhatCannotBeRead(t *testing.T) {
	work := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(work, "relu.wgsl"), 0o755))
	own, err := Find(t.Context(), nil, work, "relu")
	require.NoError(t, err)
	require.False(t, own.Learners)
	require.Contains(t, own.Whose(), "the reference: yours could not be read (")
}
