package cell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ipynb/cell"
)

const (
	importCheck = "import \"github.com/wgslab/wgslab/pkg/check\"\n"
	plainCheck  = "%noautoget\n" + importCheck + "\n%%\ncheck.Exercise(\"add\")"
)

func TestReadCallWhateverItsLayout(t *testing.T) {
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
		found, ok := cell.ReadCall(code)
		require.True(t, ok, code)
		require.Equal(t, "check.Exercise", found.Function)
		require.Equal(t, []string{"add"}, found.Arguments)
	}
	found, ok := cell.ReadCall("import \"github.com/wgslab/wgslab/pkg/course\"\n%%\ncourse.Here(0x3)")
	require.True(t, ok)
	require.Equal(t, cell.Call{Function: "course.Here", Arguments: []string{"3"}, Package: "course"}, found)
	found, ok = cell.ReadCall("import \"github.com/wgslab/wgslab/pkg/trace\"\n%%\ntrace.Compare(\"a\", \"b\")")
	require.True(t, ok)
	require.Equal(t, cell.Call{Function: "trace.Compare", Arguments: []string{"a", "b"}, Package: "trace"}, found)
}

func TestReadCallRefusesAnythingElse(t *testing.T) {
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
		_, ok := cell.ReadCall(code)
		require.False(t, ok, code)
	}
}

func TestChecked(t *testing.T) {
	for code, want := range map[string]string{
		plainCheck: "add",
		"import \"github.com/wgslab/wgslab/pkg/check\"\n\nfunc main() {\n\tcheck.Exercise(`relu`)\n}": "relu",
		"%%\nfmt.Println(1)\ncheck.Exercise(\"a\")\ncheck.Exercise(\"b\")":                            "a",
		"%%\n// check.Exercise(\"add\")":                                                              "",
		"%%\ns := `check.Exercise(\"add\")`":                                                          "",
		"%%\ncheck.Exercise(id)":                                                                      "",
		"%%\ncheck.Exercise(\"add\"":                                                                  "",
		"%%writefile work/add.wgsl\n// check.Exercise(\"add\")":                                       "",
		"": "",
	} {
		id, ok := cell.Checked(code)
		require.Equal(t, want, id, code)
		require.Equal(t, want != "", ok, code)
	}
}
