package nbformat

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"pgregory.net/rapid"
)

// testdata/jupyter.ipynb was written by Jupyter's own nbformat 5.11.1.
func TestLayoutIsJupyters(t *testing.T) {
	want, err := os.ReadFile("testdata/jupyter.ipynb")
	require.NoError(t, err)
	nb, err := Decode(want)
	require.NoError(t, err)
	got, err := nb.Encode()
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestRead(t *testing.T) {
	nb, err := Read("testdata/jupyter.ipynb")
	require.NoError(t, err)
	require.Equal(t, "gonb", nb.Kernel())
	require.Len(t, nb.Cells, 5)

	require.Equal(t, Markdown, nb.Cells[0].Type)
	require.Equal(t, "# Title\n\nπ ≈ 3.14 <b>&amp;</b>", nb.Cells[0].Source)

	write := nb.Cells[1]
	require.Equal(t, "write", write.ID)
	require.Equal(t, 1, *write.ExecutionCount)
	require.True(t, write.HasTag("b"))
	require.False(t, write.HasTag("c"))
	grader, ok := write.Metadata["nbgrader"].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "add", grader["grade_id"])

	outputs := nb.Cells[2].Outputs
	require.Equal(t, "x\ny", outputs[1].Data["text/plain"])
	require.Equal(t, []any{"a", "b"}, outputs[1].Data["application/vnd.x+json"], "JSON is not text")
	require.Equal(t, []string{"l1", "l2"}, outputs[3].Traceback)
}

func TestWriteIsWholeOrNothing(t *testing.T) {
	nb, err := Read("testdata/jupyter.ipynb")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "nb.ipynb")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))

	nb.Metadata["bad"] = func() {} // cannot be JSON
	require.Error(t, nb.Write(path))
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(kept))

	delete(nb.Metadata, "bad")
	require.NoError(t, nb.Write(path))
	again, err := Read(path)
	require.NoError(t, err)
	require.Equal(t, nb, again)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "a file keeps its permissions")
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, files, 1, "no temporary file is left")
}

// A notebook keeps all fields that this package does not know.
func TestUnknownFieldsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outputs := []any{
			map[string]any{"output_type": "stream", "name": "stdout", "text": text(t), "x_stream": anyJSON(t)},
			map[string]any{"output_type": "display_data", "data": map[string]any{"text/plain": text(t)}, "metadata": anyMap(t)},
			map[string]any{"output_type": "of_the_future", "x": anyJSON(t)},
		}
		want := map[string]any{
			"nbformat": 4, "nbformat_minor": 5, "metadata": anyMap(t), "x_notebook": anyJSON(t),
			"cells": []any{
				map[string]any{
					"cell_type": "code", "id": "a", "source": text(t), "metadata": anyMap(t),
					"execution_count": nil, "outputs": outputs, "x_cell": anyJSON(t),
				},
				map[string]any{"cell_type": "markdown", "id": "b", "source": text(t), "metadata": anyMap(t)},
			},
		}
		data, err := json.Marshal(want)
		require.NoError(t, err)
		nb, err := Decode(data)
		require.NoError(t, err)
		got, err := nb.Encode()
		require.NoError(t, err)
		require.JSONEq(t, withTextInOnePiece(t, data), withTextInOnePiece(t, got))

		again, err := Decode(got)
		require.NoError(t, err)
		stable, err := again.Encode()
		require.NoError(t, err)
		require.Equal(t, string(got), string(stable))
	})
}

// withTextInOnePiece undoes the cutting of texts into lines where the format
// allows it.
func withTextInOnePiece(t *rapid.T, data []byte) string {
	var nb map[string]any
	require.NoError(t, json.Unmarshal(data, &nb))
	for _, cell := range nb["cells"].([]any) {
		cell := cell.(map[string]any)
		join(cell, "source")
		outputs, _ := cell["outputs"].([]any)
		for _, output := range outputs {
			output := output.(map[string]any)
			join(output, "text")
			if bundle, ok := output["data"].(map[string]any); ok {
				join(bundle, "text/plain")
			}
		}
	}
	joined, err := json.Marshal(nb)
	require.NoError(t, err)
	return string(joined)
}

func join(object map[string]any, key string) {
	list, ok := object[key].([]any)
	if !ok {
		return
	}
	var all strings.Builder
	for _, line := range list {
		all.WriteString(line.(string))
	}
	object[key] = all.String()
}

func text(t *rapid.T) string { return rapid.String().Draw(t, "text") }

func anyJSON(t *rapid.T) any {
	return rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Int(), func(i int) any { return i }),
		rapid.Map(rapid.SliceOf(rapid.String()), func(s []string) any { return s }),
		rapid.Map(rapid.MapOf(rapid.String(), rapid.Bool()), func(m map[string]bool) any { return m }),
	).Draw(t, "JSON")
}

func anyMap(t *rapid.T) map[string]any {
	return map[string]any{"x": anyJSON(t), text(t): anyJSON(t)}
}

func TestSplitLinesLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.StringOf(rapid.SampledFrom([]rune("ab\n\r\v\f\x1c\x85\u2028€"))).Draw(t, "text")
		lines := splitLines(want)
		require.Equal(t, want, strings.Join(lines, ""))
		for _, line := range lines {
			require.NotEmpty(t, line)
		}
	})
}

func TestOlderNotebooksGetIDs(t *testing.T) {
	old := `{"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [
		{"cell_type": "markdown", "metadata": {}, "source": ["one\n", "two"]},
		{"cell_type": "code", "metadata": {}, "source": "x", "execution_count": null, "outputs": [], "id": "not valid!"},
		{"cell_type": "markdown", "metadata": {}, "source": "a", "id": "twin"},
		{"cell_type": "markdown", "metadata": {}, "source": "b", "id": "twin"}]}`
	nb, err := Decode([]byte(old))
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, cell := range nb.Cells {
		require.Regexp(t, validID, cell.ID)
		require.False(t, seen[cell.ID], "each has its own")
		seen[cell.ID] = true
	}
	require.Equal(t, "twin", nb.Cells[2].ID)
	require.Equal(t, "one\ntwo", nb.Cells[0].Source)
	data, err := nb.Encode()
	require.NoError(t, err)
	require.Contains(t, string(data), `"nbformat_minor": 5`)

	again, err := Decode([]byte(old))
	require.NoError(t, err)
	require.Equal(t, nb, again, "the same ids each time")
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	const start = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, `
	for name, c := range map[string]struct{ data, want string }{
		"empty":          {" \n", "it is empty"},
		"a page":         {"<!doctype html>", `it is not JSON: it begins with "<!doctype html>"`},
		"binary":         {"\x89PNG\r\n", `it begins with "\x89PNG"`},
		"cut off":        {start + `"cells": [`, "it is not JSON"},
		"a typing error": {"{\n\n\"cells\": oops}", "line 3"},
		"a conflict":     {"{\n \"a\": 1,\n<<<<<<< HEAD\n", "merge conflict markers on line 3"},
		"two of them":    {start + `"cells": []} {}`, "something follows"},
		"a list":         {"[]", "it is not JSON: it begins with"},
		"other JSON":     {`{"name": "x"}`, `not a notebook: it has no "nbformat"`},
		"nbformat 3":     {`{"nbformat": 3, "worksheets": []}`, "it has nbformat 3, and wgslab reads only 4: open it in JupyterLab"},
		"nbformat 5":     {`{"nbformat": 5, "cells": []}`, "it has nbformat 5"},
		"no cells":       {`{"nbformat": 4, "metadata": {}}`, `it has no "cells"`},
		"odd cells":      {start + `"cells": {}}`, `the notebook: its "cells" is not a list`},
		"odd cell":       {start + `"cells": [1]}`, "cell 1 is not an object"},
		"odd type":       {start + `"cells": [{"cell_type": "graph", "source": ""}]}`, `cell 1: its "cell_type" is not code, markdown or raw`},
		"odd source":     {start + `"cells": [{"cell_type": "code", "source": 7}]}`, `cell 1: its "source" is not text`},
		"odd output":     {start + `"cells": [{"cell_type": "code", "source": "", "outputs": ["x"]}]}`, "cell 1, output 1 is not an object"},
		"odd count":      {start + `"cells": [{"cell_type": "code", "source": "", "execution_count": "x"}]}`, "whole number"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode([]byte(c.data))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestByteOrderMark(t *testing.T) {
	_, err := Decode([]byte("\ufeff" + `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}`))
	require.NoError(t, err)
}

func TestClear(t *testing.T) {
	nb, err := Read("testdata/jupyter.ipynb")
	require.NoError(t, err)
	nb.Clear()
	data, err := nb.Encode()
	require.NoError(t, err)
	require.NotContains(t, string(data), "Cell contents written")
	require.NotContains(t, string(data), `"execution_count": 1`)
	require.Contains(t, string(data), `"grade_id": "add"`)
}

// Package cell has the tests of what a cell writes.
func TestWrittenFile(t *testing.T) {
	file, ok := (&Cell{Type: Code, Source: "%%writefile -a work/add.wgsl\nmore"}).WrittenFile()
	require.True(t, ok)
	require.Equal(t, cell.WrittenFile{Path: "work/add.wgsl", Body: "more", Append: true}, file)
	_, ok = (&Cell{Type: Markdown, Source: "%%writefile a\nb"}).WrittenFile()
	require.False(t, ok)
}

func TestSetFileBody(t *testing.T) {
	nb := &Notebook{Cells: []*Cell{
		{ID: "1", Type: Code, Source: "%%writefile work/add.wgsl\nstub"},
		{ID: "2", Type: Code, Source: `check.Exercise("add")`},
	}}
	cell := nb.Cells[0]
	require.NoError(t, cell.SetFileBody("@compute\nfn main() {}\n"))
	require.Equal(t, "%%writefile work/add.wgsl\n@compute\nfn main() {}", cell.Source)
	require.ErrorContains(t, nb.Cells[1].SetFileBody("x"), "cell 2 does not begin with %%writefile PATH")
}

func TestStderr(t *testing.T) {
	const confirmation = "Cell contents written to \"work/add.wgsl\".\n"
	cell := func(source string, texts ...string) *Cell {
		c := &Cell{Type: Code, Source: source}
		for _, text := range texts {
			c.Outputs = append(c.Outputs, &Output{Type: Stream, Name: "stderr", Text: text})
		}
		return c
	}
	require.Empty(t, cell("%%writefile work/add.wgsl\nx", confirmation).Stderr())
	require.Equal(t, "oops\n", cell("%%writefile work/add.wgsl\nx", confirmation, "oops\n").Stderr())
	require.Equal(t, confirmation, cell("%%\nfmt.Fprint(os.Stderr, …)", confirmation).Stderr(), "only GoNB may say so")
}

func TestPlain(t *testing.T) {
	for name, c := range map[string]struct {
		output Output
		want   string
	}{
		"stream":    {Output{Type: Stream, Text: "a\n"}, "a\n"},
		"traceback": {Output{Type: Error, EName: "E", EValue: "v", Traceback: []string{"1", "2"}}, "1\n2"},
		"error":     {Output{Type: Error, EName: "E", EValue: "v"}, "E: v"},
		"text":      {Output{Type: DisplayData, Data: map[string]any{"text/plain": "t", "text/html": "<b>h</b>"}}, "t"},
		"markdown":  {Output{Type: DisplayData, Data: map[string]any{"text/markdown": "*m*"}}, "*m*"},
		"picture":   {Output{Type: DisplayData, Data: map[string]any{"image/png": "…", "image/jpeg": "…"}}, "[image/jpeg, image/png]"},
		"page": {Output{Type: DisplayData, Data: map[string]any{"text/html": `<style>b{}</style>
			<script>x</script><p>1 &lt; 2<br/>two</p>


			<div><b>three</b></div>`}}, "1 < 2\ntwo\nthree\n"},
	} {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(c.output.Plain(), "\n")
			for i := range lines {
				lines[i] = strings.TrimSpace(lines[i])
			}
			require.Equal(t, c.want, strings.Join(lines, "\n"))
		})
	}
}
