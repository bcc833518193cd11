package nbformat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notebook returns a notebook of code cells. Each word is an id and, after a colon, the cell's
// text.
func notebook(words string) *Notebook {
	nb := &Notebook{Metadata: map[string]any{}}
	for _, word := range strings.Fields(words) {
		id, text, _ := strings.Cut(word, ":")
		nb.Cells = append(nb.Cells, &Cell{ID: id, Type: Code, Source: text, Metadata: map[string]any{}})
	}
	return nb
}

// words is the opposite of notebook. A note is its id.
func words(nb *Notebook) string {
	var all []string
	for _, c := range nb.Cells {
		word := c.ID
		if !isNote(c) {
			word += ":" + c.Source
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

func TestNotebook(t *testing.T) {
	for _, c := range []struct{ name, base, mine, theirs, want string }{
		{"nothing changed", "a:1 b:1", "a:1 b:1", "a:1 b:1", "a:1 b:1"},
		{"the learner changed a cell", "a:1 b:1", "a:2 b:1", "a:1 b:1", "a:2 b:1"},
		{"the course changed a cell", "a:1 b:1", "a:1 b:1", "a:1 b:3", "a:1 b:3"},
		{"both changed different cells", "a:1 b:1", "a:2 b:1", "a:1 b:3", "a:2 b:3"},
		{"both made the same change", "a:1", "a:3", "a:3", "a:3"},
		{"both changed a cell", "a:1", "a:2", "a:3", "update-a a:2"},
		{"the course has a new cell", "a:1 b:1", "a:2 b:1", "a:1 n:1 b:1", "a:2 n:1 b:1"},
		{"the course dropped a cell", "a:1 b:1", "a:1 b:1", "b:1", "b:1"},
		{"the course dropped a cell that the learner changed", "a:1 b:1 c:1", "a:1 b:2 c:1", "a:1 c:1", "a:1 b:2 c:1"},
		{"the learner deleted a cell", "a:1 b:1", "b:1", "a:3 b:3", "b:3"},
		{"the learner added cells", "a:1 b:1", "x:1 a:1 y:1 z:1 b:1", "a:3 n:1 b:1", "x:1 a:3 y:1 z:1 n:1 b:1"},
		{"the cell above an added one left", "a:1 b:1", "a:1 x:1 b:1", "b:1", "x:1 b:1"},
		{"the course moved a cell", "a:1 b:1", "a:1 b:2", "b:1 a:1", "b:2 a:1"},
		{"the version before is unknown", "", "a:1 b:2", "a:1 b:1 n:1", "a:1 update-b b:2 n:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mine := notebook(c.mine)
			Merge(notebook(c.base), mine, notebook(c.theirs))
			require.Equal(t, c.want, words(mine))
		})
	}
}

// A note shows the newest version of the course once, and goes when the learner deletes it.
func TestANoteIsAboutTheLastUpdate(t *testing.T) {
	mine := notebook("a:mine b:1")
	require.Equal(t, []string{"a"}, Merge(notebook("a:1 b:1"), mine, notebook("a:2 b:1")))
	require.Contains(t, mine.Cells[0].Source, "````\n2\n````")
	require.Equal(t, []string{"a"}, Merge(notebook("a:2 b:1"), mine, notebook("a:3 b:1")))
	require.Equal(t, "update-a a:mine b:1", words(mine))
	require.Contains(t, mine.Cells[0].Source, "````\n3\n````")
	require.Empty(t, Merge(notebook("a:3 b:1"), mine, notebook("a:3 b:4")))
	require.Equal(t, "update-a a:mine b:4", words(mine), "nobody has read it yet")
	mine.Cells = mine.Cells[1:]
	require.Empty(t, Merge(notebook("a:3 b:4"), mine, notebook("a:3 b:5")))
	require.Equal(t, "a:mine b:5", words(mine))
}

// What a cell has printed stays while its text does.
func TestOutputsBelongToTheText(t *testing.T) {
	mine, theirs := notebook("a:1 b:1"), notebook("a:1 b:2")
	theirs.Cells[0].Metadata["tags"] = []any{"new"}
	for _, c := range mine.Cells {
		c.Outputs = []*Output{{}}
	}
	Merge(notebook("a:1 b:1"), mine, theirs)
	require.Len(t, mine.Cells[0].Outputs, 1)
	require.True(t, mine.Cells[0].HasTag("new"))
	require.Empty(t, mine.Cells[1].Outputs)
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, write(path, []byte(text)))
}

func writeNotebook(t *testing.T, path, words string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, notebook(words).Write(path))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// A course of a notebook, a text and a picture is copied, worked in and updated twice.
func TestFolder(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "lessons")
	lesson := filepath.Join("beyond", "train.ipynb")
	writeNotebook(t, filepath.Join(from, lesson), "a:1 b:1")
	writeText(t, filepath.Join(from, "TUTOR.md"), "rules")
	writeText(t, filepath.Join(from, "images", "a.svg"), "<svg/>")
	writeText(t, filepath.Join(from, "work", readme), "your shaders")
	writeText(t, filepath.Join(from, "work", "add.wgsl"), "written before there were copies")
	writeText(t, filepath.Join(from, ".ipynb_checkpoints", "x.ipynb"), "")

	report, err := Folder(from, to)
	require.NoError(t, err)
	require.True(t, report.Made)
	require.Equal(t, []string{"TUTOR.md", "beyond/train.ipynb", "images/a.svg", "work/README.md"}, report.Updated)
	require.Equal(t, "written before there were copies", read(t, filepath.Join(to, "work", "add.wgsl")))
	require.NoDirExists(t, filepath.Join(to, ".ipynb_checkpoints"))

	report, err = Folder(from, to)
	require.NoError(t, err)
	require.Equal(t, &FolderUpdate{Both: map[string][]string{}}, report, "nothing to do")

	writeNotebook(t, filepath.Join(to, lesson), "a:mine x:added b:1")
	writeText(t, filepath.Join(to, "work", "add.wgsl"), "mine")
	writeText(t, filepath.Join(to, "TUTOR.md"), "my rules")
	writeNotebook(t, filepath.Join(from, lesson), "a:2 b:2")
	writeText(t, filepath.Join(from, "TUTOR.md"), "new rules")
	writeText(t, filepath.Join(from, "images", "a.svg"), "<svg>new</svg>")
	report, err = Folder(from, to)
	require.NoError(t, err)
	require.Equal(t, []string{"beyond/train.ipynb", "images/a.svg"}, report.Updated)
	require.Equal(t, map[string][]string{"beyond/train.ipynb": {"a"}, "TUTOR.md": nil}, report.Both)
	nb, err := Read(filepath.Join(to, lesson))
	require.NoError(t, err)
	require.Equal(t, "update-a a:mine x:added b:2", words(nb))
	require.Equal(t, "my rules", read(t, filepath.Join(to, "TUTOR.md")))
	require.Equal(t, "<svg>new</svg>", read(t, filepath.Join(to, "images", "a.svg")))
	require.Equal(t, "mine", read(t, filepath.Join(to, "work", "add.wgsl")))

	require.NoError(t, os.Remove(filepath.Join(to, lesson)))
	report, err = Folder(from, to)
	require.NoError(t, err)
	require.Equal(t, []string{"beyond/train.ipynb"}, report.Updated, "deleted: a fresh one")
}

// A copy that is no notebook any more stays as it is, and doesn't keep the others from their
// update.
func TestAFolderWithABrokenNotebook(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for _, name := range []string{"1.ipynb", "2.ipynb"} {
		writeNotebook(t, filepath.Join(from, name), "a:1")
	}
	_, err := Folder(from, to)
	require.NoError(t, err)
	writeText(t, filepath.Join(to, "1.ipynb"), "{")
	for _, name := range []string{"1.ipynb", "2.ipynb"} {
		writeNotebook(t, filepath.Join(from, name), "a:2")
	}
	report, err := Folder(from, to)
	require.NoError(t, err)
	require.Equal(t, []string{"2.ipynb"}, report.Updated)
	require.Len(t, report.Trouble, 1)
	require.ErrorContains(t, report.Trouble[0], "move it away, and you get the course's")
	require.Equal(t, "{", read(t, filepath.Join(to, "1.ipynb")))
}
