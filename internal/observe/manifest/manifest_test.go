package manifest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A project in a folder of its own, which isn't the current one.
func aProject(t *testing.T, text string) *Project {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "a", "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, FileName), []byte(text), 0o600))
	p, err := Find(filepath.Join(folder, "a", "b"))
	require.NoError(t, err)
	require.NotNil(t, p, "it is looked for above the folder")
	return p
}

func TestVariantsBelongToFiles(t *testing.T) {
	p := aProject(t, `
exclude = ["old-*.wgsl", "parts"]
[values]
N = 1
[[variant]]
name = "by name"
files = ["x.wgsl"]
values = {N = 2, ON = true, OFF = false}
[[variant]]
name = "by folder"
files = ["a/b"]
[[variant]]
name = "by path"
files = ["a/y*.wgsl"]
values = {F = 2.0, G = 1e-5}
`)
	in := func(name string) string { return filepath.Join(p.Folder(), name) }
	for file, want := range map[string]string{
		"x.wgsl": "by name", "a/x.wgsl": "by name", "a/b/z.wgsl": "by folder", "a/b/x.wgsl": "by name, by folder",
		"a/y1.wgsl": "by path", "y1.wgsl": "(without a name)", "a/bz.wgsl": "(without a name)",
	} {
		require.Equal(t, want, Names(p.Of(in(file))), file)
	}
	values := p.Of(in("x.wgsl"))[0].Values
	require.Equal(t, "2", values["N"].Text, "the variant's value")
	require.Equal(t, "1", p.Of(in("q.wgsl"))[0].Values["N"].Text, "the project's")
	require.True(t, values["ON"].Flag)
	require.Equal(t, "false", values["OFF"].Text)
	values = p.Of(in("a/y.wgsl"))[0].Values
	require.Equal(t, []string{"2.0", "1e-05"}, []string{values["F"].Text, values["G"].Text})
	require.True(t, p.Has(in("x.wgsl")))
	require.False(t, p.Has(in("a/old-x.wgsl")))
	require.False(t, p.Has(in("parts/x.wgsl")))
}

// An editor's server has one variant for all shaders, and some haven't it.
func TestAnEditorReadsTheFirstVariantOtherwise(t *testing.T) {
	p := aProject(t, "[[variant]]\nname = 'one'\nvalues = {N = 1}\n[[variant]]\nname = 'two'\nfiles = ['x.wgsl']\nvalues = {N = 2}\n")
	given := &Reader{Variant: "two"}
	for file, want := range map[string]string{"x.wgsl": "2", "y.wgsl": "1"} {
		expanded, err := given.Again().One(filepath.Join(p.Folder(), file), "N")
		require.NoError(t, err)
		require.Equal(t, want, expanded.Source.Text, file)
	}
	_, err := given.One(filepath.Join(p.Folder(), "y.wgsl"), "N")
	require.ErrorContains(t, err, `has no variant "two"`)
	expanded, err := (*Reader)(nil).Again().One("none.wgsl", "N")
	require.NoError(t, err)
	require.Equal(t, "N", expanded.Source.Text)
}
