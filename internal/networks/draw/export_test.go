package draw

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

// exported is an export of a learner's shaders, by the id of their exercise.
func exported(t *testing.T, own map[string]string) (*Export, error) {
	t.Helper()
	work := t.TempDir()
	for id, source := range own {
		require.NoError(t, os.WriteFile(filepath.Join(work, id+".wgsl"), []byte(source), 0o644))
	}
	return NewExport(t.Context(), work, "", false, "")
}

func source(t *testing.T, id string) string {
	t.Helper()
	text, err := exercises.Reference(id)
	require.NoError(t, err)
	return text
}

// inside is the data that an exported page carries.
type inside struct {
	Exercises []Author                  `json:"kernels"`
	Shaders   map[string]exportedShader `json:"shaders"`
	Weights   numbers                   `json:"weights"`
}

var dataScript = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

func dataOf(t *testing.T, e *Export) inside {
	t.Helper()
	found := dataScript.FindSubmatch(e.HTML)
	require.NotNil(t, found)
	var data inside
	require.NoError(t, json.Unmarshal(found[1], &data))
	return data
}

func TestExportCarriesTheNetwork(t *testing.T) {
	relu := "// mine </script><!--\n" + strings.Replace(source(t, "relu"), "@workgroup_size(64)", "@workgroup_size(32)", 1)
	e, err := exported(t, map[string]string{"relu": relu})
	require.NoError(t, err)
	require.LessOrEqual(t, len(e.HTML), MaxExport)

	data := dataOf(t, e)
	require.Equal(t, exportedShader{relu, [3]uint32{32, 1, 1}, []string{"storage"}}, data.Shaders["relu"])
	linear := exportedShader{source(t, "linear"), [3]uint32{16, 16, 1}, []string{"uniform", "read-only-storage", "read-only-storage", "read-only-storage", "storage"}}
	require.Equal(t, linear, data.Shaders["linear"])
	for _, k := range data.Exercises {
		require.Equal(t, k.Name == "relu", k.Own, k.Name)
	}
	weights, err := mlp.Trained()
	require.NoError(t, err)
	require.Equal(t, numbersOf(weights), data.Weights)
	require.Len(t, data.Weights.W1, 4*mlp.Inputs*mlp.Hidden)
}

// In bytes, the weights take a quarter of the room, and the page has the shaders that run them.
func TestExportInBytes(t *testing.T) {
	whole, err := exported(t, nil)
	require.NoError(t, err)
	e, err := NewExport(t.Context(), t.TempDir(), "", true, "")
	require.NoError(t, err)
	data := dataOf(t, e)
	require.Len(t, data.Weights.W1, mlp.Inputs*mlp.Hidden)
	require.Len(t, data.Weights.S1, 4*mlp.Hidden)
	require.Contains(t, data.Shaders, "linear-int8")
	require.NotContains(t, data.Shaders, "linear")
	t.Logf("the page has %d bytes, and %d with floats", len(e.HTML), len(whole.HTML))
	require.Less(t, len(e.HTML), len(whole.HTML)*4/10)
}

// A page must name each address that it could load from elsewhere.
func TestExportNamesNothingOutside(t *testing.T) {
	e, err := exported(t, nil)
	require.NoError(t, err)
	page := dataScript.ReplaceAll(e.HTML, nil)
	for _, outside := range []string{"http:", "https:", "//cdn", "import(", "fetch(", "XMLHttpRequest", "WebSocket", "\nimport "} {
		require.NotContains(t, string(page), outside)
	}
	require.Contains(t, string(page), `content="default-src &#39;none&#39;; script-src &#39;sha256-`)
}

func TestExportTakesNoEndlessShader(t *testing.T) {
	_, err := exported(t, map[string]string{
		"relu":    source(t, "relu") + "//" + strings.Repeat("x", 200_000),
		"softmax": source(t, "softmax") + "//" + strings.Repeat("x", 250_000),
	})
	require.ErrorContains(t, err, "but the limit is 1000000")
	require.ErrorContains(t, err, "the shader softmax by itself has 25")
}

// Without a driver the simulator checks the shaders, unless a driver is asked for.
func TestExportWithoutADriver(t *testing.T) {
	t.Setenv("VK_DRIVER_FILES", filepath.Join(t.TempDir(), "none.json"))
	t.Setenv("VK_ICD_FILENAMES", filepath.Join(t.TempDir(), "none.json"))
	_, err := exported(t, nil)
	require.NoError(t, err)
	t.Setenv(gpu.EngineVariable, "cpu")
	_, err = exported(t, nil)
	require.ErrorIs(t, err, shader.ErrNoAdapter)
}
