package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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

// The card that ships describes the weights that ship, and the default settings of `wgslab train`.
func TestShippedCard(t *testing.T) {
	for _, n := range []trainable{plain, convolutional} {
		card, err := os.ReadFile("../../weights/" + n.card)
		require.NoError(t, err)
		require.Contains(t, string(card), "`"+modelCard{network: n, training: n.training}.command()+"`")
	}
}

func TestTrainWithoutMNIST(t *testing.T) {
	t.Setenv("WGSLAB_MNIST", t.TempDir())
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	code := run(t.Context(), []string{"train", "--out", dir}, &stdout, &stderr)
	require.Equal(t, exitNotRight, code)
	require.Contains(t, stderr.String(), "training needs MNIST's training images: WGSLAB_MNIST=")
	require.Empty(t, files(t, dir))
}

func TestTrainAskedWrongly(t *testing.T) {
	for want, args := range map[string]string{
		"0 epochs":                             "--epochs 0",
		"a batch of -1":                        "--batch -1",
		"a learning rate of NaN":               "--rate NaN",
		"--seed takes a whole number":          "--seed -1",
		"there is no network \"deep\"":         "--network deep",
		"train got 1 argument, and takes none": "now",
		"making the folder":                    "--out /dev/null/weights",
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"train"}, strings.Fields(args)...), &stdout, &stderr)
		require.Equal(t, exitAsked, code, args)
		require.Contains(t, stderr.String(), want)
	}
}
