package cells_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/fronts/page/cells"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

func cell(id, source string) *nbformat.Cell {
	return &nbformat.Cell{ID: id, Type: nbformat.Code, Source: source}
}

// made returns the files that a source generates, by their path in the clone.
func made(t *testing.T, s *cells.GoSource) map[string]string {
	t.Helper()
	folder := t.TempDir()
	overlay, err := s.Overlay("/clone", folder)
	require.NoError(t, err)
	data, err := os.ReadFile(overlay)
	require.NoError(t, err)
	var told struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(data, &told))
	all := map[string]string{}
	for name, from := range told.Replace {
		source, err := os.ReadFile(from)
		require.NoError(t, err)
		all[strings.TrimPrefix(filepath.ToSlash(name), "/clone/"+cells.Program+"/")] = string(source)
	}
	return all
}

func TestCellsBecomeAPackage(t *testing.T) {
	s := cells.New()
	require.NoError(t, s.Add("01-first", []*nbformat.Cell{
		cell("one", "%noautoget\nimport (\n\t\"fmt\"\n\t\"github.com/wgslab/wgslab/pkg/wgpu\"\n)\n\nfunc f() {}\n\n%%\nfmt.Println(wgpu.MapModeRead)\n"),
		cell("two", "%noautoget\nfunc g() { f() }"),
	}))
	require.NoError(t, s.Add("02-second", []*nbformat.Cell{cell("one", "func f() {}\n%%\nf()")}))
	require.Equal(t, []string{"01-first/one", "02-second/one"}, s.Runs())

	all := made(t, s)
	require.Len(t, all, 4)
	// The compiler and a panic name the cell and the line in it.
	require.Equal(t, "package notebook1\n\n//line one:1\n\nimport (\n\t\"fmt\"\n\t\"github.com/wgslab/wgslab/pkg/wgpu\"\n)\n\nfunc f() {}\n\n\n"+
		"func Cell1() {\n//line one:10\nfmt.Println(wgpu.MapModeRead)\n\n}\n", all["notebook1/cell1.go"])
	require.NotContains(t, all["notebook1/cell2.go"], "Cell2", "it does nothing")
	require.Contains(t, all["cells_made.go"], "\tcells[\"01-first/one\"] = notebook1.Cell1\n\tcells[\"02-second/one\"] = notebook2.Cell1\n")
}

func TestWhatNoPageCanDo(t *testing.T) {
	for source, says := range map[string]string{
		"!ls\n%%\nf()":                   "a page cannot run !ls",
		"%goflags -race\n%%\n":           "a page cannot run %goflags -race",
		"%% --verbose\nf()":              "a page cannot run %% --verbose",
		"func f() {":                     "reading its Go",
		"const a, first = 1, 2\n%%\nf()": "it declares first, and so does the cell before",
		"type first struct{}":            "it declares first",
		"func first() {}":                "it declares first",
		"func (first) method() {}\nvar _ int\nfunc init() {}": "",
	} {
		err := cells.New().Add("01-x", []*nbformat.Cell{cell("before", "var first int\nvar _ int\nfunc init() {}"), cell("it", source)})
		if says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "01-x.ipynb: cell it:")
	}
}
