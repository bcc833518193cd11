package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

// A cell is a module of its own, so Go refuses what only this module may import.
func TestEveryMeasuredCellMayImportWhatItImports(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	for name, cell := range map[string]string{
		"plain": fmt.Sprintf(plainCell, 1), "gpu": fmt.Sprintf(gpuCell, 1), "check": course.CheckCell("Exercise", measured),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			declarations, body, found := strings.Cut(strings.TrimPrefix(cell, "%noautoget\n"), "%%\n")
			require.True(t, found)
			for file, text := range map[string]string{
				"go.mod":  "module cell\n\ngo 1.26.0\n",
				"go.work": "go 1.26.0\n\nuse (\n\t.\n\t" + root + "\n)\n",
				"main.go": "package main\n\n" + declarations + "\nfunc main() {\n" + body + "\n}\n",
			} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
			}
			// go vet would look at all that the cell links; go build has that in its cache.
			build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "cell"), ".")
			build.Dir = dir
			build.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
			said, err := build.CombinedOutput()
			require.NoError(t, err, "%s", said)
		})
	}
}
