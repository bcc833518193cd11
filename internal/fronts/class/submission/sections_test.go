package submission

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSections(t *testing.T) {
	dir := tree{
		"monday/ada/02-add.ipynb":                    solved(t, "ada of monday", "add"),
		"monday/ben.ipynb":                           solved(t, "ben", "relu"),
		"tuesday.zip":                                tree{"ada.ipynb": solved(t, "ada of tuesday", "add")}.zip(t),
		"section 10/submitted/cleo/ps1/02-add.ipynb": solved(t, "cleo", "add"),
		"section 2/dan.ipynb":                        solved(t, "dan", "add"),
		"section 2/e - f.ipynb":                      solved(t, "e - f", "add"),
		"section 2 - e/f.ipynb":                      solved(t, "f", "add"),
		"roster.csv":                                 []byte("ada,ben"),
		".DS_Store/ghost.ipynb":                      solved(t, "ghost", "add"),
	}.write(t, t.TempDir())
	require.NoError(t, os.Mkdir(filepath.Join(dir, "wednesday"), 0o755))
	all, empty, err := CollectSections(t.Context(), []string{dir})
	require.NoError(t, err)
	require.Equal(t, []string{
		"monday - ada: add by ada of monday", "monday - ben: relu by ben",
		"section 2 - dan: add by dan", "section 2 - e - f: add by e - f",
		"section 2 - e - f (2): add by f",
		"section 10 - cleo: add by cleo", "tuesday - ada: add by ada of tuesday",
	}, summaries(all))
	require.Equal(t, []string{filepath.Join(dir, "wednesday")}, empty)
	for _, s := range all {
		requireSound(t, s)
	}
}

func TestSectionsAskedWrongly(t *testing.T) {
	for want, files := range map[string]tree{
		"is next to the sections": {"monday/ada.ipynb": solved(t, "ada", "add"), "ben.ipynb": solved(t, "ben", "add")},
		"there is no section in":  {"notes.txt": nil},
		"there is no submission":  {"monday/notes.txt": nil},
	} {
		_, _, err := CollectSections(t.Context(), []string{files.write(t, t.TempDir())})
		require.ErrorContains(t, err, want)
	}
	_, _, err := CollectSections(t.Context(), []string{filepath.Join(t.TempDir(), "nowhere")})
	require.ErrorIs(t, err, os.ErrNotExist)
}
