package coursecells

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

const (
	importCheck = "import \"github.com/wgslab/wgslab/pkg/check\"\n"
	plainCheck  = "%noautoget\n" + importCheck + "\n%%\ncheck.Exercise(\"add\")"
)

// The declarations of earlier cells can change the meaning of a check.
func TestWhatWasDeclaredBefore(t *testing.T) {
	for code, wanted := range map[string]bool{ // whether the check is still answered here
		"%noautoget\nimport \"fmt\"\n%%\nfmt.Println(1)":       true,
		importCheck + "%%\ncheck.Forward(forward)":             true,
		"%%\ncheck := 1\n_ = check":                            true,
		"func double(x int) int { return 2 * x }":              true,
		"func main() { println() }":                            true,
		"var xs = make([]float32, 8)":                          true,
		"var f = func() { println() }":                         true,
		"func (c *thing) check() {}":                           true,
		"var check = 1":                                        false,
		"var (\n\ta, check int\n)":                             false,
		"const check = 1":                                      false,
		"type check struct{ Exercise func(string) }":           false,
		"func check() {}":                                      false,
		"import check \"strings\"":                             false,
		"import \"example.com/check\"":                         false,
		"import check \"github.com/wgslab/wgslab/pkg/course\"": false,
		"func init() { println() }":                            false,
		"func init_more() { println() }":                       false,
		"var _ = println2()":                                   false,
		"var x = <-channel":                                    false,
		"%env WGSLAB_ENGINE simulator":                         false,
		"!*go mod edit -replace a=b":                           false,
		"!ls":                                                  true,
		"var check = 1 +":                                      false,
	} {
		c := NewCalls(nil, nil)
		require.True(t, c.Takes(cell.Read(plainCheck)))
		c.Passed(cell.Read(code))
		require.Equal(t, wanted, c.Takes(cell.Read(plainCheck)), code)
	}
	c := NewCalls(nil, nil)
	require.Equal(t, "var check = 1", c.Passed(cell.Read("var check = 1")))
	require.Contains(t, c.Passed(cell.Read(plainCheck)), "wgslab_check.Exercise(", "the package has another name now")
	c.Passed(cell.Read("%reset"))
	require.Equal(t, plainCheck, c.Passed(cell.Read(plainCheck)))
	require.True(t, c.Takes(cell.Read(plainCheck)), "GoNB has forgotten it")
}

// The kernel itself answers exactly the notebooks' cells that it should: each call of one of the
// four functions with literals, if the cell has no other code.
func TestTheNotebooksCells(t *testing.T) {
	paths, err := filepath.Glob("../../../../../notebooks/*.ipynb")
	require.NoError(t, err)
	kinds := map[string]int{}
	for _, path := range paths {
		c := NewCalls(nil, nil)
		for _, code := range codeCells(t, path) {
			source := cell.Read(code)
			found, _ := source.Call()
			ok := c.Takes(source)
			alone := strings.HasSuffix(code, ")") && strings.Count(code[strings.LastIndex(code, "%%")+1:], "\n") == 1
			for _, kind := range []string{"check.Exercise", "course.Here", "trace.Exercise", "trace.Compare", "race.Count"} {
				if alone && strings.Contains(code, "%%\n"+kind+"(") {
					require.True(t, ok, "%s: %s", path, code)
					require.Equal(t, kind, found.Function)
				}
			}
			if ok {
				kinds[found.Function]++
			} else if !strings.HasPrefix(code, "%%writefile") {
				c.Passed(source)
			}
		}
	}
	require.Equal(t, len(paths), kinds["course.Here"])
	require.GreaterOrEqual(t, kinds["check.Exercise"], 14)
	require.GreaterOrEqual(t, kinds["trace.Exercise"], 4)
	require.Equal(t, 1, kinds["trace.Compare"])
}

func codeCells(t *testing.T, path string) (cells []string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var notebook struct {
		Cells []struct {
			Type   string `json:"cell_type"`
			Source []string
		}
	}
	require.NoError(t, json.Unmarshal(raw, &notebook))
	for _, cell := range notebook.Cells {
		if cell.Type == "code" {
			cells = append(cells, strings.Join(cell.Source, ""))
		}
	}
	return cells
}

func FuzzCalls(f *testing.F) {
	f.Add(plainCheck)
	f.Fuzz(func(t *testing.T, code string) {
		c := NewCalls(nil, nil)
		source := cell.Read(code)
		if found, _ := source.Call(); c.Takes(source) && len(found.Arguments) == 0 {
			t.Errorf("%q has no argument", found.Function)
		}
		c.Passed(source)
	})
}

// A cell with the host's calls gets what it uses from the learner's host file, beside what the
// session has.
func TestCellGetsTheHostFile(t *testing.T) {
	const program = "import \"github.com/wgslab/wgslab/pkg/wgpu\"\n\nfunc f(*wgpu.Device) { upload() }\n"
	c := NewCalls(nil, func(code string, declared []string) string { return code + strings.Join(declared, " ") })
	c.Passed(cell.Read("func upload() int { return 2 }"))
	require.Equal(t, program+"upload", c.Passed(cell.Read(program)))
	require.Equal(t, "func g() { upload() }", c.Passed(cell.Read("func g() { upload() }")), "it makes no calls")
}
