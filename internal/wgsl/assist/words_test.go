package assist

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var section = regexp.MustCompile(`^\d+(\.\d+)*$`)

// Every word that the front end knows has a sentence and a section, and the table has no other
// words.
func TestEveryWord(t *testing.T) {
	known := map[NameKind][]string{
		Keyword:         syntax.Keywords(),
		Attribute:       syntax.Attributes(^syntax.Placement(0)),
		DepthMode:       types.DepthModes(),
		Interpolation:   types.Interpolations(),
		Severity:        severities,
		DiagnosticRule:  types.DiagnosticRules(),
		Extension:       types.Extensions(),
		LanguageFeature: types.LanguageFeatures(),
	}
	for _, interpolation := range types.Interpolations() {
		known[Sampling] = append(known[Sampling], types.Samplings(interpolation)...)
	}
	for _, v := range types.BuiltinValues() {
		known[BuiltinValue] = append(known[BuiltinValue], v.Name)
	}
	for _, o := range types.Predeclared() {
		if o.Builtin == nil {
			known[kindOf(o)] = append(known[kindOf(o)], o.Name)
		}
	}
	used := map[*word]bool{}
	for kind, names := range known {
		assert.NotEmpty(t, names, kind)
		for _, name := range names {
			w := lookup(kind, name)
			if assert.NotNil(t, w, "words.txt lacks the %s %s", kind, name) {
				used[w] = true
			}
		}
	}
	for kind, words := range wordTable() {
		for name, w := range words {
			assert.True(t, used[w], "words.txt has the %s %s, which the front end does not know", kind, name)
			assert.Regexp(t, section, w.section, name)
			assert.NotEmpty(t, w.anchor, name)
			sentence(t, name, w.doc)
		}
	}
	for _, o := range types.Predeclared() {
		if kindOf(o) == TexelFormat {
			assert.NotNil(t, types.TexelFormatNamed(o.Name), "%s is not a texel format", o.Name)
		}
	}
}

// Every builtin function and constructor has a sentence and a section, and its signatures are
// explained.
func TestEveryBuiltin(t *testing.T) {
	for _, kind := range []types.BuiltinKind{types.FunctionBuiltin, types.ConstructorBuiltin} {
		for _, b := range types.Builtins(kind) {
			sentence(t, b.Name, b.Doc)
			if b.Needs != types.FeatureAtomicVec2uMinMax { // the specification has no section for it yet
				assert.Regexp(t, section, b.Section, b.Name)
			}
			assert.NotEmpty(t, Signatures(b), b.Name)
			for _, s := range Signatures(b) {
				assert.NotContains(t, s, "~", b.Name)
				assert.NotRegexp(t, `is (,|;|$)`, s, "every set has words")
			}
		}
	}
}

func sentence(t *testing.T, name, doc string) {
	t.Helper()
	assert.NotEmpty(t, doc, name)
	assert.NotContains(t, doc, ". ", "%s: one sentence", name)
}
