package digits

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/view/viewtest"
)

func TestFramed(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := viewtest.Printed(t, func() { Framed(3, 5) })
	require.Contains(t, seen, "framed; the box was columns ")
	require.Contains(t, seen, "the reference: yours is not written yet")
}

// The lesson's example is started for the listed pixels alone.
func TestOnlyInk(t *testing.T) {
	const file = "work/example-only-ink.wgsl"
	text, err := os.ReadFile(filepath.Join("..", "..", "notebooks", "beyond", "09-frame.ipynb"))
	require.NoError(t, err)
	var nb struct{ Cells []struct{ Source []string } }
	require.NoError(t, json.Unmarshal(text, &nb))
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("work", 0o755))
	for _, cell := range nb.Cells {
		if cell.Source[0] == "%%writefile "+file+"\n" {
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(cell.Source[1:], "")), 0o644))
		}
	}
	seen := viewtest.Printed(t, func() { OnlyInk(file, 3, 5) })
	require.Regexp(t, `all pixels +40,000 +625 +40,000`, seen)
}

func TestTiled(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := viewtest.Printed(t, func() { Tiled(3, 7) })
	require.Regexp(t, `reads of each pixel of x, on average +9\.0 +1\.2`, seen)
}
