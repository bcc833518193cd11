//go:build acceptance

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

func needTrainingImages(t *testing.T) {
	t.Helper()
	if os.Getenv("WGSLAB_MNIST") == "" {
		t.Skip("left out: it needs MNIST's training files. Run: WGSLAB_MNIST=FOLDER make acceptance")
	}
}

func TestTrainWritesWeightsAndTheirCard(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "cmd/wgslab/")
	needTrainingImages(t)
	dir := filepath.Join(t.TempDir(), "new")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"train", "--epochs", "1", "--batch", "500", "--seed", "3", "--out", dir}, &stdout, &stderr)
	require.Equal(t, exitOK, code, stderr.String())
	require.Equal(t, []string{plain.card, plain.weights}, files(t, dir))
	require.Regexp(t, `^epoch 1 of 1  loss \d\.\d{4}  held-out 9\d\.\d\d %\n$`, stderr.String())
	require.Contains(t, stdout.String(), "Training on ")
	require.Regexp(t, `9\d\.\d\d % of the test images`, stdout.String())

	_, err := mlp.Load(filepath.Join(dir, plain.weights))
	require.NoError(t, err)
	card, err := os.ReadFile(filepath.Join(dir, plain.card))
	require.NoError(t, err)
	require.Contains(t, string(card), "`wgslab train --epochs 1 --batch 500 --rate 0.002 --seed 3`")
	require.NotContains(t, string(card), "%!")
}

// cancelling ends a context when something is written to it.
type cancelling struct{ cancel context.CancelFunc }

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}

func TestTrainInterruptedWritesNothing(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "cmd/wgslab/")
	needTrainingImages(t)
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	old := filepath.Join(dir, plain.weights)
	require.NoError(t, os.WriteFile(old, []byte("old"), 0o644))
	var stderr bytes.Buffer
	code := run(ctx, []string{"train", "--out", dir}, cancelling{cancel}, &stderr)
	require.Equal(t, exitInterrupted, code)
	require.Equal(t, "wgslab: stopped before the end; wgslab wrote nothing\n", stderr.String())
	require.Equal(t, []string{plain.weights}, files(t, dir))
	data, err := os.ReadFile(old)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))
}
