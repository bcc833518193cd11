package analysis_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// analyze runs the rules over a shader that must be free of errors.
func analyze(t *testing.T, path string) (*syntax.Source, []*findings.Finding) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return analyzeText(t, path, string(text))
}

func analyzeText(t *testing.T, path, text string) (*syntax.Source, []*findings.Finding) {
	t.Helper()
	front := wgsl.Read(path, text, types.Options{Features: types.AllFeatures})
	require.True(t, front.Valid(), "%s: %v", path, front.Findings)
	return front.Source, analysis.Analyze(front.Info)
}

var want = regexp.MustCompile("// want `([^`]*)`")

// TestRules reads the shaders in testdata: each rule reports exactly the marked lines, with the
// marked words.
func TestRules(t *testing.T) {
	for _, r := range analysis.Rules() {
		files, err := filepath.Glob(filepath.Join("testdata", string(r.Kind), "*.wgsl"))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(files), 2, "%s needs shaders that it speaks up about and others", r.Kind)
		for _, path := range files {
			t.Run(path, func(t *testing.T) {
				source, found := analyze(t, path)
				wanted := map[int]string{}
				for i, line := range strings.Split(source.Text, "\n") {
					if m := want.FindStringSubmatch(line); m != nil {
						wanted[i+1] = m[1]
					}
				}
				for _, f := range found {
					if f.Kind != r.Kind {
						continue
					}
					line := f.Line
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
	for i, r := range analysis.Rules() {
		assert.NotEmpty(t, r.Title, r.Kind)
		assert.Greater(t, len(r.Doc), 80, r.Kind)
		if i > 0 {
			assert.Less(t, analysis.Rules()[i-1].Kind, r.Kind, "in order")
		}
		_, err := os.Stat(strings.ReplaceAll(string(r.Kind), "-", "_") + ".go")
		assert.NoError(t, err, "each rule has its file")
	}
}

// worthAWord maps right answers to the likely rule that reports them. They compute the right values
// but access memory out of bounds. A check accepts them.
var worthAWord = map[string]findings.Kind{
	"vector-add/right/reads-before-the-guard.wgsl": findings.GuardIgnored, // it reads past the end and discards the value
}

// TestSilentAboutRightShaders checks that the rules report nothing in the course's own shaders and
// the right answers.
func TestSilentAboutRightShaders(t *testing.T) {
	files, err := exercises.Files.Glob("*/reference.wgsl")
	require.NoError(t, err)
	right, err := exercises.Files.Glob("*/right/*.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	warned := map[string]findings.Kind{}
	for _, name := range append(files, right...) {
		text, err := exercises.Files.ReadFile(name)
		require.NoError(t, err)
		source, found := analyzeText(t, name, string(text))
		for _, f := range found {
			if worthAWord[name] == f.Kind && f.Certainty == findings.Likely {
				warned[name] = f.Kind
				continue
			}
			assert.Fail(t, fmt.Sprintf("%s: %s", f.Certainty, source.Format(f)))
		}
	}
	assert.Equal(t, worthAWord, warned, "an exception that is none any more")
}
