//go:build acceptance

package acceptance

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// The commands of docs/instructors.md on wgslab grade run as written, on a small class.
func TestWgslabGradesAClass(t *testing.T) {
	shell := newInstructor(t)
	submissions := filepath.Join(shell.dir, "handed-in")
	handInFor(t, filepath.Join(submissions, "Ada Lovelace"), everythingRight)
	handInFor(t, filepath.Join(submissions, "Ben"), func(*testing.T, string, *nbformat.Cell) {})
	handInFor(t, filepath.Join(submissions, "Cleo"), func(t *testing.T, id string, cell *nbformat.Cell) {
		switch id {
		case "hello", "add":
			everythingRight(t, id, cell)
		case "matmul":
			require.NoError(t, cell.SetFileBody("this is no WGSL <b>"))
		}
	})
	for _, block := range shellBlocks(t, "With wgslab grade") {
		shell.run(t, block)
	}

	points := 0
	for _, e := range append(course.All(), course.OnHost...) {
		if e.IsBeyond() {
			continue // nobody hands them in
		}
		points += e.Points
	}
	want := map[string]float64{"Ada Lovelace": float64(points), "Ben": 0, "Cleo": 2}
	require.Equal(t, want, pointsInCSV(t, filepath.Join(shell.dir, "grades.csv")))
	require.Equal(t, want, pointsInJSON(t, filepath.Join(shell.dir, "grades.json")))
	require.Equal(t, want, pointsInCSV(t, filepath.Join(shell.dir, "merged.csv")))
	require.NoFileExists(t, filepath.Join(shell.dir, "grades.csv.journal"))

	pages, err := filepath.Glob(filepath.Join(shell.dir, "feedback", "*.html"))
	require.NoError(t, err)
	require.Len(t, pages, 4, "one for each student, and the index")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.NotContains(t, string(text), "<b>", "%s: what a student writes is text", page)
		if strings.Contains(filepath.Base(page), "Cleo") {
			require.Contains(t, string(text), "this is no WGSL &lt;b&gt;")
		}
	}
}

// The commands of docs/instructors.md on exercises of one's own, from an empty folder to a graded
// class of three.
func TestExercisesOfOnesOwn(t *testing.T) {
	shell := newInstructor(t)
	folder := filepath.Join(shell.dir, "reversing")
	blocks := shellBlocks(t, "Exercises of your own")
	for _, block := range blocks[:len(blocks)-1] {
		shell.run(t, block)
	}
	read := func(name string) string { return lab.Read(t, filepath.Join(folder, "exercises", "reverse", name)) }
	wrong, err := exercises.Unfold(os.DirFS(filepath.Join(folder, "exercises"))).ReadFile("reverse/wrong/within-the-workgroup.wgsl")
	require.NoError(t, err)
	for student, source := range map[string]string{
		"Ada": read("reference.wgsl"), "Ben": string(wrong), "Cleo": read("skeleton.wgsl"),
	} {
		nb := lab.Notebook(t, filepath.Join(folder, "reverse.ipynb"))
		for _, cell := range nb.Cells {
			if cell.ID == "reverse-shader" {
				require.NoError(t, cell.SetFileBody(source))
			}
		}
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "handed-in", student), 0o755))
		require.NoError(t, nb.Write(filepath.Join(folder, "handed-in", student, "reverse.ipynb")))
	}
	shell.run(t, blocks[len(blocks)-1])
	require.Equal(t, map[string]float64{"Ada": 2, "Ben": 1, "Cleo": 0}, pointsInCSV(t, filepath.Join(folder, "grades.csv")))
	pages, err := filepath.Glob(filepath.Join(folder, "feedback", "*Ben*.html"))
	require.NoError(t, err)
	require.Len(t, pages, 1)
	ben := lab.Read(t, pages[0])
	require.Contains(t, ben, "Each group of 64 elements is reversed")
	require.Contains(t, ben, "reverse")
	solved := lab.Notebook(t, filepath.Join(shell.dir, "own-course", "source", "wgslab", "reverse.ipynb"))
	body, ok := solved.Cells[1].WrittenFile()
	require.True(t, ok)
	require.Contains(t, body.Body, "x[arrayLength(&x) - 1u - i]")
	handedOut := filepath.Join(shell.dir, "own-course", "release", "wgslab")
	require.NotContains(t, lab.Read(t, filepath.Join(handedOut, "reverse.ipynb")), "1u - i")
	require.FileExists(t, filepath.Join(handedOut, "exercises", "reverse", "reference.wgsl"))
	tried := lab.Read(t, filepath.Join(folder, "tried.ipynb"))
	require.Contains(t, tried, "Nothing is written yet: `out` is as it was before the run.", "the kernel knows the exercise")
}

func everythingRight(t *testing.T, id string, cell *nbformat.Cell) {
	if i := slices.IndexFunc(course.OnHost, func(e *course.Exercise) bool { return e.ID == id }); i >= 0 {
		program, err := course.OnHost[i].ReferenceCell()
		require.NoError(t, err)
		cell.Source = program
		return
	}
	exercise, err := course.Find(id)
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	require.NoError(t, cell.SetFileBody(reference.Text))
}

// handInFor writes the notebooks of the eight lessons of one student.
func handInFor(t *testing.T, dir string, write func(t *testing.T, id string, cell *nbformat.Cell)) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, l := range course.Lessons {
		nb := lab.Notebook(t, filepath.Join(lab.Root(t), "notebooks", l.Notebook))
		for _, cell := range nb.Cells {
			if id, ok := lab.AnswerOf(cell); ok {
				write(t, id, cell)
			}
		}
		require.NoError(t, nb.Write(filepath.Join(dir, l.Notebook)))
	}
}

func pointsInCSV(t *testing.T, path string) map[string]float64 {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"student", "points", "max_points"}, rows[0][:3])
	points := map[string]float64{}
	for _, row := range rows[1:] {
		var p float64
		require.NoError(t, json.Unmarshal([]byte(row[1]), &p))
		points[row[0]] = p
	}
	return points
}

func pointsInJSON(t *testing.T, path string) map[string]float64 {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var table struct {
		Seed        uint64
		Submissions []struct {
			Student string
			Points  float64
		}
	}
	require.NoError(t, json.Unmarshal(data, &table))
	require.Equal(t, uint64(7), table.Seed)
	points := map[string]float64{}
	for _, s := range table.Submissions {
		points[s.Student] = s.Points
	}
	return points
}
