package cell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

func TestSession(t *testing.T) {
	const head = "package main\n"
	for name, row := range map[string]struct {
		cells []string
		want  string // the program of f
	}{
		"one cell":           {[]string{"import \"fmt\"\nimport \"os\"\n\n// f is.\nfunc f() { fmt.Println() }\n%%\nf()"}, head + "\nimport \"fmt\"\n\n// f is.\nfunc f() { fmt.Println() }\n"},
		"a helper":           {[]string{"func must() {}", "func f() { must() }"}, head + "\n\nfunc must() {}\n\nfunc f() { must() }\n"},
		"a helper after it":  {[]string{"func f() { must() }", "func must() {}"}, head + "\n\nfunc f() { must() }\n\nfunc must() {}\n"},
		"the last one":       {[]string{"func f() { a() }", "func a() {}", "func f() {}"}, head + "\n\nfunc f() {}\n"},
		"a method":           {[]string{"type T int", "func (t *T) m() { g() }", "func g() {}", "func f(T) {}"}, head + "\n\ntype T int\n\nfunc (t *T) m() { g() }\n\nfunc g() {}\n\nfunc f(T) {}\n"},
		"a method again":     {[]string{"type T int", "func (T) m() {}", "func (T) m() { _ = 1 }", "func f(T) {}"}, head + "\n\ntype T int\n\nfunc (T) m() { _ = 1 }\n\nfunc f(T) {}\n"},
		"another name":       {[]string{"import x \"math\"", "import \"math\"\nfunc f() { x.Pi() }"}, head + "\nimport x \"math\"\n\nfunc f() { x.Pi() }\n"},
		"no package":         {[]string{"import \"x/digits\"", "func f() { digits := g(); digits.Release() }"}, head + "\n\nfunc f() { digits := g(); digits.Release() }\n"},
		"commands":           {[]string{"%noautoget\n!ls\nfunc f() {}"}, head + "\n\nfunc f() {}\n"},
		"no Go beside it":    {[]string{"func g( {", "func f() {}"}, head + "\n\nfunc f() {}\n"},
		"nothing is missing": {[]string{"func f() { g() }"}, head + "\n\nfunc f() { g() }\n"},
	} {
		var s cell.Session
		for _, code := range row.cells {
			_, err := s.Add(cell.Read(code))
			require.Equal(t, code == "func g( {", err != nil, code)
		}
		require.Equal(t, row.want, s.Program("f"), name)
	}
	var s cell.Session
	names, err := s.Add(cell.Read("var a, b = 1, 2\nfunc f() {}\nfunc (T) m() {}\n%%\nf()"))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "f"}, names)
}
