package submission

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzNotebook hands in any bytes as a notebook.
func FuzzNotebook(f *testing.F) {
	addHostile(f, ".ipynb")
	f.Add([]byte(cellsOf("%%writefile work/add.wgsl\na", "%%writefile -a work/add.wgsl\nb")))
	f.Add([]byte(`{"nbformat":4,"cells":[{"id":"forward-host","cell_type":"code","metadata":{"nbgrader":{"grade_id":"x"}},"source":["func forward(\n","x()"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func() Submission {
			s := &student{who: plain("mallory"), name: "mallory"}
			s.things = []found{{thing: thing{
				path: []string{"mallory.ipynb"}, shown: []string{"mallory.ipynb"}, kind: notebookFile,
				open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
			}}}
			require.NoError(t, s.read(t.Context()))
			return s.submission
		}
		first := read()
		requireSound(t, first)
		require.Equal(t, first, read())
		total := 0
		for _, shader := range first.Shaders {
			total += len(shader.Source)
		}
		require.LessOrEqual(t, total, 3*len(data), "what is kept comes from the notebook")
	})
}

// FuzzZip hands in any bytes as the zip of a class, and as the zip of a student next to an honest
// one.
func FuzzZip(f *testing.F) {
	addHostile(f, ".zip")
	f.Add(tree{"alice/02-add.ipynb": solved(f, "alice", "add"), "bob/hw.zip": tree{"02-add.ipynb": solved(f, "bob", "add")}.zip(f)}.zip(f))
	f.Add(tree{"doejane_LATE_12345_678910_02-add.ipynb": nil, "anon_Ab1cD_678915_02-add.ipynb": nil, "L_jdoe3_attempt_2024-03-02-10-20-30.txt": nil}.zip(f))
	f.Add(tree{"Jane Doe_1_assignsubmission_file_/x.ipynb": nil, "Jane Doe_2_assignsubmission_file_/x.ipynb": nil, "12345-67890 - Al - Mar 9, 2024 1020 AM/x.ipynb": nil}.zip(f))
	f.Add(tree{"submitted/alice/ps1/02-add.ipynb": nil, "submitted/=bob/ps1/<b>.ipynb": nil}.zip(f))
	dir := f.TempDir()
	class, honest := filepath.Join(dir, "class.zip"), filepath.Join(dir, "alice.ipynb")
	require.NoError(f, os.WriteFile(honest, solved(f, "alice", "add"), 0o644))
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(class, data, 0o644))
		requireClass(t, class)
		all := requireClass(t, class, honest)
		kept := 0
		for _, s := range all {
			if s.Student == "alice" {
				kept++
				require.Equal(t, "alice: add by alice", summary(s))
				require.Empty(t, s.Problems)
			}
		}
		require.Equal(t, 1, kept)
	})
}

// requireClass reads the paths twice and checks the invariants of a class.
func requireClass(t *testing.T, paths ...string) []Submission {
	t.Helper()
	all, err := Collect(t.Context(), paths)
	if err != nil {
		require.ErrorContains(t, err, "there is no submission in ")
		return nil
	}
	names := map[string]bool{}
	for i, s := range all {
		requireSound(t, s)
		folded := strings.ToLower(s.Student)
		require.False(t, names[folded], "%q twice", s.Student)
		names[folded] = true
		if i > 0 {
			require.LessOrEqual(t, strings.ToLower(all[i-1].Student), folded)
		}
	}
	again, err := Collect(t.Context(), paths)
	require.NoError(t, err)
	require.Equal(t, all, again)
	return all
}

// addHostile adds the files of testdata/hostile except the largest, which would slow down the
// search.
func addHostile(f *testing.F, extension string) {
	f.Helper()
	files, err := filepath.Glob("testdata/hostile/*/mallory" + extension)
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, file := range files {
		if strings.Contains(file, "bomb") || strings.Contains(file, "zip-long") || strings.Contains(file, "many") {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data)
	}
}
