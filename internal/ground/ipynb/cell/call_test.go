package cell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

const (
	importCheck = "import \"github.com/wgslab/wgslab/pkg/check\"\n"
	plainCheck  = "%noautoget\n" + importCheck + "\n%%\ncheck.Exercise(\"add\")"
)

func TestCallWhateverItsLayout(t *testing.T) {
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
		found, ok := cell.Read(code).Call()
		require.True(t, ok, code)
		require.Equal(t, "check.Exercise", found.Function)
		require.Equal(t, []any{"add"}, found.Arguments)
	}
	found, ok := cell.Read("import \"github.com/wgslab/wgslab/pkg/course\"\n%%\ncourse.Here(0x3)").Call()
	require.True(t, ok)
	require.Equal(t, cell.CourseCall{Function: "course.Here", Arguments: []any{3}, Package: "course"}, found)
	found, ok = cell.Read("import \"github.com/wgslab/wgslab/pkg/trace\"\n%%\ntrace.Compare(\"a\", \"b\")").Call()
	require.True(t, ok)
	require.Equal(t, cell.CourseCall{Function: "trace.Compare", Arguments: []any{"a", "b"}, Package: "trace"}, found)
}

func TestCallRefusesAnythingElse(t *testing.T) {
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
		importCheck + "%%\ncheck.Exercise('a')",
		importCheck + "%%\ncheck.Exercise(1 << 40)",
		importCheck + "%%\ncheck.Exercise(10000000000)",
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
		"import . \"github.com/wgslab/wgslab/pkg/check\"\n%%\nExercise(\"add\")",
		"//go:build ignore\n" + plainCheck,
		"package check\n" + plainCheck,
	} {
		_, ok := cell.Read(code).Call()
		require.False(t, ok, code)
	}
}
