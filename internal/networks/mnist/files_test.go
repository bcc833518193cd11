package mnist

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The test images ship, so reading them needs no other files, cache or network.
func TestTheTestImagesAreMNISTs(t *testing.T) {
	t.Setenv("WGSLAB_MNIST", "/nowhere")
	t.Setenv("HOME", "")
	set, err := Test()
	require.NoError(t, err)
	require.Equal(t, 10_000, set.Len())
	require.Equal(t, []byte{7, 2, 1, 0, 4, 1, 4, 9, 5, 9}, set.Labels[:10])
	require.Equal(t, TestSource, set.Source)
}

// The README beside the files describes them correctly.
func TestTheShippedFilesAreDescribed(t *testing.T) {
	readme, err := os.ReadFile("t10k/README.md")
	require.NoError(t, err)
	for _, f := range []file{testFiles.images, testFiles.labels} {
		require.Contains(t, string(readme), "`"+f.name+".gz`")
		require.Contains(t, string(readme), "`"+f.sha256+"`")
	}
	for _, about := range []string{"Yann LeCun, Corinna Cortes and Christopher J. C. Burges", "creativecommons.org/licenses/by-sa/3.0"} {
		require.Contains(t, string(readme), about)
	}
}

func TestAFileThatIsNotMNISTsIsRefused(t *testing.T) {
	images, err := shipped(testFiles.images.name + ".gz")
	require.NoError(t, err)
	wrong, err := unpack(bytes.NewReader(images), testFiles.images)
	require.NoError(t, err)
	wrong[1_000_000]++
	_, err = unpack(bytes.NewReader(wrong), testFiles.images)
	require.ErrorContains(t, err, "is not MNIST's t10k-images-idx3-ubyte")
	_, err = unpack(bytes.NewReader(images[:1000]), testFiles.images)
	require.ErrorContains(t, err, "cannot be unpacked")
	// git leaves this text if large files are stored elsewhere.
	_, err = unpack(strings.NewReader("version https://git-lfs.github.com/spec/v1\n"), testFiles.images)
	require.ErrorContains(t, err, "is not MNIST's")
}

func TestTheFolderMustHoldTheTrainingFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("WGSLAB_MNIST", dir)
	require.False(t, TrainFilesIn(dir))
	_, err := Train(t.Context(), Options{})
	require.ErrorContains(t, err, "WGSLAB_MNIST="+dir)
	require.ErrorContains(t, err, "there is no train-images-idx3-ubyte and no train-images-idx3-ubyte.gz")
	require.NotErrorIs(t, err, errUnavailable)
}

func TestAWrongFileInTheFolderIsNamed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("WGSLAB_MNIST", dir)
	path := filepath.Join(dir, trainFiles.images.name+".gz")
	images, err := shipped(testFiles.images.name + ".gz")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, images, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, trainFiles.labels.name), nil, 0o644))
	require.True(t, TrainFilesIn(dir))

	_, err = Train(t.Context(), Options{})
	require.ErrorContains(t, err, path+" is not MNIST's train-images-idx3-ubyte")
	require.NotErrorIs(t, err, errUnavailable)
}
