package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// storing returns the reference of an exercise, which stores something else in its output. In the
// pattern, VALUE is what it stores, INDEX is where, and NAUGHT is a zero that no compiler knows.
func storing(t *testing.T, e *course.Exercise, pattern string) string {
	t.Helper()
	reference, err := e.Reference()
	require.NoError(t, err)
	text := reference.Text
	var stores []*syntax.AssignStmt
	for s := range syntax.All[*syntax.AssignStmt](reference.Shader().File) {
		if s.LHS != nil && strings.HasPrefix(text[s.LHS.Span().Start:], e.Bindings[e.Output].Name) {
			stores = append(stores, s)
		}
	}
	require.NotEmpty(t, stores, e.ID)
	for _, s := range slices.Backward(stores) {
		value, index := s.RHS.Span(), "0u"
		if _, after, found := strings.Cut(text[s.LHS.Span().Start:s.LHS.Span().End], "["); found {
			index = strings.TrimSuffix(after, "]")
		}
		with := strings.NewReplacer("VALUE", "("+text[value.Start:value.End]+")", "INDEX", "("+index+")", "NAUGHT", "naught").Replace(pattern)
		text = text[:value.Start] + with + text[value.End:]
	}
	return text + "\nvar<private> naught: f32 = 0.0;\n"
}

// Many mistakes leave NaN, infinity or zeros, and some misconceptions do: neither proves the other.
func TestNoMisconceptionByNaN(t *testing.T) {
	const everyNaN = "VALUE * (NAUGHT / NAUGHT)"
	some := []string{"gemv", "grad-bias", "grad-weights", "patches", "matmul-tiled", "frame"}
	for _, c := range []struct {
		name, pattern string
		exercises     []string // nil for all
		allowed       []string // diagnoses from the values alone
	}{
		{"NaN", everyNaN, nil, []string{""}},
		{"NaN in a half", "select(VALUE, NAUGHT / NAUGHT, INDEX % 2u == 1u)", some, []string{""}},
		{"a root", "sqrt(NAUGHT - 1.0)", some, []string{""}},
		{"infinity", "1.0 / NAUGHT", some, []string{"", "constant"}},
		{"zeros", "NAUGHT", some, []string{"constant", "zero"}},
		{"zeros in a half", "select(VALUE, NAUGHT, INDEX % 2u == 1u)", some, []string{""}},
		{"one number", "NAUGHT + 0.5", some, []string{"constant"}},
	} {
		for _, e := range course.All() {
			if c.exercises != nil && !slices.Contains(c.exercises, e.ID) || e.Break != nil || e.IsOnHost() || e.Bindings[e.Output].Element() != shader.F32 {
				continue
			}
			source := shader.Read(e.ID+".wgsl", storing(t, e, c.pattern))
			v, err := Run(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, source, 1)
			require.NoError(t, err)
			require.False(t, v.Passed(), "%s in %s", c.name, e.ID)
			require.Contains(t, c.allowed, v.Slug, "%s in %s: %s", c.name, e.ID, v.Message)
		}
	}
}
