package answers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/worker/kept"
)

const (
	importCheck = "import \"github.com/wgslab/wgslab/pkg/check\"\n"
	plainCheck  = "%noautoget\n" + importCheck + "\n%%\ncheck.Exercise(\"add\")"
)

func TestRecognise(t *testing.T) {
	for _, code := range []string{
		plainCheck,
		plainCheck + "\n\n",
		importCheck + "%%\ncheck.Exercise(`add`)",
		importCheck + "%main\n\tcheck . Exercise (\n\"\\x61dd\",\n)\n",
		"// Now check it.\n" + importCheck + "/* and\nso on */\n%%\n// here\ncheck.Exercise(\"add\") // yes\n",
		"import (\n\tc \"github.com/wgslab/wgslab/pkg/check\"\n)\n\nfunc main() { c.Exercise(\"add\") }\n",
		"import `github.com/wgslab/wgslab/pkg/check`\n%%\ncheck.Exercise(\"add\");",
		strings.ReplaceAll(plainCheck, "\n", "\r\n"),
	} {
		found, ok := recognise(code)
		require.True(t, ok, code)
		require.Equal(t, kept.Check, found.kind)
		require.Equal(t, []string{"add"}, found.arguments)
	}
	found, ok := recognise("import \"github.com/wgslab/wgslab/pkg/course\"\n%%\ncourse.Here(0x3)")
	require.True(t, ok)
	require.Equal(t, call{kind: kept.Map, arguments: []string{"3"}, name: "course"}, found)
	found, ok = recognise("import \"github.com/wgslab/wgslab/pkg/trace\"\n%%\ntrace.Compare(\"a\", \"b\")")
	require.True(t, ok)
	require.Equal(t, call{kind: kept.Compare, arguments: []string{"a", "b"}, name: "trace"}, found)
}

func TestWhatIsAnythingMoreIsGoNBs(t *testing.T) {
	for _, code := range []string{
		"", "%%\ncheck.Exercise(\"add\")",
		importCheck,
		importCheck + "%%\n",
		plainCheck + "\ncheck.Exercise(\"add\")",
		plainCheck + "\nfmt.Println()",
		importCheck + "import \"fmt\"\n%%\ncheck.Exercise(\"add\")",
		importCheck + "var x = 1\n%%\ncheck.Exercise(\"add\")",
		importCheck + "func init() {}\n%%\ncheck.Exercise(\"add\")",
		importCheck + "%%\ncheck := 1\ncheck.Exercise(\"add\")",
		importCheck + "%%\ngo check.Exercise(\"add\")",
		importCheck + "%%\ndefer check.Exercise(\"add\")",
		importCheck + "%%\n_ = check.Exercise(\"add\")",
		importCheck + "%%\n{ check.Exercise(\"add\") }",
		importCheck + "%%\ncheck.Exercise(\"a\" + \"dd\")",
		importCheck + "%%\ncheck.Exercise(id)",
		importCheck + "%%\ncheck.Exercise()",
		importCheck + "%%\ncheck.Exercise(1)",
		importCheck + "%%\ncheck.Exercise([]string{\"add\"}...)",
		importCheck + "%%\ncheck.Exercise(\"add\")\n}\nfunc init() {\nprintln()",
		importCheck + "%%\nother.Exercise(\"add\")",
		importCheck + "%%\ncheck.Forward(forward)",
		importCheck + "%%\n%%\ncheck.Exercise(\"add\")",
		importCheck + "%% -x\ncheck.Exercise(\"add\")",
		importCheck + "%env A B\n%%\ncheck.Exercise(\"add\")",
		importCheck + "!ls\n%%\ncheck.Exercise(\"add\")",
		importCheck + "%%\n!ls\ncheck.Exercise(\"add\")",
		importCheck + "func main[T any]() { check.Exercise(\"add\") }",
		importCheck + "func (x X) main() { check.Exercise(\"add\") }",
		"import check \"example.com/github.com/wgslab/wgslab/pkg/check\"\n%%\ncheck.Exercise(\"add\")",
		"import check \"github.com/wgslab/wgslab/pkg/trace\"\n%%\ncheck.Here(1)",
		"import . \"github.com/wgslab/wgslab/pkg/check\"\n%%\nExercise(\"add\")",
		"//go:build ignore\n" + plainCheck,
		"package check\n" + plainCheck,
	} {
		_, ok := recognise(code)
		require.False(t, ok, code)
	}
}

// What earlier cells declare can make a check mean something else.
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
		c := NewCalls(nil)
		require.True(t, c.Takes(plainCheck))
		c.Passed(code)
		require.Equal(t, wanted, c.Takes(plainCheck), code)
	}
	c := NewCalls(nil)
	c.Passed("var check = 1")
	c.Passed("%reset")
	require.True(t, c.Takes(plainCheck), "GoNB has forgotten it")
}

// Of the notebooks' cells, those are answered here that should be: each call of one of
// the four functions with literals, as long as it stands alone.
func TestTheNotebooksCells(t *testing.T) {
	paths, err := filepath.Glob("../../../notebooks/*.ipynb")
	require.NoError(t, err)
	kinds := map[kept.Kind]int{}
	for _, path := range paths {
		c := NewCalls(nil)
		for _, code := range codeCells(t, path) {
			found, ok := c.read(code)
			alone := strings.HasSuffix(code, ")") && strings.Count(code[strings.LastIndex(code, "%%")+1:], "\n") == 1
			for kind := range parameters {
				if alone && strings.Contains(code, "%%\n"+string(kind)+"(") {
					require.True(t, ok, "%s: %s", path, code)
					require.Equal(t, kind, found.kind)
				}
			}
			if ok {
				kinds[found.kind]++
			} else if !strings.HasPrefix(code, "%%writefile") {
				c.Passed(code)
			}
		}
	}
	require.Equal(t, len(paths), kinds[kept.Map])
	require.GreaterOrEqual(t, kinds[kept.Check], 14)
	require.GreaterOrEqual(t, kinds[kept.Trace], 4)
	require.Equal(t, 1, kinds[kept.Compare])
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

func FuzzRecognise(f *testing.F) {
	f.Add(plainCheck)
	f.Fuzz(func(t *testing.T, code string) {
		c := NewCalls(nil)
		if found, ok := c.read(code); ok && len(found.arguments) != len(parameters[found.kind]) {
			t.Errorf("%q has %d arguments", found.kind, len(found.arguments))
		}
		c.Passed(code)
	})
}
