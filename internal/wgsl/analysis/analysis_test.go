package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/flow"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// analyze runs the rules over a shader that must be free of errors.
func analyze(t *testing.T, path string) (*syntax.Source, []Finding) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	source := syntax.NewSource(path, string(text))
	file, diagnostics := syntax.Parse(source)
	require.Empty(t, diagnostics, path)
	info, diagnostics := types.Check(file, types.Options{})
	diagnostics = append(diagnostics, flow.Behaviors(file)...)
	require.False(t, syntax.HasErrors(diagnostics), "%s: %v", path, diagnostics)
	return source, Analyze(info)
}

var want = regexp.MustCompile("// want `([^`]*)`")

// TestRules reads the shaders in testdata: each rule reports exactly the lines that ask for it, with those words.
func TestRules(t *testing.T) {
	for _, r := range Rules() {
		files, err := filepath.Glob(filepath.Join("testdata", r.Name, "*.wgsl"))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(files), 2, "%s needs shaders that it speaks up about and others", r.Name)
		for _, path := range files {
			t.Run(path, func(t *testing.T) {
				source, findings := analyze(t, path)
				wanted := map[int]string{}
				for i, line := range strings.Split(source.Text, "\n") {
					if m := want.FindStringSubmatch(line); m != nil {
						wanted[i+1] = m[1]
					}
				}
				for _, f := range findings {
					if f.Rule != r {
						continue
					}
					line := source.Position(f.Span.Start).Line
					assert.Contains(t, wanted, line, f.Message)
					assert.Contains(t, f.Message, wanted[line])
					assert.NotEmpty(t, f.Hint)
					delete(wanted, line)
				}
				assert.Empty(t, wanted, "not reported")
			})
		}
	}
}

func TestRulesAreDocumented(t *testing.T) {
	for i, r := range Rules() {
		assert.NotEmpty(t, r.Title, r.Name)
		assert.Greater(t, len(r.Doc), 80, r.Name)
		assert.NotNil(t, r.run, r.Name)
		if i > 0 {
			assert.Less(t, Rules()[i-1].Name, r.Name, "in order")
		}
		_, err := os.Stat(strings.ReplaceAll(r.Name, "-", "_") + ".go")
		assert.NoError(t, err, "each rule has its file")
	}
}

// worthAWord are right answers of which a likely rule speaks, and the rule: what they do gives the right values and is
// out of bounds all the same. A check passes them.
var worthAWord = map[string]string{
	"vector-add/right/reads-before-the-guard.wgsl": "guard-ignored", // it reads past the end, and throws away what it got
}

// TestSilentAboutRightShaders keeps the rules from speaking up about the course's own shaders and the right answers.
func TestSilentAboutRightShaders(t *testing.T) {
	files, err := filepath.Glob("../../../shaders/*.wgsl")
	require.NoError(t, err)
	right, err := filepath.Glob("../../../internal/lesson/testdata/*/right/*.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	warned := map[string]string{}
	for _, path := range append(files, right...) {
		source, findings := analyze(t, path)
		_, name, _ := strings.Cut(path, "testdata/")
		for _, f := range findings {
			if worthAWord[name] == f.Rule.Name && f.Rule.Certainty == Likely {
				warned[name] = f.Rule.Name
				continue
			}
			assert.Fail(t, fmt.Sprintf("%s: %s", f.Rule.Certainty, f.Format(source)))
		}
	}
	assert.Equal(t, worthAWord, warned, "an exception that is none any more")
}
