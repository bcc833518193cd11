//go:build acceptance && unix

package acceptance

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// A grading is what a run of wgslab grade leaves: the table and the pages, byte by byte.
type grading map[string]string

// A grader grades one class with one seed.
type grader struct {
	built
	program string
}

// grade grades into a new folder with the options, as a table in each of the formats.
func (g grader) grade(t *testing.T, name string, options ...string) grading {
	t.Helper()
	all := grading{}
	for _, format := range []string{"csv", "json"} {
		said, code := g.run(t, g.program, g.arguments(name, format, options...)...)
		require.Zero(t, code, "%s", said)
	}
	all.keep(t, filepath.Join(g.dir, name))
	require.Contains(t, all, "grades.csv")
	require.Contains(t, all, "grades.json")
	return all
}

func (g grader) arguments(name, format string, options ...string) []string {
	return append([]string{
		"grade", "submissions", "--seed", "7", "--engine", "simulator", "--format", format,
		"-o", filepath.Join(name, "grades."+format), "--feedback", filepath.Join(name, "feedback"),
	}, options...)
}

// keep reads all files below a folder.
func (all grading) keep(t *testing.T, folder string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		all[name] = lab.Read(t, path)
		return err
	}))
}

// requireSame compares two gradings line by line: their pages are long.
func requireSame(t *testing.T, want, got grading) {
	t.Helper()
	require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	for name, text := range want {
		others := strings.Split(got[name], "\n")
		for i, line := range strings.Split(text, "\n") {
			require.Less(t, i, len(others), "%s ends early", name)
			require.Equal(t, line, others[i], "%s, line %d", name, i+1)
		}
		require.Equal(t, len(text), len(got[name]), "%s", name)
	}
}

// handInMistakes writes lesson 2 of students who each make another mistake in every exercise. One
// of their shaders never ends.
func handInMistakes(t *testing.T, dir string) {
	t.Helper()
	for i, student := range []string{"ada", "barbara", "edsger", "grace"} {
		nb := lab.Notebook(t, filepath.Join(lab.Root(t), "notebooks", "02-add.ipynb"))
		for _, cell := range nb.Cells {
			if id, ok := strings.CutSuffix(cell.ID, "-shader"); ok {
				handInMistake(t, id, i, cell)
			}
		}
		folder := filepath.Join(dir, student)
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, nb.Write(filepath.Join(folder, "02-add.ipynb")))
	}
}

func handInMistake(t *testing.T, id string, student int, cell *nbformat.Cell) {
	t.Helper()
	wrong := lab.Shaders(t, "exercises", id, "wrong")
	source := lab.Read(t, wrong[(3+7*student)%len(wrong)])
	e, err := course.Find(id)
	require.NoError(t, err)
	switch {
	case student == 0:
		reference, err := e.Reference()
		require.NoError(t, err)
		source = reference.Text
	case student == 3 && id == "vector-add":
		source = lab.EndlessAdd(t)
	}
	require.NoError(t, cell.SetFileBody(source))
}

// interrupt starts a grading run, ends it as Ctrl-C does once some verdicts are in its journal, and
// returns the journal.
func (g grader) interrupt(t *testing.T, name string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, g.program, g.arguments(name, "csv", "-j", "1")...)
	program.Dir, program.Env = g.dir, g.env
	var said bytes.Buffer
	program.Stderr = &said
	require.NoError(t, program.Start())
	journal := filepath.Join(g.dir, name, "grades.csv.journal")
	const begun = 4 // the conditions and three verdicts
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(journal)
		return err == nil && len(strings.Fields(string(text))) >= begun
	}, 2*time.Minute, 2*time.Millisecond)
	require.NoError(t, program.Process.Signal(syscall.SIGINT))
	_ = program.Wait()
	require.Equal(t, 130, program.ProcessState.ExitCode(), "%s", said.String())
	require.NoFileExists(t, filepath.Join(g.dir, name, "grades.csv"))
	return journal
}

// One machine, several, one that was interrupted, and a newer program leave the same tables and
// pages. A journal that another program or other exercises began is refused, and says why.
func TestGradingsAreTheSameByteForByte(t *testing.T) {
	b := buildWgslab(t)
	g := grader{b, filepath.Join(b.dir, "bin", "wgslab")}
	handInMistakes(t, filepath.Join(b.dir, "submissions"))
	for _, name := range []string{"whole", "resumed", "upgraded", "merged"} {
		require.NoError(t, os.Mkdir(filepath.Join(b.dir, name), 0o755))
	}
	whole := g.grade(t, "whole")
	require.Greater(t, len(whole), 2+4, "two tables, and a page for each student")
	require.Contains(t, whole["grades.json"], "did-not-finish")

	journal := g.interrupt(t, "resumed")
	begun, err := os.ReadFile(journal)
	require.NoError(t, err)
	// The run in the other format has been interrupted at the same place.
	require.NoError(t, os.WriteFile(strings.Replace(journal, "csv", "json", 1), begun, 0o644))
	requireSame(t, whole, g.grade(t, "resumed"))

	g.requireRefused(t, begun, whole)
	g.requireShards(t, whole)
}

// requireRefused continues a journal with other exercises and with a newer program.
func (g grader) requireRefused(t *testing.T, begun []byte, whole grading) {
	t.Helper()
	journal := filepath.Join(g.dir, "upgraded", "grades.csv.journal")
	require.NoError(t, os.WriteFile(journal, begun, 0o644))
	program, err := os.ReadFile(g.program)
	require.NoError(t, err)
	newer := grader{g.built, filepath.Join(g.dir, "bin", "newer")}
	require.NoError(t, os.WriteFile(newer.program, append(program, 0), 0o755))
	pack := filepath.Join(t.TempDir(), "exercises")
	add := os.DirFS(filepath.Join(lab.Root(t), "exercises", "add"))
	require.NoError(t, os.CopyFS(filepath.Join(pack, "my-add"), add))
	others := grader{built{g.dir, append(g.env, course.PackVariable+"="+pack)}, g.program}
	for name, other := range map[string]grader{"a newer program": newer, "other exercises": others} {
		said, code := other.run(t, other.program, other.arguments("upgraded", "csv")...)
		require.Equal(t, 2, code, "%s: %s", name, said)
		require.Contains(t, said, "cannot continue the journal", name)
		require.Contains(t, said, "is from another version of wgslab or other exercises", name)
		require.Contains(t, said, "name another output, or remove that journal", name)
		after, err := os.ReadFile(journal)
		require.NoError(t, err)
		require.Equal(t, begun, after, "%s: the journal stays", name)
	}
	require.NoError(t, os.Remove(journal))
	requireSame(t, whole, newer.grade(t, "upgraded"))
}

// requireShards grades in three parts, and merges them.
func (g grader) requireShards(t *testing.T, whole grading) {
	t.Helper()
	var parts []string
	for _, index := range []string{"2", "0", "1"} {
		part := "part-" + index + ".json"
		said, code := g.run(t, g.program, "grade", "submissions", "--seed", "7", "--engine", "simulator",
			"--format", "json", "--shard", index+"/3", "-o", part)
		require.Zero(t, code, "%s", said)
		parts = append(parts, part)
	}
	merged := grading{}
	for _, format := range []string{"csv", "json"} {
		out := filepath.Join("merged", "grades."+format)
		merge := append([]string{"grade", "--merge", "--format", format, "-o", out}, parts...)
		said, code := g.run(t, g.program, merge...)
		require.Zero(t, code, "%s", said)
	}
	merged.keep(t, filepath.Join(g.dir, "merged"))
	tables := grading{"grades.csv": whole["grades.csv"], "grades.json": whole["grades.json"]}
	requireSame(t, tables, merged)
}
