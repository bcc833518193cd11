package vet

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"gotest.tools/v3/golden"
)

// readFile reads a shader under the name that reports use.
func readFile(t *testing.T, path, name string) *Report {
	t.Helper()
	read := os.ReadFile
	if solution, ok := strings.CutPrefix(path, inCourse); ok {
		read, path = exercises.Files.ReadFile, solution
	}
	text, err := read(path)
	require.NoError(t, err)
	return Read(name, string(text))
}

func testdata(t *testing.T, name string) *Report {
	t.Helper()
	return readFile(t, filepath.Join("testdata", name), name)
}

// inCourse is the folder of the exercises, whose solutions are no files.
const inCourse = "../../../exercises/"

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.FromSlash(pattern))
	if solutions, ok := strings.CutPrefix(pattern, inCourse); ok {
		paths, err = exercises.Files.Glob(solutions)
		for i, name := range paths {
			paths[i] = inCourse + name
		}
	}
	require.NoError(t, err)
	require.NotEmpty(t, paths, pattern)
	return paths
}

func written(t *testing.T, write func(io.Writer, []*Report) error, files ...*Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b, files))
	return b.String()
}

// The reports of the shaders in testdata, as people and programs read them.
func TestReports(t *testing.T) {
	for _, path := range glob(t, "testdata/*.wgsl") {
		name := filepath.Base(path)
		f := testdata(t, name)
		golden.Assert(t, written(t, Text, f), "golden/"+strings.TrimSuffix(name, ".wgsl")+".txt")
	}
	golden.Assert(t, written(t, JSON, testdata(t, "barrier.wgsl")), "golden/barrier.json")
	golden.Assert(t, written(t, SARIF, testdata(t, "barrier.wgsl")), "golden/barrier.sarif")
	golden.Assert(t, written(t, JSON, testdata(t, "legal.wgsl")), "golden/legal.json")
	golden.Assert(t, written(t, SARIF, testdata(t, "legal.wgsl")), "golden/legal.sarif")
}

func TestFiveMistakesAreFiveFindings(t *testing.T) {
	for _, name := range []string{"five-mistakes.wgsl", "five-types.wgsl"} {
		f := testdata(t, name)
		var wanted, got []int
		for i, line := range strings.Split(f.shader.Source.Text, "\n") {
			if strings.Contains(line, "// mistake") {
				wanted = append(wanted, i+1)
			}
		}
		for _, found := range f.Findings {
			got = append(got, found.Line)
		}
		require.Len(t, wanted, 5)
		assert.Equal(t, wanted, got, name)
	}
}

func TestNothingFound(t *testing.T) {
	f := Read("empty.wgsl", "")
	assert.True(t, f.Valid())
	assert.Equal(t, "1 shader, nothing found\nvet doesn't run shaders: wgslab simulate and wgslab test find races and wrong values.\n", written(t, Text, f))
	assert.Equal(t, "[]\n", written(t, JSON, f))
	assert.Empty(t, readSARIF(t, f).Runs[0].Results)
}

// A shader's text cannot control the terminal, whatever part of it is shown.
func TestTextIsPlain(t *testing.T) {
	text := written(t, Text, Read("\x1b[2J.wgsl", "fn f() { \x1b]0;title\x07 let \u202ex = \x9b31m; }"))
	for _, r := range text {
		assert.False(t, r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e'), "%q", text)
	}
}

// large lists the shaders that need more workgroup memory or buffers than every device has, for
// speed, and get a finding about it.
var large = []string{"fast/any.wgsl", "fast/padded.wgsl", "fused/conv.wgsl", "fused/forward-block.wgsl", "fused/step-forward.wgsl", "fused/step-weights.wgsl"}

// The course's own shaders and the right answers have no error, and no finding that is certainly a
// mistake.
func TestRightShadersAreClean(t *testing.T) {
	paths := slices.Concat(glob(t, "../../../exercises/*/reference.wgsl"), glob(t, "../../../shaders/*/*.wgsl"), glob(t, "../../../exercises/*/right/*.wgsl"))
	var found []string
	for _, path := range paths {
		f := readFile(t, path, path)
		for _, said := range f.Findings {
			name := strings.TrimPrefix(filepath.ToSlash(path), "../../../shaders/")
			switch {
			case said.Kind == findings.LimitExceeded:
				found = append(found, name)
			case said.IsError() || said.Certainty == findings.Certain:
				assert.Fail(t, f.shader.Source.Format(said))
			}
		}
	}
	assert.Equal(t, large, found)
}

// A shader that enables an extension says that its device has it.
func TestExtensionsAreAllowed(t *testing.T) {
	for _, text := range []string{
		"enable f16;\nconst a = 1.0h;\n@compute @workgroup_size(1) fn main() { _ = a; }",
		"enable subgroups;\n@compute @workgroup_size(64) fn main(@builtin(subgroup_size) s: u32) { _ = subgroupAdd(s); }",
		"enable f16, subgroups;\n@compute @workgroup_size(64) fn main() { _ = subgroupAdd(1h); }",
	} {
		require.Empty(t, Read("x", text).Findings, text)
	}
	for _, text := range []string{"const a = 1.0h;", "@compute @workgroup_size(64) fn main() { _ = subgroupAdd(1u); }", "enable f8;"} {
		require.NotEmpty(t, Read("x", text).Findings, text)
	}
}

// refused lists the diagnoses of wrong answers that no WGSL compiler accepts; the others compile.
var refused = []string{
	"access-mode", "array-as-value", "atomic-access", "beyond-f32", "builtin-type", "declared-twice", "divergent-barrier", "divergent-subgroup", "extension-not-enabled", "index-type",
	"logical-operator", "missing-binding-attribute", "missing-braces", "missing-builtin", "missing-return", "missing-semicolon",
	"missing-type", "needs-parentheses", "no-implicit-conversion", "no-index", "not-a-statement", "not-wgsl", "read-only", "reserved-word",
	"return-type", "same-binding-twice", "ternary", "unbalanced", "uniform-alignment", "unknown-builtin", "unknown-member",
	"unknown-name", "unknown-type",
}

// either lists the diagnoses of which WGSL forbids only some: a loop that nothing can leave, but
// not every endless one; an entry point without a workgroup size, but not one that is too large
// for a device.
var either = []string{"did-not-finish", "workgroup-size"}

func TestWrongShadersAreRefusedWhereCompilersDo(t *testing.T) {
	for _, path := range glob(t, "../../../exercises/*/wrong/*.wgsl") {
		f := readFile(t, path, path)
		first, _, _ := strings.Cut(f.shader.Source.Text, "\n")
		diagnosis := strings.TrimPrefix(strings.TrimSpace(first), "// diagnosis: ")
		if !slices.Contains(either, diagnosis) {
			assert.Equal(t, slices.Contains(refused, diagnosis), !f.Valid(), "%s (%s)", path, diagnosis)
		}
	}
}

// Tint, the WGSL compiler of Chromium, rejects the same shaders.
func TestWrongShadersAgainstTint(t *testing.T) {
	program, err := exec.LookPath("tint")
	if err != nil {
		t.Skip("left out: put tint on the PATH to compare the wrong shaders with a second compiler")
	}
	for _, path := range glob(t, "../../../exercises/*/wrong/*.wgsl") {
		f := readFile(t, path, path)
		if slices.ContainsFunc(f.Findings, func(found *findings.Finding) bool { return found.Kind == "uniform-layout" }) {
			continue // Tint has a language feature that lays out uniform memory like storage
		}
		file := filepath.Join(t.TempDir(), "wrong.wgsl")
		require.NoError(t, os.WriteFile(file, []byte(f.shader.Source.Text), 0o644))
		err := exec.CommandContext(t.Context(), program, "--format", "wgsl", file).Run()
		assert.Equal(t, err == nil, f.Valid(), "%s: Tint says %v", path, err)
	}
}

// A sarif holds the parts of a SARIF log that its readers use, by name.
type sarif struct {
	Schema  string `json:"$schema"`
	Version string
	Runs    []struct {
		ColumnKind string
		Tool       struct {
			Driver struct {
				Name, InformationURI string
				Rules                []struct {
					ID                                      string
					ShortDescription, FullDescription, Help struct{ Text string }
				}
			}
		}
		Results []struct {
			RuleID, Level               string
			RuleIndex                   int
			Message                     struct{ Text string }
			Locations, RelatedLocations []struct {
				ID               int
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           region
				}
				Message struct{ Text string }
			}
			Fixes []struct {
				Description     struct{ Text string }
				ArtifactChanges []struct {
					ArtifactLocation struct{ URI string }
					Replacements     []struct {
						DeletedRegion   region
						InsertedContent struct{ Text string }
					}
				}
			}
		}
	}
}

type region struct{ StartLine, StartColumn, EndLine, EndColumn int }

func readSARIF(t *testing.T, files ...*Report) sarif {
	t.Helper()
	var log sarif
	require.NoError(t, json.Unmarshal([]byte(written(t, SARIF, files...)), &log))
	require.Equal(t, "2.1.0", log.Version)
	require.Contains(t, log.Schema, "sarif-schema-2.1.0.json")
	require.Len(t, log.Runs, 1)
	require.Equal(t, "unicodeCodePoints", log.Runs[0].ColumnKind)
	return log
}

// offset converts a line and a column in code points to an offset in code points, by SARIF's own
// rules.
func offset(text string, line, column int) int {
	at, runes := 0, []rune(text)
	for ; line > 1; line-- {
		for runes[at] != '\n' && runes[at] != '\r' {
			at++
		}
		if runes[at] == '\r' && at+1 < len(runes) && runes[at+1] == '\n' {
			at++
		}
		at++
	}
	return at + column - 1
}

func (r region) of(text string) (start, end int) {
	return offset(text, r.StartLine, r.StartColumn), offset(text, r.EndLine, r.EndColumn)
}

// TestSARIF reads the log of every shader with findings, as code scanning does. Each result has
// its rule, and each place covers the intended characters. Each fix, applied from the log alone,
// has the effect of its edits.
func TestSARIF(t *testing.T) {
	results, related, fixes := 0, 0, 0
	for _, path := range slices.Concat(glob(t, "testdata/*.wgsl"), glob(t, "../../../exercises/*/wrong/*.wgsl")) {
		f := readFile(t, path, filepath.ToSlash(path))
		text := f.shader.Source.Text
		run := readSARIF(t, f).Runs[0]
		covers := func(r region, span syntax.Span) {
			start, end := r.of(text)
			assert.Equal(t, []rune(f.shader.Source.Slice(span)), []rune(text)[start:end], "%s: %+v", path, r)
		}
		for _, rule := range run.Tool.Driver.Rules {
			for _, said := range []string{rule.ID, rule.ShortDescription.Text, rule.FullDescription.Text, rule.Help.Text} {
				assert.NotEmpty(t, said, path)
			}
		}
		require.Len(t, run.Results, len(f.Findings), path)
		for i, result := range run.Results {
			found := f.Findings[i]
			results++
			assert.Equal(t, string(found.Kind), result.RuleID)
			assert.Equal(t, string(found.Kind), run.Tool.Driver.Rules[result.RuleIndex].ID)
			assert.Contains(t, []string{"error", "warning", "note"}, result.Level)
			assert.Equal(t, found.Severity == findings.Error, result.Level == "error")
			assert.Contains(t, result.Message.Text, found.Message)
			assert.Contains(t, result.Message.Text, found.Hint)
			require.Len(t, result.Locations, 1)
			assert.Equal(t, f.Name, result.Locations[0].PhysicalLocation.ArtifactLocation.URI)
			covers(result.Locations[0].PhysicalLocation.Region, found.Span)
			require.Len(t, result.RelatedLocations, len(found.Related))
			for j, r := range result.RelatedLocations {
				related++
				assert.Equal(t, found.Related[j].Message, r.Message.Text)
				covers(r.PhysicalLocation.Region, found.Related[j].Span)
			}
			require.Len(t, result.Fixes, len(found.Fixes))
			for j, fix := range result.Fixes {
				fixes++
				require.Len(t, fix.ArtifactChanges, 1)
				require.Len(t, fix.ArtifactChanges[0].Replacements, len(found.Fixes[j].Edits))
				for k, r := range fix.ArtifactChanges[0].Replacements {
					covers(r.DeletedRegion, found.Fixes[j].Edits[k].Span)
					assert.Equal(t, found.Fixes[j].Edits[k].New, r.InsertedContent.Text)
				}
			}
		}
	}
	assert.Greater(t, results, 100)
	assert.Greater(t, related, 10)
	assert.Greater(t, fixes, 30)
}

// The log describes a rule once, however many results and files it has.
func TestSARIFNamesEachRuleOnce(t *testing.T) {
	run := readSARIF(t, testdata(t, "five-types.wgsl"), testdata(t, "five-types.wgsl"), testdata(t, "legal.wgsl")).Runs[0]
	seen := map[string]bool{}
	for _, rule := range run.Tool.Driver.Rules {
		assert.False(t, seen[rule.ID], rule.ID)
		seen[rule.ID] = true
	}
	assert.Greater(t, len(run.Results), 10)
}

func TestURIs(t *testing.T) {
	for name, wanted := range map[string]string{
		"work/add.wgsl":     "work/add.wgsl",
		"my shader #1.wgsl": "my%20shader%20%231.wgsl",
		"a:b.wgsl":          "./a:b.wgsl",
		"/tmp/ä.wgsl":       "file:///tmp/%C3%A4.wgsl",
		"<stdin>":           "%3Cstdin%3E",
	} {
		uri := uri(name)
		assert.Equal(t, wanted, uri)
		_, err := url.Parse(uri)
		assert.NoError(t, err)
	}
}

// Columns are characters: not bytes, and not the UTF-16 units of editors.
func TestColumnsAreCharacters(t *testing.T) {
	f := Read("x.wgsl", "/* ä😀 */ var<private> x: f32 = 1u;")
	require.Len(t, f.Findings, 1)
	at := f.Findings[0].Region
	before, _, _ := strings.Cut(f.shader.Source.Text, "1u")
	assert.Equal(t, 1+len([]rune(before)), at.Column)
	assert.NotEqual(t, 1+len(before), at.Column)
	assert.NotEqual(t, 1+len(utf16.Encode([]rune(before))), at.Column)
}
