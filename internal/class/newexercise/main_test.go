package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/notebook/repository"
)

// TestNothingIsMissing checks every exercise, and every file that looks like an unregistered one.
func TestNothingIsMissing(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	ids := map[string]bool{}
	for _, e := range course.All() {
		ids[e.ID] = true
	}
	folders, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(file{where: skeletonOf}.path("*"))))
	require.NoError(t, err)
	for _, path := range folders {
		ids[filepath.Base(filepath.Dir(path))] = true
	}
	references, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(file{where: referenceOf}.path("*"))))
	require.NoError(t, err)
	for _, path := range references {
		ids[strings.TrimSuffix(filepath.Base(path), ".wgsl")] = true
	}
	require.NotEmpty(t, folders)
	require.NotEmpty(t, references)
	for id := range ids {
		gaps, err := missing(root, id)
		require.NoError(t, err)
		for _, gap := range gaps {
			t.Errorf("%s: %s", id, gap)
		}
	}
}

// begin writes the files, and reports each open task until it is done.
func TestBegin(t *testing.T) {
	root := t.TempDir()
	var out bytes.Buffer
	require.NoError(t, begin(root, "scale-up", &out))
	for _, want := range []string{
		"wrote exercises/scale-up/exercise.toml\n", "wrote exercises/scale-up/hints.md\n", "wrote shaders/scale-up.wgsl\n", "wrote exercises/scale-up/skeleton.wgsl\n",
		"internal/course/lesson.go: add \"scale-up\" to the list `ids`",
		"exercises/scale-up/exercise.toml: 5 TODO in it",
		"exercises/scale-up/right: 1 of at least 4 right shaders",
		"exercises/scale-up/wrong: 1 of at least 6 wrong shaders",
	} {
		require.Contains(t, out.String(), want)
	}
	mine := filepath.Join(root, "shaders", "scale-up.wgsl")
	require.NoError(t, os.WriteFile(mine, []byte("@compute // mine"), 0o644))
	out.Reset()
	require.NoError(t, begin(root, "scale-up", &out))
	require.NotContains(t, out.String(), "wrote", "a file that is there stays")
	require.NotContains(t, out.String(), "shaders/scale-up.wgsl")

	require.NoError(t, os.WriteFile(filepath.Join(root, "exercises/scale-up/wrong/local-id.wgsl"), []byte("fn main() {}"), 0o644))
	out.Reset()
	require.NoError(t, begin(root, "scale-up", &out))
	require.Contains(t, out.String(), "wrong/local-id.wgsl: its first line is not // diagnosis: SLUG")
}

// If a part of an exercise is removed, the report names it.
func TestMissingNamesTheGap(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	gaps, err := missing(t.TempDir(), "relu")
	require.Error(t, err, "there is no notebook")
	require.Contains(t, gaps, "shaders/relu.wgsl: it holds the reference shader, which reads like the explanation")
	gaps, err = missing(root, "no-such-exercise")
	require.NoError(t, err)
	require.Contains(t, strings.Join(gaps, "\n"), "add \"no-such-exercise\" to the list `ids`")
}

func TestIDs(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}, {"Vector"}, {"a_b"}, {"../x"}, {"-x"}, {"x--y"}} {
		require.ErrorContains(t, run(args, &bytes.Buffer{}), "give one exercise", "%q", args)
	}
}
