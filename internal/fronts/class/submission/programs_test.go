package submission

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program for the host is what a notebook's session has where a cell checks it: helpers of other
// cells count, and later cells change nothing.
func TestProgramsOfANotebook(t *testing.T) {
	const own, imported = "func addVectors(device *wgpu.Device, shader string, size int, a, b []float32) []float32 { return half(a) }", "import \"github.com/wgslab/wgslab/pkg/wgpu\"\n"
	const half, check = "func half(a []float32) []float32 { return a[:len(a)/2] }", "import \"github.com/wgslab/wgslab/pkg/check\"\n%%\ncheck.Host(\"host-add\", addVectors)"
	const other = "func half(a []float32) []float32 { return nil }"
	for name, row := range map[string]struct {
		cells []string
		want  []string // what the program has; nil if there is none
		not   string
	}{
		"one cell":          {[]string{imported + half + "\n" + own, check}, []string{"package main\n", imported, half, own}, "pkg/check"},
		"a helper's cell":   {[]string{half, imported + own, check}, []string{half, own}, "pkg/check"},
		"a helper later":    {[]string{imported + own, half, check}, []string{half, own}, "pkg/check"},
		"changed later":     {[]string{imported + half + "\n" + own, check, other}, []string{half, own}, other},
		"checked again":     {[]string{imported + half + "\n" + own, check, other, check}, []string{other, own}, half},
		"without a check":   {[]string{imported + half + "\n" + own}, []string{half, own}, "pkg/check"},
		"a copy":            {[]string{imported + own, half, imported + strings.Replace(own, "half(a)", "nil", 1), check}, []string{"{ return nil }"}, half},
		"no Go":             {[]string{half, "func addVectors( {", check}, []string{"func addVectors( {"}, half},
		"no Go, then right": {[]string{"func addVectors( {", imported + half + "\n" + own, check}, []string{half, own}, "( {"},
		"no such function":  {[]string{half, check}, nil, ""},
		"a file of that":    {[]string{"%%writefile work/add.go\n" + own, check}, nil, ""},
	} {
		w, err := extract(strings.NewReader(cellsOf(row.cells...)))
		require.NoError(t, err, name)
		program, found := w.programs["host-add"]
		require.Equal(t, row.want != nil, found, name)
		for _, part := range row.want {
			require.Contains(t, program.Source, part, name)
		}
		if row.not != "" {
			require.NotContains(t, program.Source, row.not, name)
		}
	}
}

// The page's zip has a folder work with shaders, and programs in JavaScript. Both count, but a
// notebook's cells come first.
func TestThePagesZip(t *testing.T) {
	const script, notebook = "async function addVectors(device) { return device; }\n", "%%writefile work/add.wgsl\n// mine\nfn main() { out[0] = a[0] + b[0]; }"
	dir := t.TempDir()
	write := func(name string, files map[string]string) {
		file, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		defer file.Close()
		z := zip.NewWriter(file)
		for name, text := range files {
			w, err := z.Create(name)
			require.NoError(t, err)
			_, err = w.Write([]byte(text))
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
	}
	page := map[string]string{"work/add.wgsl": "fn main() {}\n", "work/host-add.js": script, "work/other.js": script, "work/progress.json": "{}"}
	write("ada.zip", page)
	both := map[string]string{"02-add.ipynb": cellsOf(notebook)}
	for name, text := range page {
		both[name] = text
	}
	write("ben.zip", both)
	all, err := Collect(t.Context(), []string{dir})
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, s := range all {
		require.Empty(t, s.Problems, s.Student)
		require.Len(t, s.Programs, 1)
		require.Equal(t, script, s.Programs["host-add"].Source)
		require.True(t, s.Programs["host-add"].Script)
	}
	require.Equal(t, "fn main() {}\n", all[0].Shaders["add"].Source)
	require.Contains(t, all[1].Shaders["add"].Source, "// mine", "a file beside notebooks doesn't count")

	// Alone, a page's zip is one student's.
	all, err = Collect(t.Context(), []string{filepath.Join(dir, "ada.zip")})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "ada", all[0].Student)
	require.Len(t, all[0].Programs, 1)
}
