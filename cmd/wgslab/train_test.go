package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/mlp"
)

// needTrainingImages points WGSLAB_MNIST at the files beside the repository,
// unless it is set.
func needTrainingImages(t *testing.T) {
	t.Helper()
	if os.Getenv("WGSLAB_MNIST") != "" {
		return
	}
	const dir = "../../../shared/mnist"
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("MNIST's training images are not here; set WGSLAB_MNIST to their folder: %v", err)
	}
	t.Setenv("WGSLAB_MNIST", dir)
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestTrainWritesWeightsAndTheirCard(t *testing.T) {
	needTrainingImages(t)
	dir := filepath.Join(t.TempDir(), "new")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"train", "--epochs", "1", "--batch", "500", "--seed", "3", "--out", dir}, &stdout, &stderr)
	require.Equal(t, exitOK, code, stderr.String())
	require.Equal(t, []string{cardFile, weightsFile}, files(t, dir))
	require.Regexp(t, `^epoch 1 of 1  loss \d\.\d{4}  held-out 9\d\.\d\d %\n$`, stderr.String())
	require.Contains(t, stdout.String(), "Training on ")
	require.Regexp(t, `9\d\.\d\d % of the test images`, stdout.String())

	_, err := mlp.Load(filepath.Join(dir, weightsFile))
	require.NoError(t, err)
	card, err := os.ReadFile(filepath.Join(dir, cardFile))
	require.NoError(t, err)
	require.Contains(t, string(card), "`wgslab train --epochs 1 --batch 500 --rate 0.002 --seed 3`")
	require.NotContains(t, string(card), "%!")
}

// The card that ships belongs to the weights that ship, and to the settings
// that `wgslab train` has when it is given none.
func TestShippedCard(t *testing.T) {
	card, err := os.ReadFile("../../weights/" + cardFile)
	require.NoError(t, err)
	require.Contains(t, string(card), "`"+modelCard{training: mlp.DefaultTraining()}.command()+"`")
}

// cancelling ends a context when something is written to it.
type cancelling struct{ cancel context.CancelFunc }

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}

func TestTrainInterruptedWritesNothing(t *testing.T) {
	needTrainingImages(t)
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	old := filepath.Join(dir, weightsFile)
	require.NoError(t, os.WriteFile(old, []byte("old"), 0o644))
	var stderr bytes.Buffer
	code := run(ctx, []string{"train", "--out", dir}, cancelling{cancel}, &stderr)
	require.Equal(t, exitInterrupted, code)
	require.Equal(t, "wgslab: stopped before the end; nothing was written\n", stderr.String())
	require.Equal(t, []string{weightsFile}, files(t, dir))
	data, err := os.ReadFile(old)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))
}

func TestTrainWithoutMNIST(t *testing.T) {
	t.Setenv("WGSLAB_MNIST", t.TempDir())
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	code := run(t.Context(), []string{"train", "--out", dir}, &stdout, &stderr)
	require.Equal(t, exitNotRight, code)
	require.Contains(t, stderr.String(), "training needs MNIST itself, drawn digits will not do")
	require.Empty(t, files(t, dir))
}

func TestTrainAskedWrongly(t *testing.T) {
	for want, args := range map[string]string{
		"0 epochs":               "--epochs 0",
		"a batch of -1":          "--batch -1",
		"a learning rate of NaN": "--rate NaN",
		"invalid argument":       "--seed -1",
		"unknown command":        "now",
		"making the folder":      "--out /dev/null/weights",
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"train"}, strings.Fields(args)...), &stdout, &stderr)
		require.Equal(t, exitAsked, code, args)
		require.Contains(t, stderr.String(), want)
	}
}
