//go:build acceptance

package mnist

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The files may be compressed, as they arrive, or unpacked.
func TestTheTrainingImagesAreRead(t *testing.T) {
	dir := os.Getenv("WGSLAB_MNIST")
	if dir == "" {
		t.Skip("left out: it needs MNIST's training files. Run: WGSLAB_MNIST=FOLDER make acceptance")
	}
	unpacked := t.TempDir()
	for _, f := range []file{trainFiles.images, trainFiles.labels} {
		data, err := readFrom(dir, f)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(unpacked, f.name), data, 0o644))
	}
	for _, folder := range []string{dir, unpacked} {
		t.Setenv("WGSLAB_MNIST", folder)
		require.True(t, TrainFilesIn(folder))
		set, err := Train(t.Context(), Options{})
		require.NoError(t, err)
		require.Equal(t, 60_000, set.Len())
		require.Equal(t, []byte{5, 0, 4, 1, 9, 2, 1, 3, 1, 4}, set.Labels[:10])
		require.Equal(t, TrainSource, set.Source)
	}
}
