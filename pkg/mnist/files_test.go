package mnist

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// shared returns a path beside the repository, where test data that is not
// committed lies.
func shared(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("this test needs %s: %v", path, err)
	}
	return path
}

// useMNIST points WGSLAB_MNIST at the real files, and returns their folder.
func useMNIST(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("WGSLAB_MNIST")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "mnist")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("this test needs MNIST: put its four files into ../shared/mnist beside the repository, or set WGSLAB_MNIST to their folder: %v", err)
	}
	t.Setenv("WGSLAB_MNIST", dir)
	return dir
}

func TestRealMNISTIsRead(t *testing.T) {
	useMNIST(t)
	test, err := Test(t.Context(), Options{})
	require.NoError(t, err)
	require.Equal(t, 10_000, test.Len())
	require.Equal(t, []byte{7, 2, 1, 0, 4, 1, 4, 9, 5, 9}, test.Labels[:10])
	require.Equal(t, TestSource, test.Source)
	require.NoError(t, test.Reason)

	train, err := Train(t.Context(), Options{})
	require.NoError(t, err)
	require.Equal(t, 60_000, train.Len())
	require.Equal(t, []byte{5, 0, 4, 1, 9, 2, 1, 3, 1, 4}, train.Labels[:10])
	require.Equal(t, TrainSource, train.Source)
}

// unpacked puts the two test files into a folder, uncompressed.
func unpacked(t *testing.T) string {
	t.Helper()
	from, to := useMNIST(t), t.TempDir()
	for _, f := range []file{testFiles.images, testFiles.labels} {
		data, err := readFrom(from, f)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(to, f.name), data, 0o644))
	}
	return to
}

func TestTheFolderMayHoldUncompressedFilesAndNoTrainingFiles(t *testing.T) {
	dir := unpacked(t)
	t.Setenv("WGSLAB_MNIST", dir)
	set, err := Test(t.Context(), Options{})
	require.NoError(t, err)
	require.Equal(t, 10_000, set.Len())

	_, err = Train(t.Context(), Options{})
	require.ErrorContains(t, err, "WGSLAB_MNIST="+dir)
	require.ErrorContains(t, err, "there is no train-images-idx3-ubyte and no train-images-idx3-ubyte.gz")
}

func TestAWrongFileInTheFolderIsNamed(t *testing.T) {
	dir := unpacked(t)
	t.Setenv("WGSLAB_MNIST", dir)
	path := filepath.Join(dir, testFiles.images.name)
	handle, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = handle.Seek(1_000_000, io.SeekStart)
	require.NoError(t, err)
	_, err = handle.Write([]byte{1})
	require.NoError(t, err)
	require.NoError(t, handle.Close())

	_, err = Test(t.Context(), Options{})
	require.ErrorContains(t, err, path+" is not MNIST's t10k-images-idx3-ubyte")
	require.NotErrorIs(t, err, errUnavailable)
}
