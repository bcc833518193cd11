package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// names lists what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteReplacesAFileAndLeavesNothingElse(t *testing.T) {
	for name, write := range map[string]func(string, []byte, os.FileMode) error{"Write": Write, "WriteUnsynced": WriteUnsynced} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "Übung eins")
			require.NoError(t, os.Mkdir(dir, 0o755))
			path := filepath.Join(dir, "a file.txt")
			require.NoError(t, write(path, []byte("old"), 0o644))
			if runtime.GOOS != "windows" { // which knows only read-only files
				require.NoError(t, os.Chmod(path, 0o640))
			}
			require.NoError(t, write(path, []byte("new"), 0o644))
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, "new", string(data))
			if runtime.GOOS != "windows" {
				info, err := os.Stat(path)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o640), info.Mode().Perm(), "an existing file keeps its permissions")
			}
			require.Equal(t, []string{"a file.txt"}, names(t, dir))
			require.Error(t, write(filepath.Join(dir, "missing", "b.txt"), nil, 0o644))
		})
	}
}

// If one of several files can't be written, none changes.
func TestWriteAllWritesAllOrNone(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(first, []byte("old"), 0o644))
	err := WriteAll(map[string][]byte{first: []byte("new"), filepath.Join(dir, "missing", "b.txt"): nil}, 0o644)
	require.ErrorContains(t, err, "b.txt")
	data, err := os.ReadFile(first)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))
	require.Equal(t, []string{"a.txt"}, names(t, dir))
}
