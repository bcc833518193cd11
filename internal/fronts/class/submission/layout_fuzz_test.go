package submission

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostNames is how many files FuzzLayouts hands in at most.
const mostNames = 12

// FuzzLayouts hands in files with any names, one a line: as a folder, as a zip, and as a zip beside
// an honest student. Each student is there once, and each notebook is read or missed aloud.
//
//	go test ./internal/fronts/class/submission -fuzz FuzzLayouts -fuzztime 1m -fuzzminimizetime 1x
func FuzzLayouts(f *testing.F) {
	for _, names := range []string{
		"alice.ipynb\nbob.ipynb\nnotes.txt", "alice/02-add.ipynb\nbob/02-add.ipynb\nBOB/02-add.ipynb",
		"02-add.ipynb\n03-matmul.ipynb\nspare.zip", "alice.zip\nbob/hw/work.zip\n=cmd.zip\ncon.ipynb",
		"submitted/alice/ps1/02-add.ipynb\nsubmitted/bob/ps1/x.ipynb\nrelease/ps1/02-add.ipynb",
		"doejane_LATE_12345_678910_02-add.ipynb\nanon_Ab1cD_678915_02-add.ipynb",
		"Jane Doe_1_assignsubmission_file_/x.ipynb\nJane Doe_2_assignsubmission_file_/x.ipynb",
		"L_jdoe3_attempt_2024-03-02-10-20-30.txt\nL_jdoe3_attempt_2024-03-02-10-20-30_x.ipynb",
		"12345-67890 - Al - Mar 9, 2024 1020 AM/x.ipynb\n12345-67891 - Al - Mar 9, 2024 1020 AM/x.zip",
		"class/alice/x.ipynb\nclass/bob/x.ipynb\n__MACOSX/class/alice/x.ipynb\nclass/.git/x.ipynb",
		"../alice.ipynb\n/etc/x.ipynb\nC:\\x.ipynb\n..\\bob.ipynb\na/../../b.ipynb\nx\x00.ipynb",
		"M\x81ller.ipynb\nMu\u0308ller.ipynb\nM\u00fcller.ipynb", "\u202egpj.ipynb\n<b>.ipynb\n .ipynb\n..ipynb",
	} {
		f.Add(names)
	}
	f.Fuzz(func(t *testing.T, names string) {
		lines := strings.Split(names, "\n")
		lines = lines[:min(len(lines), mostNames)]
		dir := t.TempDir()
		folder, class := filepath.Join(dir, "class"), filepath.Join(dir, "class.zip")
		honest := filepath.Join(dir, "alice.ipynb")
		require.NoError(t, os.Mkdir(folder, 0o755))
		onDisk, zipped := tree{}, tree{}
		for i, name := range lines {
			if place := possible(name); place != "" && onDisk.fits(folder, place, contents(t, i, place)) {
				onDisk[place] = contents(t, i, place)
			}
			if name = strings.TrimRight(name, "/"); name != "" {
				zipped[name] = contents(t, i, name)
			}
		}
		require.NoError(t, os.WriteFile(class, zipped.zip(t), 0o644))
		require.NoError(t, os.WriteFile(honest, solved(t, "alice", "add"), 0o644))
		requireKept(t, onDisk, requireClass(t, folder))
		requireKept(t, zipped, requireClass(t, class))
		beside := requireClass(t, class, honest)
		require.True(t, slices.ContainsFunc(beside, func(s Submission) bool {
			return strings.HasPrefix(s.Student, "alice") && slices.Contains(s.Files, "alice.ipynb")
		}), "the honest student is there")
	})
}

// contents returns what the file with a number and a name holds.
func contents(t *testing.T, number int, name string) []byte {
	t.Helper()
	who := fmt.Sprint(number)
	switch {
	case isNotebook(name):
		return solved(t, who, "add")
	case isZip(name):
		inside := tree{"02-add.ipynb": solved(t, who, "add"), who + "/x.ipynb": solved(t, who, "relu")}
		return inside.zip(t)
	}
	return []byte("notes")
}

// possible returns the part of a name that a file below a folder can have, or "".
func possible(name string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.ReplaceAll(name, "\x00", ""), "/") {
		if part != "" && part != "." && part != ".." {
			parts = append(parts, part[:min(len(part), 100)])
		}
	}
	return strings.Join(parts[:min(len(parts), 8)], "/")
}

// fits writes a file, and reports whether it has a place beside those that are there.
func (files tree) fits(dir, name string, data []byte) bool {
	if _, taken := files[name]; taken {
		return false
	}
	place := filepath.Join(dir, filepath.FromSlash(name))
	return os.MkdirAll(filepath.Dir(place), 0o755) == nil && os.WriteFile(place, data, 0o644) == nil
}

// requireKept checks that each notebook was read, unless a submission says that something wasn't.
// What is beside nbgrader's folder submitted, and what programs leave behind, isn't handed in.
func requireKept(t *testing.T, files tree, all []Submission) {
	t.Helper()
	want, got, missed := 0, 0, false
	for name := range files {
		parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' })
		switch {
		case slices.Contains(parts, submitted):
			return
		case skipped(parts):
		case isNotebook(name):
			want++
		case isZip(name):
			want += 2
		}
	}
	for _, s := range all {
		got, missed = got+len(s.Files), missed || s.Unread
		for id, shader := range s.Shaders {
			require.Contains(t, shader.Source, "// by ", id)
		}
	}
	require.LessOrEqual(t, got, want)
	require.True(t, got == want || missed, "%d of %d notebooks were read, with no reason", got, want)
}
