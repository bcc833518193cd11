package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
)

// An author begins an exercise and sees what is left to do.
func TestExerciseNewAndTest(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/wgslab/wgslab\n"), 0o644))
	t.Chdir(root)

	code, _, stderr := wgslab(t, "exercise", "test", "scale-up")
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "wgslab exercise new scale-up begins one")

	code, stdout, stderr := wgslab(t, "exercise", "new", "scale-up")
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "wrote exercises/scale-up/exercise.toml\n")
	require.FileExists(t, filepath.Join(root, "exercises", "scale-up", "wrong.md"))

	code, stdout, _ = wgslab(t, "exercise", "new", "scale-up")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, "All files of scale-up exist already.")

	code, stdout, _ = wgslab(t, "exercise", "test", "scale-up")
	require.Equal(t, exitNotRight, code)
	require.Contains(t, stdout, "exercises/scale-up/exercise.toml:1: 6 TODO from here on\n")
}

func TestExerciseTestsOneOfTheCourse(t *testing.T) {
	code, stdout, stderr := wgslab(t, "exercise", "test", "hello")
	require.Equal(t, exitOK, code, stderr)
	require.Regexp(t, `^✓ hello: nothing is wrong; \d\d shaders ran\. Of \d changes to the reference, 0 pass\n$`, stdout)
}

func TestExerciseSaysHowItIsUsed(t *testing.T) {
	for _, args := range [][]string{{"nonsense"}, {"new"}, {"new", "Bad"}, {"test", "../x"}} {
		code, _, stderr := wgslab(t, append([]string{"exercise"}, args...)...)
		require.Equal(t, exitAsked, code, "%q", args)
		require.NotEmpty(t, stderr, "%q", args)
	}
	code, stdout, _ := wgslab(t, "exercise")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, "Available Commands:")
}

func TestExerciseShow(t *testing.T) {
	code, stdout, stderr := wgslab(t, "exercise", "show", "saxpy")
	require.Equal(t, exitOK, code, stderr)
	for _, part := range []string{"@group(0) @binding(0) uniform, params: ", "right: y", "hint 3: ", "── exercises/saxpy/wrong/", "✗ saxpy: not right yet"} {
		require.Contains(t, stdout, part)
	}
	code, stdout, stderr = wgslab(t, "exercise", "show", "saxpy", "wrong/no-guard")
	require.Equal(t, exitOK, code, stderr)
	want, err := exercises.Files.ReadFile("saxpy/wrong/no-guard.wgsl")
	require.NoError(t, err)
	require.Equal(t, string(want), stdout)
	for name, want := range map[string]string{
		"wrong/no-gard":  "the exercise saxpy has no wrong/no-gard; it has wrong/",
		"no-guard":       "no-guard names no solution: it is wrong/NAME, right/NAME or skeleton",
		"../wrong/local": "../wrong/local names no solution: it is wrong/NAME, right/NAME or skeleton",
	} {
		code, stdout, stderr = wgslab(t, "exercise", "show", "saxpy", name)
		require.Equal(t, exitAsked, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, want)
	}
	code, _, stderr = wgslab(t, "exercise", "show", "host-add", "wrong/no-copy")
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "wrong/no-copy is written in several languages: add .go or .js to its name")
	code, stdout, stderr = wgslab(t, "exercise", "show", "host-add", "wrong/no-copy.js")
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "async function addVectors(")
	for _, name := range []string{"host-add skeleton.js", "host-add skeleton.go", "saxpy skeleton"} {
		id, file, _ := strings.Cut(name, " ")
		code, stdout, stderr = wgslab(t, "exercise", "show", id, file)
		require.Equal(t, exitOK, code, stderr)
		require.Contains(t, stdout, "Your ", name)
	}
	code, _, stderr = wgslab(t, "exercise", "show", "saxpi")
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "there is no exercise saxpi")
}
