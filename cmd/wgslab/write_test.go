package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/gpt"
)

// The program is not built for the race detector, under which its simulator takes two minutes.
func TestWriteGoesOnWithYourWords(t *testing.T) {
	program := buildCommand(t)
	t.Chdir(t.TempDir())
	t.Setenv(gpu.EngineVariable, "simulator") // a CPU adapter takes 20 s to compile fused/write
	reference, err := exercises.Reference("append")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll("work", 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("work", "append.wgsl"), []byte(reference), 0o644))
	written := map[string]string{}
	for way, whose := range map[string]string{
		"":        "yours for append; the references for the others",
		"--anew":  "the references, because none of yours is right yet",
		"--fused": "the course's own",
	} {
		var stdout, stderr bytes.Buffer
		arguments := append([]string{"write", "Emma wa", "--letters", "12", "--temperature", "0.3", "--seed", "4"}, strings.Fields(way)...)
		command := exec.CommandContext(t.Context(), program, arguments...)
		command.Stdout, command.Stderr = &stdout, &stderr
		require.NoError(t, command.Run(), "%s", &stderr)
		require.Regexp(t, `^12 letters in \S+, \d+ per second, on .*, with seed 4\. Shaders: `, stderr.String())
		require.Contains(t, stderr.String(), whose)
		written[way] = stdout.String()
	}
	require.True(t, strings.HasPrefix(written[""], "Emma was "), written[""])
	require.Equal(t, written[""], written["--anew"], "with or without the cache")
	require.Equal(t, written[""], written["--fused"])
}

func TestWriteAskedWrongly(t *testing.T) {
	for want, args := range map[string][]string{
		"does not know 'ë'":                  {"Zoë"},
		"the beginning is empty":             {""},
		"--letters is 0":                     {"a", "--letters", "0"},
		"would have 1025 letters":            {"a", "--letters", "1024"},
		"--temperature is 0":                 {"a", "--temperature", "0"},
		"--temperature is NaN":               {"a", "--temperature", "NaN"},
		"leave out --anew or --fused":        {"a", "--anew", "--fused"},
		"write got no argument":              {},
		"--seed takes a whole number from 0": {"a", "--seed", "-1"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitAsked, run(t.Context(), append([]string{"write"}, args...), &stdout, &stderr), want)
		require.Contains(t, stderr.String(), want)
		require.Empty(t, stdout.String())
	}
}

// Ctrl-C ends it at once; what was written stays.
func TestWriteIsInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(gpu.EngineVariable, "simulator")
	ctx, interrupt := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	stdout := &interrupting{interrupt: interrupt}
	require.Equal(t, exitInterrupted, run(ctx, []string{"write", "It is", "--fused", "--letters", "900"}, stdout, &stderr))
	require.Contains(t, stdout.String(), "It is")
	require.Less(t, len(stdout.String()), 100)
}

// interrupting interrupts when a few letters are there.
type interrupting struct {
	bytes.Buffer
	interrupt func()
}

func (i *interrupting) Write(p []byte) (int, error) {
	if i.Len() > 10 {
		i.interrupt()
	}
	return i.Buffer.Write(p)
}

// The card that ships describes the weights that ship, and the default settings.
func TestShippedLettersCard(t *testing.T) {
	card, err := os.ReadFile("../../weights/" + lettersCard)
	require.NoError(t, err)
	w, err := gpt.Trained()
	require.NoError(t, err)
	require.Contains(t, string(card), "`"+lettersModelCard{training: gpt.DefaultTraining()}.command()+"`")
	require.Contains(t, string(card), "454,752 numbers")
	require.Equal(t, 454_752, w.Parameters().Count())
	encoded, err := os.Stat("../../weights/" + gpt.WeightsFile)
	require.NoError(t, err)
	require.Less(t, encoded.Size(), int64(1_000_000))
}

func TestTrainLettersAskedWrongly(t *testing.T) {
	short := filepath.Join(t.TempDir(), "short.txt")
	require.NoError(t, os.WriteFile(short, []byte("Once."), 0o644))
	for want, args := range map[string]string{
		"name its file with --text FILE":     "",
		"reading the text: open /none.txt":   "--text /none.txt",
		"a text of 6 letters has -1 samples": "--text " + short,
		"0 epochs":                           "--epochs 0 --text " + short,
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"train", "--network", "letters"}, strings.Fields(args)...), &stdout, &stderr)
		require.Equal(t, exitAsked, code, stderr.String())
		require.Contains(t, stderr.String(), want)
	}
}
