package submission

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel"
	notebookcell "github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell/celltest"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Grading takes the same text from the notebook as the kernel writes to an exercise's file when a
// cell runs.
func TestACellThatRunsIsHandedIn(t *testing.T) {
	for _, c := range celltest.Cases(t) {
		t.Run("", func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "notes"), 0o755))
			source := notebookcell.Read(c.Source)
			if answerer := (kernel.ShaderFiles{}); answerer.Takes(source) {
				require.NoError(t, answerer.Run(t.Context(), kernel.Cell{CellSource: source, Dir: dir}, nil), "%q", c.Source)
			}
			ran := map[string]string{}
			for file, id := range exerciseOf() {
				if text, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
					ran[id] = string(text)
				}
			}
			require.Equal(t, c.Exercise != "", len(ran) == 1, "%q", c.Source)

			nb := &nbformat.Notebook{Cells: []*nbformat.Cell{{ID: "1", Type: nbformat.Code, Source: c.Source}}}
			data, err := nb.Encode()
			require.NoError(t, err)
			w, err := extract(bytes.NewReader(data))
			require.NoError(t, err)
			handedIn := map[string]string{}
			for id, shader := range w.shaders {
				handedIn[id] = shader.Source
			}
			require.Equal(t, ran, handedIn, "%q", c.Source)
		})
	}
}
