package submission

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// shaderBy returns a text that names its author. Nothing here compiles it.
func shaderBy(who string) string {
	return "// by " + who + "\n@compute @workgroup_size(64)\nfn main() {}"
}

// solved returns a notebook in which a student wrote the exercises with the given ids.
func solved(t testing.TB, who string, ids ...string) []byte {
	t.Helper()
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{{Type: nbformat.Markdown, Source: "# A lesson"}}}
	for _, id := range ids {
		nb.Cells = append(nb.Cells, &nbformat.Cell{
			ID: id + "-shader", Type: nbformat.Code, Source: "%%writefile work/" + id + ".wgsl\n" + shaderBy(who),
		})
	}
	data, err := nb.Encode()
	require.NoError(t, err)
	return data
}

// A tree is the contents of a folder or zip, by path.
type tree map[string][]byte

func (files tree) write(t testing.TB, dir string) string {
	t.Helper()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	return dir
}

func (files tree) zip(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write(files[name])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// summary formats a submission as one line: the student, then each exercise with the author that
// its shader names. Shaders that name none are left out.
func summary(s Submission) string {
	var shaders []string
	for id, shader := range s.Shaders {
		first, _, _ := strings.Cut(shader.Source, "\n")
		if by, ok := strings.CutPrefix(first, "// by "); ok {
			shaders = append(shaders, id+" by "+by)
		}
	}
	slices.Sort(shaders)
	return s.Student + ": " + strings.Join(shaders, ", ")
}

func summaries(all []Submission) []string {
	lines := make([]string, len(all))
	for i, s := range all {
		lines[i] = summary(s)
	}
	return lines
}

// A layout is how a class hands in, and whose each shader is.
type layout struct {
	files tree
	paths []string // "." if empty
	want  []string // summaries
}

// check collects the class twice. Only if a later attempt replaces an earlier one may there be a
// remark.
func (l layout) check(t *testing.T, replaces bool) {
	t.Helper()
	t.Chdir(l.files.write(t, t.TempDir()))
	paths := l.paths
	if paths == nil {
		paths = []string{"."}
	}
	all, err := Collect(t.Context(), paths)
	require.NoError(t, err)
	require.Equal(t, l.want, summaries(all))
	for _, s := range all {
		if len(s.Files) == 0 {
			require.Equal(t, []string{"The submission has no notebook (.ipynb)."}, s.Problems)
		} else if !replaces {
			require.Empty(t, s.Problems, s.Student)
		}
	}
	again, err := Collect(t.Context(), paths)
	require.NoError(t, err)
	require.Equal(t, all, again)
}

func TestLayouts(t *testing.T) {
	nb := func(who string, ids ...string) []byte { return solved(t, who, ids...) }
	class := tree{"alice/02-add.ipynb": nb("alice", "add"), "bob/02-add.ipynb": nb("bob", "add")}
	both := []string{"alice: add by alice", "bob: add by bob"}
	for name, c := range map[string]layout{
		"a notebook each": {
			tree{"alice.ipynb": nb("alice", "add", "relu"), "bob.ipynb": nb("bob", "add"), "notes.txt": nil},
			nil, []string{"alice: add by alice, relu by alice", "bob: add by bob"},
		},
		"notebooks by themselves": {
			tree{"alice.ipynb": nb("alice", "add"), "bob.ipynb": nb("bob", "add")},
			[]string{"alice.ipynb", "bob.ipynb"}, both,
		},
		"the same twice": {
			tree{"alice.ipynb": nb("alice", "add"), "bob.ipynb": nb("bob", "add")},
			[]string{".", "alice.ipynb", "./alice.ipynb"}, []string{"alice: add by alice", "bob: add by bob"},
		},
		"a pattern": {
			tree{"alice.ipynb": nb("alice", "add"), "bob.ipynb": nb("bob", "add"), ".hidden.ipynb": nb("hidden", "add"), "c.txt": nil},
			[]string{"*.ipynb"}, both,
		},
		"a pattern of folders": {class, []string{"*"}, both},
		"a pattern of the course's notebooks": {
			class, []string{"*/02-add.ipynb"}, both,
		},
		"a pattern with an assignment in between": {
			tree{"alice/hw/02-add.ipynb": nb("alice", "add"), "bob/hw/02-add.ipynb": nb("bob", "add")},
			[]string{"*/hw/02-add.ipynb"}, both,
		},
		"a pattern of folders of the same name": {
			tree{"alice/hw/x.ipynb": nb("alice", "add"), "bob/hw/x.ipynb": nb("bob", "add")},
			[]string{"*/hw"}, both,
		},
		"a pattern of zips of the same name": {
			tree{"alice/hw.zip": tree{"x.ipynb": nb("alice", "add")}.zip(t), "bob/hw.zip": tree{"x.ipynb": nb("bob", "add")}.zip(t)},
			[]string{"*/hw.zip"}, both,
		},
		"a pattern of notebooks of the same name": {
			tree{"alice/x.ipynb": nb("alice", "add"), "bob/x.ipynb": nb("bob", "add")},
			[]string{"*/x.ipynb"}, both,
		},
		"the eight notebooks of one": {
			tree{"alice/02-add.ipynb": nb("alice", "add"), "alice/04-relu.ipynb": nb("alice", "relu")},
			[]string{"alice/02-add.ipynb", "alice/04-relu.ipynb"}, []string{"alice: add by alice, relu by alice"},
		},
		"one's own folder": {
			tree{"alice/02-add.ipynb": nb("alice", "add"), "alice/work/add.wgsl": nil, "alice/images/a.png": nil},
			[]string{"alice"}, []string{"alice: add by alice"},
		},
		"a folder each": {
			tree{
				"alice/02-add.ipynb": nb("alice", "add"), "alice/hw/04-relu.ipynb": nb("alice", "relu"),
				"bob/anything.ipynb": nb("bob", "add"), "carol/report.pdf": nil,
			},
			nil, []string{"alice: add by alice, relu by alice", "bob: add by bob", "carol: "},
		},
		"files that other programs leave": {
			tree{
				"alice/02-add.ipynb": nb("alice", "add"), "alice/.ipynb_checkpoints/02-add-checkpoint.ipynb": nb("old", "relu"),
				"__MACOSX/alice/._02-add.ipynb": {0}, ".git/x.ipynb": nb("git", "add"), "bob/02-add.ipynb": nb("bob", "add"),
			},
			nil, both,
		},
		"a zip each": {
			tree{"alice.zip": tree{"02-add.ipynb": nb("alice", "add")}.zip(t), "bob.zip": tree{"homework/02-add.ipynb": nb("bob", "add")}.zip(t)},
			nil, both,
		},
		"a zip each, by themselves": {
			tree{"alice.zip": tree{"02-add.ipynb": nb("alice", "add")}.zip(t), "bob.ZIP": tree{"alice/02-add.ipynb": nb("bob", "add")}.zip(t)},
			[]string{"alice.zip", "bob.ZIP"}, both,
		},
		"a zip in a folder each": {
			tree{"alice/hw.zip": tree{"02-add.ipynb": nb("alice", "add")}.zip(t), "bob/x/y.zip": tree{"02-add.ipynb": nb("bob", "add")}.zip(t)},
			nil, both,
		},
		"a zip of a class":                {tree{"c.zip": class.zip(t)}, []string{"c.zip"}, both},
		"a zip of the folder of a class":  {tree{"c.zip": wrap("c", class).zip(t)}, []string{"c.zip"}, both},
		"a zip of a folder of any name":   {tree{"c.zip": wrap("class of 2024", class).zip(t)}, []string{"c.zip"}, both},
		"a zip of one":                    {tree{"alice.zip": tree{"02-add.ipynb": nb("alice", "add")}.zip(t)}, []string{"alice.zip"}, []string{"alice: add by alice"}},
		"a zip of the folder of one":      {tree{"alice.zip": tree{"alice/02-add.ipynb": nb("alice", "add")}.zip(t)}, []string{"alice.zip"}, []string{"alice: add by alice"}},
		"a zip of zips":                   {tree{"c.zip": tree{"alice.zip": tree{"02-add.ipynb": nb("alice", "add")}.zip(t), "bob.zip": tree{"x.ipynb": nb("bob", "add")}.zip(t)}.zip(t)}, []string{"c.zip"}, both},
		"a zip of folders with zips":      {tree{"c.zip": tree{"alice/a.zip": tree{"02-add.ipynb": nb("alice", "add")}.zip(t), "bob/b.zip": tree{"x.ipynb": nb("bob", "add")}.zip(t)}.zip(t)}, []string{"c.zip"}, both},
		"a zip with Windows' backslashes": {tree{"c.zip": tree{`alice\02-add.ipynb`: nb("alice", "add"), `bob\02-add.ipynb`: nb("bob", "add")}.zip(t)}, []string{"c.zip"}, both},
		"nbgrader's folder of what was submitted": {
			wrap("submitted", wrapInner("ps1", class)), []string{"submitted"}, both,
		},
		"nbgrader's course": {
			tree{
				"submitted/alice/ps1/02-add.ipynb": nb("alice", "add"), "submitted/alice/ps2/04-relu.ipynb": nb("alice", "relu"),
				"submitted/bob/ps1/02-add.ipynb": nb("bob", "add"), "submitted/carol/ps1/timestamp.txt": nil,
				"source/ps1/02-add.ipynb": nb("teacher", "add"), "autograded/bob/ps1/02-add.ipynb": nb("changed", "add"),
			},
			nil, []string{"alice: add by alice, relu by alice", "bob: add by bob", "carol: "},
		},
		"nbgrader's notebooks": {
			wrap("submitted", wrapInner("ps1", class)), []string{"submitted/*/ps1/02-add.ipynb"}, both,
		},
		"nbgrader's students":        {wrap("submitted", wrapInner("ps1", class)), []string{"submitted/*"}, both},
		"nbgrader's assignments":     {wrap("submitted", wrapInner("ps1", class)), []string{"submitted/*/ps1"}, both},
		"nbgrader's class of one":    {tree{"submitted/alice/ps1/a.ipynb": nb("alice", "add"), "submitted/alice/ps2/a.ipynb": nb("alice", "relu")}, []string{"submitted"}, []string{"alice: add by alice, relu by alice"}},
		"a zip of nbgrader's folder": {tree{"c.zip": wrap("submitted", wrapInner("ps1", class)).zip(t)}, []string{"c.zip"}, both},
		"Moodle's folders": {
			tree{
				"Jane Doe_101_assignsubmission_file_/02-add.ipynb": nb("jane", "add"), "Jane Doe_101_assignsubmission_onlinetext_/onlinetext.html": nil,
				"Émile Zola_102_assignsubmission_file/x.ipynb": nb("émile", "add"), "No Body_103_assignsubmission_onlinetext/onlinetext.html": nil,
				"Team A_assignsubmission_file_/hw.zip": tree{"02-add.ipynb": nb("team", "add")}.zip(t),
			},
			nil, []string{"Jane Doe: add by jane", "No Body: ", "Team A: add by team", "Émile Zola: add by émile"},
		},
		"Moodle's files": {
			tree{"Jane Doe_101_assignsubmission_file_02-add.ipynb": nb("jane", "add"), "Jane Doe_101_assignsubmission_file_04-relu.ipynb": nb("jane", "relu")},
			nil, []string{"Jane Doe: add by jane, relu by jane"},
		},
		"Moodle's namesakes": {
			tree{"Jane Doe_101_assignsubmission_file_/02-add.ipynb": nb("jane", "add"), "Jane Doe_102_assignsubmission_file_/02-add.ipynb": nb("joan", "add")},
			nil, []string{"Jane Doe (101): add by jane", "Jane Doe (102): add by joan"},
		},
		"Moodle's zips, whose numbers differ": {
			tree{
				"w1.zip": tree{"Jane Doe_101_assignsubmission_file_/02-add.ipynb": nb("jane", "add"), "Al Ba_102_assignsubmission_file_/02-add.ipynb": nb("al", "add")}.zip(t),
				"w2.zip": tree{"Jane Doe_301_assignsubmission_file_/04-relu.ipynb": nb("jane", "relu"), "Al Ba_302_assignsubmission_file_/04-relu.ipynb": nb("al", "relu")}.zip(t),
			},
			nil, []string{"Al Ba: add by al, relu by al", "Jane Doe: add by jane, relu by jane"},
		},
		"Moodle's folders by pattern": {
			tree{"Jane Doe_101_assignsubmission_file_/x.ipynb": nb("jane", "add"), "Al Ba_102_assignsubmission_file_/x.ipynb": nb("al", "add")},
			[]string{"*"}, []string{"Al Ba: add by al", "Jane Doe: add by jane"},
		},
		"Canvas' files": {
			tree{
				"doejane_12345_678910_02-add.ipynb": nb("jane", "add"), "doejane_12345_678911_04-relu.ipynb": nb("jane", "relu"),
				"baal_LATE_23456_678912_02-add-1.ipynb": nb("al", "add"), "codycarl_34567_678913_report.pdf": nil,
				"zipzoe_45678_678914_hw.zip":     tree{"doejane_12345_999999_02-add.ipynb": nb("zoe", "add")}.zip(t),
				"anon_Ab1cD_678915_02-add.ipynb": nb("nobody", "add"), "LATE_anon_Xy2zZ_678916_02-add.ipynb": nb("nobody 2", "add"),
			},
			nil, []string{
				"anon_Ab1cD: add by nobody", "anon_Xy2zZ: add by nobody 2", "baal: add by al", "codycarl: ",
				"doejane: add by jane, relu by jane", "zipzoe: add by zoe",
			},
		},
		"Canvas' namesakes": {
			tree{"doejane_12345_678910_02-add.ipynb": nb("jane", "add"), "doejane_12346_678911_02-add.ipynb": nb("joan", "add")},
			nil, []string{"doejane (12345): add by jane", "doejane (12346): add by joan"},
		},
		"Canvas' zips": {
			tree{
				"a.zip": tree{"doejane_12345_678910_02-add.ipynb": nb("jane", "add"), "baal_23456_678912_02-add.ipynb": nb("al", "add")}.zip(t),
				"b.zip": tree{"doejane_12345_778910_04-relu.ipynb": nb("jane", "relu")}.zip(t),
			},
			[]string{"a.zip", "b.zip"}, []string{"baal: add by al", "doejane: add by jane, relu by jane"},
		},
		"Blackboard's files, the last attempt": {
			tree{
				"Lab 2_jdoe3_attempt_2024-03-02-10-20-30_02-add.ipynb": nb("jane, later", "add"),
				"Lab 2_jdoe3_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("jane", "add"),
				"Lab 2_jdoe3_attempt_2024-03-02-10-20-30.txt":          nil,
				"Lab 2_alba_attempt_2024-03-02-10-20-30.txt":           nil,
			},
			nil, []string{"alba: ", "jdoe3: add by jane, later"},
		},
		"Blackboard's names with more than one _": {
			tree{
				"HW1_a_smith_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("a", "add"),
				"HW1_b_smith_attempt_2024-03-02-10-20-30_02-add.ipynb": nb("b", "add"),
			},
			nil, []string{"a_smith: add by a", "b_smith: add by b"},
		},
		"Blackboard's assignment with a _, in a zip": {
			tree{"all.zip": tree{
				"Lab_2_jdoe_attempt_2024-03-01-10-20-30_02-add.ipynb":    nb("j", "add"),
				"Lab_2_b_smith_attempt_2024-03-02-10-20-30_02-add.ipynb": nb("b", "add"),
				"Lab_2_a_smith_attempt_2024-03-02-10-20-30.txt":          nil,
			}.zip(t)},
			[]string{"all.zip"}, []string{"a_smith: ", "b_smith: add by b", "jdoe: add by j"},
		},
		"Blackboard's files, each given alone": {
			tree{
				"HW1_a_smith_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("a", "add"),
				"HW1_b_smith_attempt_2024-03-02-10-20-30_02-add.ipynb": nb("b", "add"),
			},
			[]string{"HW1_a_smith_attempt_2024-03-01-10-20-30_02-add.ipynb", "HW1_b_smith_attempt_2024-03-02-10-20-30_02-add.ipynb"},
			[]string{"a_smith: add by a", "b_smith: add by b"},
		},
		"Blackboard's downloads of two assignments": {
			tree{
				"a.zip": tree{"Lab 1_jdoe_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("j", "add")}.zip(t),
				"b.zip": tree{"Lab 2_jdoe_attempt_2024-03-08-10-20-30_04-relu.ipynb": nb("j", "relu")}.zip(t),
			},
			[]string{"a.zip", "b.zip"}, []string{"jdoe: add by j, relu by j"},
		},
		"Blackboard's files of two assignments in one folder": {
			tree{
				"Lab 1_a_smith_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("a", "add"),
				"Lab 2_b_smith_attempt_2024-03-08-10-20-30_02-add.ipynb": nb("b", "add"),
			},
			nil, []string{"smith (Lab 1_a): add by a", "smith (Lab 2_b): add by b"},
		},
		"Blackboard's downloads with one student each": {
			tree{
				"a.zip": tree{"Lab 1_a_smith_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("a", "add")}.zip(t),
				"b.zip": tree{"Lab 2_b_smith_attempt_2024-03-08-10-20-30_02-add.ipynb": nb("b", "add")}.zip(t),
			},
			[]string{"a.zip", "b.zip"}, []string{"smith (Lab 1_a): add by a", "smith (Lab 2_b): add by b"},
		},
		"Blackboard's downloads, each of names that begin alike": {
			tree{
				"a.zip": tree{
					"Lab 1_a_smith_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("a", "add"),
					"Lab 1_a_roe_attempt_2024-03-01-10-20-30_02-add.ipynb":   nb("roe", "add"),
				}.zip(t),
				"b.zip": tree{
					"Lab 2_b_smith_attempt_2024-03-08-10-20-30_02-add.ipynb": nb("b", "add"),
					"Lab 2_b_doe_attempt_2024-03-08-10-20-30_02-add.ipynb":   nb("doe", "add"),
				}.zip(t),
			},
			[]string{"a.zip", "b.zip"},
			[]string{"doe: add by doe", "roe: add by roe", "smith (Lab 1_a): add by a", "smith (Lab 2_b): add by b"},
		},
		"Blackboard's students of two assignments, with a _ each": {
			tree{
				"a.zip": tree{
					"Lab 1_a_smith_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("a", "add"),
					"Lab 1_b_smith_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("b", "add"),
				}.zip(t),
				"b.zip": tree{
					"Lab 2_a_smith_attempt_2024-03-08-10-20-30_04-relu.ipynb": nb("a", "relu"),
					"Lab 2_b_smith_attempt_2024-03-08-10-20-30_04-relu.ipynb": nb("b", "relu"),
				}.zip(t),
			},
			[]string{"a.zip", "b.zip"}, []string{"a_smith: add by a, relu by a", "b_smith: add by b, relu by b"},
		},
		"a Blackboard file that its student named like another's": {
			tree{
				"bob.zip":   tree{"HW_bob_attempt_2024-03-01-10-20-30_02-add.ipynb": nb("bob", "add")}.zip(t),
				"alice.zip": tree{"Lab_alice_attempt_2024-03-01-10-20-30_x_bob_attempt_2025-03-01-10-20-30_02-add.ipynb": nb("alice", "add")}.zip(t),
			},
			[]string{"alice.zip", "bob.zip"}, both,
		},
		"Brightspace's folders, the last one": {
			tree{
				"12345-67890 - Jane Doe - Mar 9, 2024 1020 AM/02-add.ipynb":  nb("jane", "add"),
				"12345-67890 - Jane Doe - Mar 10, 2024 120 PM/02-add.ipynb":  nb("jane, later", "add"),
				"12346-67890 - Al - Bert - Mar 9, 2024 1130 PM/02-add.ipynb": nb("al", "add"),
			},
			nil, []string{"Al - Bert: add by al", "Jane Doe: add by jane, later"},
		},
		"names that differ in case": {
			tree{"Alice/x.ipynb": nb("Alice", "add"), "alice/x.ipynb": nb("alice", "add")},
			nil, []string{"Alice: add by Alice", "alice (2): add by alice"},
		},
		"nobody hands in for another": {
			tree{
				"alice.ipynb":                       nb("alice", "add"),
				"mallory.zip":                       tree{"alice/02-add.ipynb": nb("mallory", "add"), "submitted/alice/ps1/04-relu.ipynb": nb("mallory", "relu")}.zip(t),
				"mallory2/alice/x.ipynb":            nb("mallory", "add"),
				"mallory3/submitted/alice/ps/x.zip": tree{"alice.ipynb": nb("mallory", "add")}.zip(t),
				"mallory4.zip":                      tree{"alice_12345_67890_02-add.ipynb": nb("mallory", "add")}.zip(t),
			},
			nil, []string{
				"alice: add by alice", "alice (12345): add by mallory", "mallory: add by mallory, relu by mallory",
				"mallory2: add by mallory", "mallory3: add by mallory",
			},
		},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, strings.Contains(name, "last")) })
	}
}

// wrap puts everything into one folder.
func wrap(name string, files tree) tree {
	wrapped := tree{}
	for path, data := range files {
		wrapped[name+"/"+path] = data
	}
	return wrapped
}

// wrapInner puts the contents of each folder into a subfolder.
func wrapInner(name string, files tree) tree {
	wrapped := tree{}
	for path, data := range files {
		student, rest, _ := strings.Cut(path, "/")
		wrapped[student+"/"+name+"/"+rest] = data
	}
	return wrapped
}

func TestAskedWrongly(t *testing.T) {
	t.Chdir(tree{"docs/a.txt": nil, "empty/x": nil, "b.pdf": nil}.write(t, t.TempDir()))
	for path, want := range map[string]string{
		"missing":       "there is no missing",
		"missing.ipynb": "there is no missing.ipynb",
		"*.ipynb":       "nothing matches the pattern *.ipynb",
		"[":             "the pattern [: syntax error in pattern",
		"docs":          "there is no submission in docs: give notebooks",
		"b.pdf":         "there is no submission in b.pdf: give notebooks",
	} {
		_, err := Collect(t.Context(), []string{path})
		require.ErrorContains(t, err, want, path)
	}
	_, err := Collect(t.Context(), nil)
	require.ErrorContains(t, err, "nothing to read")
}

func TestShippedNotebooks(t *testing.T) {
	all, err := Collect(t.Context(), []string{"../../../../notebooks"})
	require.NoError(t, err)
	require.Len(t, all, 1)
	s := all[0]
	require.Equal(t, "notebooks", s.Student)
	require.Len(t, s.Shaders, len(exerciseOf()), "an unchanged skeleton is a shader too")
	for id, program := range s.Programs {
		require.True(t, Untouched(onHost(id), program), id)
	}
	require.Len(t, s.Programs, len(course.OnHost))
	require.Empty(t, s.Problems)
	require.Len(t, s.Files, len(course.Lessons)+len(course.Beyond))
	for id, shader := range s.Shaders {
		require.False(t, shader.begun(id), id)
		nb, err := nbformat.Read(filepath.Join("../../../..", shader.File))
		require.NoError(t, err)
		file, ok := nb.Cells[shader.Cell-1].WrittenFile()
		require.True(t, ok)
		require.Equal(t, file.Body+"\n", shader.Source)
	}
}

func TestTwoNotebooksWriteTheSame(t *testing.T) {
	skeleton := func() []byte {
		data, err := os.ReadFile("../../../../notebooks/02-add.ipynb")
		require.NoError(t, err)
		return data
	}
	for name, c := range map[string]struct {
		files    tree
		want     string
		problems []string
	}{
		"the later copy": {
			tree{"02-add-1.ipynb": solved(t, "later", "add"), "02-add.ipynb": solved(t, "first", "add", "saxpy")},
			"a: add by later, saxpy by first",
			[]string{`Several notebooks write add: "a/02-add.ipynb", "a/02-add-1.ipynb". The one that counts is "a/02-add-1.ipynb".`},
		},
		"counted as people count": {
			tree{"02-add-10.ipynb": solved(t, "tenth", "add"), "02-add-9.ipynb": solved(t, "ninth", "add"), "02-add.ipynb": solved(t, "first", "add")},
			"a: add by tenth",
			[]string{`Several notebooks write add: "a/02-add.ipynb", "a/02-add-9.ipynb", "a/02-add-10.ipynb". The one that counts is "a/02-add-10.ipynb".`},
		},
		"the same twice": {
			tree{"02-add.ipynb": solved(t, "me", "add"), "02-add (1).ipynb": solved(t, "me", "add")}, "a: add by me", nil,
		},
		"an unchanged one behind": {
			tree{"02-add.ipynb": solved(t, "me", "add", "vector-add", "saxpy"), "02-add-1.ipynb": skeleton()},
			"a: add by me, saxpy by me, vector-add by me", nil,
		},
		"a bug is found in one": {
			tree{"02-add.ipynb": solved(t, "me", "add", "find-vector-add"), "02-add-1.ipynb": skeleton()},
			"a: add by me, find-vector-add by me", nil,
		},
		"an unchanged one before": {
			tree{"02-add.ipynb": skeleton(), "02-add-1.ipynb": solved(t, "me", "add", "vector-add", "saxpy")},
			"a: add by me, saxpy by me, vector-add by me", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := Collect(t.Context(), []string{wrap("a", c.files).write(t, t.TempDir())})
			require.NoError(t, err)
			require.Equal(t, []string{c.want}, summaries(all))
			require.Equal(t, c.problems, all[0].Problems)
			require.False(t, all[0].Unread, "a decision is not a problem")
		})
	}
	t.Run("Canvas counts uploads", func(t *testing.T) {
		files := tree{"doejane_12345_9999_b.ipynb": solved(t, "first", "add"), "doejane_12345_10000_a.ipynb": solved(t, "later", "add")}
		all, err := Collect(t.Context(), []string{files.write(t, t.TempDir())})
		require.NoError(t, err)
		require.Equal(t, []string{"doejane: add by later"}, summaries(all))
	})
}

// cellsOf returns a notebook's file with code cells.
func cellsOf(sources ...string) string {
	var cells []any
	for _, source := range sources {
		cells = append(cells, map[string]any{"cell_type": "code", "source": source, "metadata": map[string]any{}, "outputs": []any{}})
	}
	data, err := json.Marshal(map[string]any{"cells": cells, "metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestExtract(t *testing.T) {
	for name, c := range map[string]struct {
		notebook string
		want     map[string]HandIn
	}{
		"a shader":           {cellsOf("x", "%%writefile work/add.wgsl\na\nb"), map[string]HandIn{"add": {Source: "a\nb\n", Cell: 2}}},
		"the last one wins":  {cellsOf("%%writefile work/add.wgsl\na", "%%writefile work/add.wgsl\nb"), map[string]HandIn{"add": {Source: "b\n", Cell: 2}}},
		"spaces and ./":      {cellsOf(" %%writefile   ./work//add.wgsl  \na"), map[string]HandIn{"add": {Source: "a\n", Cell: 1}}},
		"nothing written":    {cellsOf("%%writefile work/add.wgsl"), map[string]HandIn{"add": {Cell: 1}}},
		"added to":           {cellsOf("%%writefile work/add.wgsl\na", "%%writefile -a work/add.wgsl\nb"), map[string]HandIn{"add": {Source: "a\nb\n", Cell: 2}}},
		"not the first line": {cellsOf("\n%%writefile work/add.wgsl\na", "// x\n%%writefile work/add.wgsl\nb"), map[string]HandIn{}},
		"a worked example":   {cellsOf("%%writefile work/example-add.wgsl\na"), map[string]HandIn{}},
		"other files":        {cellsOf("%%writefile work/other.wgsl\na", "%%writefile add.wgsl\na", "%%writefile ../work/add.wgsl\na", "%%writefile work/forward.wgsl\na", "%%writefile /work/add.wgsl\na"), map[string]HandIn{}},
		"lines":              {`{"cells":[{"cell_type":"code","source":["%%writefile work/add.wgsl\n","a\n","b"]}],"nbformat":4}`, map[string]HandIn{"add": {Source: "a\nb\n", Cell: 1}}},
		"no code":            {`{"cells":[{"cell_type":"markdown","source":"%%writefile work/add.wgsl\na"},{"cell_type":"raw","source":"%%writefile work/add.wgsl\na"}],"nbformat":4}`, map[string]HandIn{}},
		"a mark in front":    {"\ufeff" + cellsOf("%%writefile work/add.wgsl\na"), map[string]HandIn{"add": {Source: "a\n", Cell: 1}}},
		"the format first":   {`{"nbformat":4,"metadata":{"a":[{}]},"cells":[]}`, map[string]HandIn{}},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := extract(strings.NewReader(c.notebook))
			require.NoError(t, err)
			require.Equal(t, c.want, w.shaders)
			require.Empty(t, w.programs)
		})
	}
}

func TestExtractFails(t *testing.T) {
	for source, want := range map[string]string{
		"":                                      "it is empty or ends too early",
		"   \n":                                 "it is empty or ends too early",
		"PK\x03\x04":                            "it is not JSON: invalid character 'P' looking for beginning of value",
		"[]":                                    "it does not begin with {",
		`"x"`:                                   "it does not begin with {",
		`{}`:                                    `it has no "nbformat"`,
		`{"nbformat":4}`:                        `it has no "cells"`,
		`{"nbformat":3,"worksheets":[]}`:        "it has nbformat 3, and wgslab reads only 4: open it in JupyterLab",
		`{"nbformat":"4","cells":[]}`:           `it has nbformat "4", and`,
		`{"nbformat":4,"cells":{}}`:             `its "cells" are not a list`,
		`{"nbformat":4,"cells":null}`:           `its "cells" are not a list`,
		`{"nbformat":4,"cells":[1]}`:            "cell 1 isn't a valid cell: it has the JSON type number in the wrong place",
		`{"nbformat":4,"cells":[{},[]]}`:        "cell 2 isn't a valid cell: it has the JSON type array",
		`{"nbformat":4,"cells":[{"source":1}]}`: "cell 1 isn't a valid cell: it has the JSON type number",
		`{"nbformat":4,"cells":[{"source":["a",1]}]}`:                      "cell 1 isn't a valid cell: it has the JSON type number",
		`{"nbformat":4,"cells":[{"source":{}}]}`:                           "cell 1 isn't a valid cell: it has the JSON type object",
		`{"nbformat":4,"cells":[{"cell_type":["code"]}]}`:                  "cell 1 isn't a valid cell: it has the JSON type array",
		`{"nbformat":4,"cells":[{"metadata":[]}]}`:                         "cell 1 isn't a valid cell: it has the JSON type array",
		`{"nbformat":4,"cells":[]`:                                         "ends too early",
		`{"nbformat":4,"cells":[]} x`:                                      "it is not JSON: invalid character 'x'",
		`{"nbformat":4,"cells":[]}{}`:                                      "something follows the end of the notebook",
		`{"nbformat":4,"metadata":` + strings.Repeat("[", 20000):           "exceeded max depth",
		`{"nbformat":4,"cells":[` + strings.Repeat("{},", 10_000) + `{}]}`: "more than 10000 cells",
	} {
		_, err := extract(strings.NewReader(source))
		require.ErrorContains(t, err, want, "%.60q", source)
	}
}

func TestHost(t *testing.T) {
	const stub = "%noautoget\nimport \"github.com/wgslab/wgslab/pkg/check\"\n\n// forward runs the network.\nfunc forward(l check.Layers) error {\n\t// Your lines go here.\n\treturn nil\n}"
	cell := func(id, gradeID, source string) string {
		data, err := json.Marshal(map[string]any{"nbformat": 4, "cells": []any{map[string]any{
			"id": id, "cell_type": "code", "source": source, "metadata": map[string]any{"nbgrader": map[string]any{"grade_id": gradeID}},
		}}})
		require.NoError(t, err)
		return string(data)
	}
	written := strings.Replace(stub, "return nil", "return l.Device.Run()", 1)
	for name, c := range map[string]struct {
		notebook string
		want     bool
	}{
		"as shipped":             {cell("forward-host", "", stub), false},
		"with other comments":    {cell("forward-host", "", strings.Replace(stub, "Your lines", "My lines", 1)), false},
		"emptied":                {cell("forward-host", "", ""), false},
		"written":                {cell("forward-host", "", written), true},
		"written, in nbgrader":   {cell("x", "forward-host", written), true},
		"written, without an id": {cell("x", "y", written), true},
		"written in one line":    {cell("forward-host", "", "func forward(l check.Layers) error { return l.Device.Run() }"), true},
		"written another way":    {cell("forward-host", "", "var forward = func(l check.Layers) error { return nil }"), true},
		"some other cell":        {cell("x", "y", "fmt.Println(1)"), false},
		"odd metadata":           {`{"nbformat":4,"cells":[{"id":"forward-host","cell_type":"code","source":"x()","metadata":{"nbgrader":[1]}}]}`, true},
		"odd grade_id":           {`{"nbformat":4,"cells":[{"cell_type":"code","source":"x()","metadata":{"nbgrader":{"grade_id":{"a":1}}}}]}`, false},
		"no code":                {strings.Replace(cell("forward-host", "", written), `"code"`, `"markdown"`, 1), false},
	} {
		w, err := extract(strings.NewReader(c.notebook))
		require.NoError(t, err, name)
		program, found := w.programs["forward"]
		require.Equal(t, c.want, found && !Untouched(onHost("forward"), program), name)
	}
}

func TestStudentName(t *testing.T) {
	for name, want := range map[string]string{
		"Jane Doe":                       "Jane Doe",
		"O'Brien, Zoë":                   "O'Brien, Zoë",
		"李小龙":                            "李小龙",
		"  a\t\nb  ":                     "a__b",
		"":                               "unnamed",
		" . ":                            "unnamed",
		"..":                             "unnamed",
		"../../etc/passwd":               "_.._.._etc_passwd",
		`C:\Users\x`:                     "C__Users_x",
		"<script>alert(1)</script>":      "_script_alert(1)__script_",
		`"><img src=x>`:                  "___img src=x_",
		"=cmd|' /C calc'!A0":             "_=cmd_' _C calc'!A0",
		"+1":                             "_+1",
		"-rf":                            "_-rf",
		"@x":                             "_@x",
		".bashrc":                        "_.bashrc",
		"CON":                            "_CON",
		"aux.txt":                        "_aux.txt",
		"a\x00b\x1b[31mred":              "a_b_[31mred",
		"evil\u202egpj.exe":              "evil_gpj.exe",
		"J\xf6rg":                        "J_F6rg",
		"e\u0301":                        "é",
		"a&b%c":                          "a_b_c",
		strings.Repeat("é", 200) + "end": strings.Repeat("é", 60) + "…",
	} {
		got := studentName(name)
		require.Equal(t, want, got)
		requireSafe(t, got)
	}
}

// requireSafe checks the promises of Submission.Student for one name.
func requireSafe(t testing.TB, name string) {
	t.Helper()
	require.NotEmpty(t, name)
	require.LessOrEqual(t, len(name), 200)
	require.Equal(t, name, printable(name, len(name)))
	require.NotContains(t, []string{".", ".."}, name)
	require.True(t, filepath.IsLocal(name), "%q", name)
	require.False(t, strings.ContainsAny(name, "/\\:*?\"<>|&%"), "%q", name)
	require.False(t, strings.ContainsRune("=+-@.~ ", rune(name[0])), "%q", name)
	require.False(t, strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "), "%q", name)
}

func TestCompareNatural(t *testing.T) {
	sorted := []string{"01.ipynb", "02-add.ipynb", "02-add (1).ipynb", "02-add-1.ipynb", "02-add-2.ipynb", "02-add-10.ipynb", "02-add-Copy1.ipynb", "10.ipynb", "a.ipynb", "B.ipynb"}
	shuffled := slices.Clone(sorted)
	slices.Reverse(shuffled)
	slices.SortFunc(shuffled, compareNatural)
	require.Equal(t, sorted, shuffled)
	require.Negative(t, compareNatural("9"+strings.Repeat("0", 50), "1"+strings.Repeat("0", 51)))
}

// requireSound checks the invariants of a submission.
func requireSound(t testing.TB, s Submission) {
	t.Helper()
	requireSafe(t, s.Student)
	require.LessOrEqual(t, len(s.Problems), maxProblems+1)
	require.LessOrEqual(t, len(s.Files), maxNotebooks)
	require.True(t, len(s.Problems) > 0 || len(s.Files) > 0)
	for _, text := range slices.Concat(s.Problems, s.Files) {
		require.NotEmpty(t, text)
		require.LessOrEqual(t, len(text), 1000)
		require.Equal(t, text, printable(text, len(text)))
	}
	for id, shader := range s.Shaders {
		require.Contains(t, slices.Collect(maps.Values(exerciseOf())), id)
		require.LessOrEqual(t, len(shader.Source), maxShader)
		require.Positive(t, shader.Cell)
		require.Contains(t, s.Files, shader.File)
	}
}

func TestCollectEndsWithItsContext(t *testing.T) {
	reason := errors.New("Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	_, err := Collect(ctx, []string{"../../../../notebooks"})
	require.ErrorIs(t, err, reason)
}
