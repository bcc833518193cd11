package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// acceptance/nbgrader_test.go tests the output of Release with the real nbgrader. This test covers
// its errors, which must leave all files unchanged.
func TestReleaseRefuses(t *testing.T) {
	taken := t.TempDir()
	gradebook := filepath.Join(taken, "gradebook.db")
	require.NoError(t, os.WriteFile(gradebook, []byte("points"), 0o644))
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a course is there": {[]string{taken}, "never overwrites a course with its gradebook: choose another folder"},
		"a file is there":   {[]string{gradebook}, "is not a folder"},
		"no parent":         {[]string{filepath.Join(taken, "no", "course")}, "make it first"},
		"a name with a blank": {[]string{filepath.Join(taken, "course"), "--course", "GPU course"},
			`"GPU course" cannot be the name of a course`},
		"no folder named": {nil, "release got no argument, and takes DIR"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), append([]string{"release"}, test.args...), &stdout, &stderr)
			require.Equal(t, exitAsked, code)
			require.Contains(t, stderr.String(), test.want)
			require.Empty(t, stdout.String())
		})
	}
	entries, err := os.ReadDir(taken)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing was added")
	kept, err := os.ReadFile(gradebook)
	require.NoError(t, err)
	require.Equal(t, "points", string(kept))
}
