package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/junit"
	"github.com/wgslab/wgslab/internal/observe/capture/capturetest"
)

const (
	testedSum = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&out)) { return; }
    var sum = 0.0;
    for (var i = 0u; i <= id.x; i++) { sum += x[i]; }
    out[id.x] = sum;
}
`
	testBindings = `dispatch = "cover"
extent = ["n"]
output = "out"
[[bindings]]
name = "x"
access = "read"
type = "array<f32>"
length = "n"
fill = {floats = 10}
[[bindings]]
name = "out"
access = "read_write"
type = "array<f32>"
length = "n"
fill = {old = "nan"}
`
	fourNumbers = `[[cases]]
name = "four"
sizes = {n = 4}
fill = {x = {value = [1, 2, 3, 4]}}
expect = {out = [1, 3, 6, 10]}
`
	asTheSlowOne = "reference = \"slow.wgsl\"\n" + testBindings + "[[cases]]\nsizes = {n = [1, 64, 65, {from = 70, to = 90}]}\n" + fourNumbers
)

// project makes a folder with files, and goes there.
func project(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

func TestShadersAreTested(t *testing.T) {
	project(t, map[string]string{"a/sum.wgsl": testedSum, "a/slow.wgsl": testedSum, "a/sum_test.toml": asTheSlowOne, "a/.hidden/x_test.toml": "not read"})
	code, stdout, stderr := wgslab(t, "test", "-v", "--seed", "3")
	require.Equal(t, 0, code, stdout+stderr)
	require.Regexp(t, `✓ a/sum_test\.toml, same as slow\.wgsl \(.*\n✓ a/sum_test\.toml, four \(.*\n2 tests passed, 0 failed \(seed 3\)`, stdout)
}

// The test file that docs/any-shader.md shows runs, with its limit for costs.
func TestTheTestFileInTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/any-shader.md")
	require.NoError(t, err)
	block := func(of string) string {
		for _, b := range regexp.MustCompile("(?s)```(?:toml|wgsl)\n(.*?)```").FindAllStringSubmatch(string(document), -1) {
			if strings.Contains(b[1], of) {
				return b[1]
			}
		}
		t.Fatalf("the document has no block with %s", of)
		return ""
	}
	passes := "@group(0) @binding(0) var<storage, read> x: array<f32>;\n@group(0) @binding(1) var<storage, read_write> out: array<f32>;\n@group(0) @binding(2) var<storage, read_write> plan: array<u32>;\n" +
		"@compute @workgroup_size(1) fn scan() { plan[0] = 4u; }\n@compute @workgroup_size(1) fn add(@builtin(global_invocation_id) id: vec3u) { for (var i = 0u; i <= id.x; i++) { out[id.x] = select(x[i], out[id.x] + x[i], i > 0u); } }\n"
	project(t, map[string]string{
		"scan.wgsl": testedSum, "slow-scan.wgsl": testedSum, "scan_test.toml": block("slow-scan") + strings.Replace(block("[large]"), "65536", "500", 1),
		"scaled.wgsl": block("scale = 2"), "luma.wgsl": block("luma("),
		"passes.wgsl": passes, "passes_test.toml": block("bind = {"), "wgslab.toml": block("[[variant]]"), "types.wgsl": "", "half.wgsl": "",
	})
	code, stdout, stderr := wgslab(t, "test")
	require.Equal(t, 0, code, stdout+stderr)
	require.Contains(t, stdout, "7 tests passed")
}

// The document's first shader gets what the document shows of it.
func TestTheFirstScreenOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/any-shader.md")
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(document), "\n## ")
	blocks := regexp.MustCompile("(?s)```(wgsl|console)\n(.*?)```").FindAllStringSubmatch(first, -1)
	require.Len(t, blocks, 4)
	project(t, map[string]string{"sum.wgsl": blocks[0][2]})
	for _, block := range blocks[1:] {
		command, shown, _ := strings.Cut(block[2], "\n")
		_, stdout, stderr := wgslab(t, strings.Fields(strings.TrimPrefix(command, "$ wgslab "))...)
		require.Contains(t, stdout+stderr, shown, command)
	}
}

// The commands of the document's eleven tasks run.
func TestTheCommandsInTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/any-shader.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(document), "\n## Eleven tasks")
	table, _, _ = strings.Cut(table, "\n## ")
	tasks := regexp.MustCompile(`(?m)^\|[^|]+\| .*\|$`).FindAllString(table, -1)[1:]
	require.Len(t, tasks, 11)
	const blur = "@group(0) @binding(0) var<storage, read> x: array<f32>;\n@group(0) @binding(1) var<storage, read_write> out: array<f32>;\n" +
		"@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n    if (id.x < arrayLength(&out)) { out[id.x] = x[id.x % arrayLength(&x)]; }\n}\n// test: x = 1 -> out = 1\n"
	project(t, map[string]string{
		"capture.wgpuc": string(capturetest.Frame().Binary()),
		"blur.wgsl":     blur, "net.wgsl": blur, "weights.bin": "four", "scan.wgsl": strings.ReplaceAll(scanning, "4u", "250u"),
		"tiles.wgsl": "override SIZE: u32 = 8;\n@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n" +
			"@compute @workgroup_size(SIZE) fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) i: u32) { out[(id.x + 4 * id.y) * SIZE + i] = 1.0; }\n",
	})
	ran := 0
	for _, task := range tasks {
		command := regexp.MustCompile("`wgslab ([^`]+)`").FindStringSubmatch(task)
		if command == nil {
			require.Contains(t, task, "run the same command")
			continue
		}
		ran++
		args := strings.Fields(command[1])
		if args[0] == "debug" {
			code, stdout, stderr := debugged(t, "q\n", args[1:]...)
			require.Equal(t, exitOK, code, task+stdout+stderr)
			continue
		}
		code, stdout, stderr := wgslab(t, args...)
		require.Equal(t, exitOK, code, task+stdout+stderr)
	}
	require.Equal(t, 10, ran)
}

// A mistake of each kind fails: a wrong value, a race that leaves right values, a subgroup's size,
// and a shader that doesn't compile. Each names its line.
func TestATestThatFails(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"wrong value":     {"i <= id.x", "i < id.x", "sum.wgsl:"},
		"out of bounds":   {"if (id.x >= arrayLength(&out)) { return; }", "", "sum.wgsl:"},
		"race":            {"out[id.x] = sum;", "out[0] = f32(id.x); out[id.x] = sum;", "sum.wgsl:7:"},
		"doesn't compile": {"var sum = 0.0", "var sum = 0", "sum.wgsl:6:"},
	} {
		t.Run(name, func(t *testing.T) {
			wrong := strings.Replace(testedSum, c.from, c.to, 1)
			require.NotEqual(t, testedSum, wrong)
			project(t, map[string]string{"sum.wgsl": wrong, "slow.wgsl": testedSum, "sum_test.toml": asTheSlowOne})
			code, stdout, _ := wgslab(t, "test", "--seed", "3")
			require.Equal(t, exitNotRight, code, stdout)
			require.Contains(t, stdout, "✗ sum_test.toml, ")
			require.Contains(t, stdout, c.want)
			require.NotContains(t, stdout, "not right yet", "that is for learners")
		})
	}
	project(t, map[string]string{
		"size.wgsl":      "enable subgroups;\n" + strings.NewReplacer("if (", "let ones = subgroupAdd(1.0);\n    if (", "= sum;", "= sum + ones - 32.0;").Replace(testedSum),
		"size_test.toml": testBindings + "[[cases]]\nsizes = {n = 64}\nfill = {x = {value = 0}}\nexpect = {out = [" + strings.TrimSuffix(strings.Repeat("0, ", 64), ", ") + "]}\n",
	})
	code, stdout, _ := wgslab(t, "test")
	require.Equal(t, exitNotRight, code, stdout)
	require.Contains(t, stdout, "subgroups of")
}

// If a size is drawn, the smallest one that fails is named: here the first that needs a second
// workgroup's sums.
func TestTheSmallestSizeThatFails(t *testing.T) {
	wrong := strings.Replace(testedSum, "var i = 0u;", "var i = id.x - id.x % 64u;", 1)
	for _, sizes := range []string{"{from = 30, to = 300}", "[1, 64, {from = 30, to = 300}]"} {
		project(t, map[string]string{"sum.wgsl": wrong, "slow.wgsl": testedSum,
			"sum_test.toml": "reference = \"slow.wgsl\"\n" + testBindings + "[[cases]]\nsizes = {n = " + sizes + "}\n"})
		code, stdout, _ := wgslab(t, "test", "--seed", "3")
		require.Equal(t, exitNotRight, code, stdout)
		require.Contains(t, stdout, "The smallest size that fails: n = 65, of 30 to 300.")
	}
	for sizes, c := range map[string]struct{ wrong, want string }{
		"[1, 64, {from = 100, to = 300}]": {"sum + 1.0", "n = 1.\n"},
		"[5, 64, {from = 100, to = 300}]": {"select(sum, sum + 1.0, arrayLength(&out) >= 3u)", "n = 3.\n"},
		"[64, {from = 66, to = 70}]":      {"select(sum, sum + 1.0, arrayLength(&out) == 64u)", "n = 64.\n"},
		"[64, {from = 100, to = 300}]":    {"select(sum, sum + 1.0, arrayLength(&out) > 102u)", "n = 103, of 100 to 300.\n"},
	} {
		project(t, map[string]string{"sum.wgsl": strings.Replace(testedSum, "= sum;", "= "+c.wrong+";", 1), "slow.wgsl": testedSum,
			"sum_test.toml": "reference = \"slow.wgsl\"\n" + testBindings + "[[cases]]\nsizes = {n = " + sizes + "}\n"})
		_, stdout, _ := wgslab(t, "test", "--seed", "3")
		require.Contains(t, stdout, "The smallest size that fails: "+c.want, sizes)
	}
}

func TestCostsHaveLimits(t *testing.T) {
	goal := "[large]\nsizes = {n = 512}\n[[cost]]\nname = \"reads\"\ncount = \"requests\"\nof = \"x\"\nlimit = 1.0\n"
	// The slow one reads no more than it must; the tested one reads each number twice.
	twice := strings.Replace(testedSum, "sum += x[i];", "sum += x[i] / 2.0 + x[(i + arrayLength(&x)) % arrayLength(&x)] / 2.0;", 1)
	project(t, map[string]string{"sum.wgsl": twice, "slow.wgsl": testedSum, "sum_test.toml": asTheSlowOne + goal})
	code, stdout, _ := wgslab(t, "test")
	require.Equal(t, exitNotRight, code, stdout)
	require.Contains(t, stdout, "All values are right. These costs are over their limits:\n  reads: ")
	require.NoError(t, os.WriteFile("sum.wgsl", []byte(testedSum), 0o644))
	code, stdout, _ = wgslab(t, "test")
	require.Equal(t, 0, code, stdout)
}

func TestAJUnitReportOfTests(t *testing.T) {
	project(t, map[string]string{"sum.wgsl": testedSum, "slow.wgsl": testedSum, "sum_test.toml": strings.Replace(asTheSlowOne, "6, 10", "6, 11", 1), "bad_test.toml": "cases = 3"})
	code, stdout, _ := wgslab(t, "test", "--json", "--seed", "1")
	require.Equal(t, exitAsked, code, stdout)
	var printed struct {
		Passed, Failed, Unreadable int
		Seed                       string
		Tests                      []testResult
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &printed))
	require.Equal(t, []any{1, 1, 1, "1"}, []any{printed.Passed, printed.Failed, printed.Unreadable, printed.Seed})
	require.Equal(t, "unreadable", printed.Tests[0].Outcome)
	require.Equal(t, "passed", printed.Tests[1].Outcome)
	four := printed.Tests[2]
	require.Equal(t, []string{"sum_test.toml", "four", "failed", "sum.wgsl"}, []string{four.File, four.Test, four.Outcome, four.Shader})
	require.Contains(t, four.Message, "should be 11, but is 10")
	code, stdout, _ = wgslab(t, "test", "--junit", "r.xml", "--seed", "1")
	require.Equal(t, exitAsked, code, stdout)
	require.Contains(t, stdout, "1 test passed, 1 failed, 1 could not run (seed 1)")
	data, err := os.ReadFile("r.xml")
	require.NoError(t, err)
	var r junit.Outcomes
	require.NoError(t, xml.Unmarshal(data, &r))
	require.Equal(t, 3, r.Tests)
	require.Equal(t, 1, r.Failures)
	require.Equal(t, 1, r.Errors)
	require.Equal(t, "four", r.Suites[1].Cases[1].Name)
	require.Contains(t, r.Suites[1].Cases[1].Failure.Message, "should be 11, but is 10")
}

// A SARIF report names the rule, the test and the place of each failure; the schema is checked in
// the tests of package vet, whose writer it is.
func TestASARIFReportOfTests(t *testing.T) {
	wrong := strings.Replace(testedSum, "out[id.x] = sum;", "out[0] = f32(id.x); out[id.x] = sum;", 1)
	project(t, map[string]string{"sum.wgsl": wrong, "slow.wgsl": testedSum, "sum_test.toml": asTheSlowOne, "bad_test.toml": "cases = 3"})
	code, stdout, _ := wgslab(t, "test", "--sarif", "r.sarif", "--seed", "1")
	require.Equal(t, exitAsked, code, stdout)
	data, err := os.ReadFile("r.sarif")
	require.NoError(t, err)
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, EndLine int }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &log))
	results := log.Runs[0].Results
	require.Len(t, results, 3)
	require.Equal(t, "unreadable-file", results[0].RuleID)
	require.Equal(t, "race", results[1].RuleID)
	require.Contains(t, results[1].Message.Text, "sum_test.toml, same as slow.wgsl: ")
	place := results[1].Locations[0].PhysicalLocation
	require.Equal(t, "sum.wgsl", place.ArtifactLocation.URI)
	require.Equal(t, 7, place.Region.StartLine)

	project(t, map[string]string{"sum.wgsl": testedSum, "slow.wgsl": testedSum, "sum_test.toml": asTheSlowOne})
	code, _, _ = wgslab(t, "test", "--sarif", "r.sarif")
	require.Equal(t, 0, code)
	data, err = os.ReadFile("r.sarif")
	require.NoError(t, err)
	require.Contains(t, string(data), `"results": []`)
}

// A test can be a comment in the shader.
func TestCommentsAreTests(t *testing.T) {
	const double = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> scale: f32;
@compute @workgroup_size(64) fn twice(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) { out[id.x] = x[id.x] * scale; }
}
// test: x = 1, 2, 3; scale = 2 → out = 2, 4, 6
// test: x = 100 times 1, 1 to 3; scale = 0.1
//   -> out = 100 times 0.1,
//   0.2, 0.3, 0.3 within 0.01
// test: a sentence is no test.
`
	project(t, map[string]string{"double.wgsl": double, "other.wgsl": testedSum})
	code, stdout, stderr := wgslab(t, "test", "-v", "--seed", "1")
	require.Equal(t, exitNotRight, code, stdout+stderr)
	require.Contains(t, stdout, "✗ double.wgsl, line 8\n")
	require.Contains(t, stdout, "✓ double.wgsl, line 7 (")
	require.Contains(t, stdout, "1 test passed, 1 failed")

	require.NoError(t, os.WriteFile("double.wgsl", []byte(strings.Replace(double, "0.2, 0.3, 0.3", "0.1, 0.2, 0.3", 1)), 0o644))
	code, stdout, _ = wgslab(t, "test", "double.wgsl")
	require.Equal(t, 0, code, stdout)
	require.NoError(t, os.WriteFile("double.wgsl", []byte(strings.Replace(double, "x[id.x] *", "x[id.x + 1] *", 1)), 0o644))
	code, stdout, _ = wgslab(t, "test", "double.wgsl")
	require.Equal(t, exitNotRight, code, stdout)
	require.Contains(t, stdout, "double.wgsl:5:")
	require.NoError(t, os.WriteFile("double.wgsl", []byte(strings.Replace(double, "* scale", "* ", 1)), 0o644))
	code, stdout, _ = wgslab(t, "test", "double.wgsl")
	require.Equal(t, exitNotRight, code, stdout)
	require.Contains(t, stdout, "double.wgsl:5:57\n", "a shader that doesn't compile fails its tests")
}

// WGSL promises no order of workgroups. A shader that waits for an earlier workgroup, or counts who
// came before, fails; one that takes a ticket, or lets the last one finish, passes.
func TestEveryOrderOfWorkgroups(t *testing.T) {
	const head = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> state: array<atomic<u32>>;
`
	const chained = `@compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3u) {
    let g = NUMBER;
    var before = 0u;
    while (g > 0u && before == 0u) { before = atomicLoad(&state[g]); }
    out[g] = before + 1u;
    atomicStore(&state[g + 1u], before + 1u);
}
// test: state = 10 times 0; workgroups = 8 → out = 1 to 8
`
	for name, c := range map[string]struct{ text, want string }{
		"waits":  {strings.Replace(chained, "NUMBER", "group.x", 1), "shader.wgsl:6:47\n  The shader never ends if workgroups or invocations run in another order."},
		"ticket": {strings.Replace(chained, "NUMBER", "atomicAdd(&state[9], 1u)", 1), ""},
		"counts": {`@compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3u) {
    atomicAdd(&state[0], 1u);
    out[group.x] = atomicLoad(&state[0]);
}
// test: state = 0; workgroups = 4 → out = 1 to 4
`, "shader.wgsl:5:20\n  The values depend on the order in which workgroups or invocations run."},
		"the last one": {`@compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3u) {
    atomicStore(&state[group.x], group.x);
    if (atomicAdd(&state[8], 1u) == 7u) {
        var sum = 0u;
        for (var i = 0u; i < 8u; i++) { sum += atomicLoad(&state[i]); }
        out[0] = sum;
    }
}
// test: state = 9 times 0; workgroups = 8 → out = 28
`, ""},
		"another entry point's": {`@group(0) @binding(0) var<storage, read> numbers: array<f32>;
@group(0) @binding(1) var<storage, read> more: array<f32>;
override much: u32;
var<workgroup> a: array<u32, 6000>;
var<workgroup> b: array<u32, 6000>;
@compute @workgroup_size(1) fn other() { a[0] = much + u32(numbers[0] + more[0]); }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { b[i] = atomicLoad(&state[i]); out[i] = b[i] * 2u; }
// test: entry = main; state = 1, 2, 3, 4 → out = 2, 4, 6, 8
`, ""},
		"lost update": {`@compute @workgroup_size(4) fn main() {
    atomicStore(&state[0], atomicLoad(&state[0]) + 1u);
}
// test: state = 0; workgroups = 1 → state = 4
`, "what that one wrote is lost"},
	} {
		t.Run(name, func(t *testing.T) {
			project(t, map[string]string{"shader.wgsl": head + c.text})
			code, stdout, stderr := wgslab(t, "test")
			if c.want == "" {
				require.Equal(t, 0, code, stdout+stderr)
				return
			}
			require.Equal(t, exitNotRight, code, stdout+stderr)
			require.Contains(t, strings.ReplaceAll(stdout, "\n  ", " "), strings.ReplaceAll(c.want, "\n  ", " "))
		})
	}
}

func TestTestsThatCannotRun(t *testing.T) {
	for want, file := range map[string]string{
		"there is no case":                      testBindings,
		"a case states no expected values":      testBindings + "[[cases]]\nsizes = {n = 3}\n",
		"out has 4 numbers, and 2 are expected": testBindings + strings.Replace(fourNumbers, "[1, 3, 6, 10]", "[1, 3]", 1),
		"y, which is no output":                 testBindings + strings.Replace(fourNumbers, "{out =", "{y =", 1),
		"use finite numbers":                    testBindings + strings.Replace(fourNumbers, "10]", "nan]", 1),
		"write each size as one number":         testBindings + strings.Replace(fourNumbers, "n = 4", "n = [4, 5]", 1),
		"line 1: there is no key refrence: choose from shader, reference, ": "refrence = \"slow.wgsl\"\n" + testBindings + fourNumbers,
		"reading the reference": strings.Replace(asTheSlowOne, "slow.wgsl", "gone.wgsl", 1),
		"gone.wgsl":             "shader = \"gone.wgsl\"\n" + testBindings + fourNumbers,
	} {
		project(t, map[string]string{"sum.wgsl": testedSum, "slow.wgsl": testedSum, "sum_test.toml": file})
		code, stdout, stderr := wgslab(t, "test")
		require.Equal(t, exitAsked, code, stdout)
		require.Contains(t, stdout+stderr, want)
	}
	project(t, map[string]string{"sum.wgsl": testedSum})
	for want, args := range map[string][]string{
		"there is no file that ends in _test.toml": {},
		"there is no file or folder gone":          {"gone"},
		"has no comment such as":                   {"sum.wgsl"},
		"--run":                                    {"--run", "("},
		"there is no engine \"abacus\"":            {"--engine", "abacus"},
	} {
		code, _, stderr := wgslab(t, append([]string{"test"}, args...)...)
		require.Equal(t, exitAsked, code, want)
		require.Contains(t, stderr, want)
	}
}

// What a failed test says is about its own cases. Nobody draws others, and too few workgroups are
// the test's mistake, not the shader's.
func TestAFailedTestSpeaksOfItself(t *testing.T) {
	const copied = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&out)) { out[id.x] = x[id.x]; }
}
`
	const summed = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sum: array<f32>;
@compute @workgroup_size(1) fn main() {
    var s = 0.0;
    for (var i = 0u; i < arrayLength(&x); i++) { s += x[i]; }
    sum[0] = s;
}
`
	pairs := strings.NewReplacer("out: array<f32>", "out: array<vec2f>", "x: array<f32>", "x: array<vec2f>").Replace(copied)
	for name, c := range map[string]struct{ shader, test, want string }{
		"a right sum":          {summed, "x = 1, 2, 3 → sum = 7", "`sum[0]` should be 7, but is 6."},
		"all alike":            {copied, "x = 4 times 2 → out = 4 times 3", "`out[0]` should be 3, but is 2."},
		"a workgroup":          {copied, "x = 1 to 10; workgroups = 1 → out = 1 to 10", "Nothing writes `out[4]` to `out[9]`: the test starts 4 invocations, and there are 10 elements."},
		"how many workgroups":  {copied, "x = 1 to 10; workgroups = 1 → out = 1 to 10", "It starts 1 workgroup of 4 in case line 1. Let it start 3, or let each"},
		"a rounded index":      {"enable f16;\n" + strings.Replace(copied, "x[id.x]", "x[u32(f16(id.x))]", 1), "x = 3000 times 7 → out = 3000 times 7", "`u32(f16(id.x))` is 2048 and not 2049, because an f16 holds all whole numbers only up to 2,048"},
		"a workgroup too few":  {copied, "x = 1 to 9; workgroups = 2 → out = 1 to 9", "Nothing writes `out[8]`: the test starts 8 invocations, and there are 9 elements."},
		"vectors":              {pairs, "x = 1 to 10; workgroups = 1 → out = 1 to 10", "Nothing writes `out[4]`: the test starts 4 invocations, and there are 5 elements."},
		"nothing done":         {strings.Replace(copied, "out[id.x] = x[id.x];", "_ = x[id.x];", 1), "x = 1, 2 → out = 1, 2", "Your shader ran, but it left `out` unchanged."},
		"the shader's number":  {strings.Replace(copied, "arrayLength(&out)", "3u", 1), "x = 1 to 10 → out = 1 to 10", "`out[3]` was never written."},
		"beyond f32":           {copied, "x = 1e39 → out = 1", "x: value: 1e+39 is not a value of type f32: the largest is 3.4028235e+38"},
		"beyond f32, expected": {copied, "x = 1 → out = -1e39", "the expected value of out[0]: -1e+39 is not a value of type f32"},
		"below 0":              {strings.ReplaceAll(copied, "f32", "u32"), "x = 1 → out = -1", "the expected value of out[0]: it is -1: use a whole number from 0 to 4294967295"},
		"a part":               {strings.ReplaceAll(copied, "f32", "i32"), "x = 1 → out = 1.5", "the expected value of out[0]: it is 1.5: use a whole number from -2147483648 to 2147483647"},
	} {
		t.Run(name, func(t *testing.T) {
			project(t, map[string]string{"a.wgsl": "// test: " + c.test + "\n" + c.shader})
			code, stdout, stderr := wgslab(t, "test", "--junit", "r.xml")
			require.NotEqual(t, 0, code, stdout+stderr)
			said := strings.Join(strings.Fields(stdout), " ")
			require.Contains(t, said, c.want)
			for _, course := range []string{"The check", "in every case", "however long", "The host decides", "The task"} {
				require.NotContains(t, said, course)
			}
			report, err := os.ReadFile("r.xml")
			require.NoError(t, err)
			require.Contains(t, strings.ReplaceAll(string(report), "`", ""), strings.ReplaceAll(c.want, "`", ""))
		})
	}
}

// An element that neither the shader nor the reference writes fails the test if no invocation is
// left for it. If the list is only longer than what it holds, the test says so.
func TestWhatNothingWrites(t *testing.T) {
	odd := strings.Replace(testedSum, "out[id.x] = sum;", "if (id.x % 2u == 0u) { out[id.x / 2u] = sum; }", 1)
	for name, c := range map[string]struct {
		shader, dispatch, sizes, want string
		code                          int
	}{
		"too few":     {testedSum, "n / 64", "130", "Nothing writes `out[128]` to `out[129]`: the test starts 128 invocations, and there are 130 elements.", exitNotRight},
		"in one case": {testedSum, "n / 64", "[64, 130, 256]", "in case n = 130", exitNotRight},
		"by one":      {testedSum, "n / 64", "65", "Nothing writes `out[64]`: the test starts 64 invocations", exitNotRight},
		"a long list": {odd, "(n + 63) / 64", "[64, 130]", "In no case does anything write `out[65]`, neither the shader nor what it is compared with: 65 numbers stay as they were.", 0},
		"too many":    {testedSum, "n", "130", "In case n = 130, only 3 of 130 workgroups have work: the others touch no element. Dispatch 3.", 0},
		"NaN":         {strings.Replace(testedSum, "= sum;", "= select(sum, sqrt(-1.0 - abs(sum)), id.x >= 64u);", 1), "(n + 63) / 64", "[64, 70, 130]", "1 test passed, 0 failed", 0},
		"enough":      {testedSum, "(n + 63) / 64", "[1, 130]", "1 test passed, 0 failed", 0},
	} {
		t.Run(name, func(t *testing.T) {
			test := strings.NewReplacer(`"cover"`, `"each"`, `extent = ["n"]`, `extent = ["`+c.dispatch+`"]`).Replace(testBindings)
			project(t, map[string]string{"sum.wgsl": c.shader, "slow.wgsl": c.shader, "sum_test.toml": "reference = \"slow.wgsl\"\n" + test + "[[cases]]\nsizes = {n = " + c.sizes + "}\n"})
			code, stdout, stderr := wgslab(t, "test")
			require.Equal(t, c.code, code, stdout+stderr)
			require.Contains(t, strings.Join(strings.Fields(stdout), " "), c.want)
		})
	}
}

// A pass is not to blame for what the pass before it leaves, even if the reference's needs nothing
// of that.
func TestAPassThatGetsWrongNumbers(t *testing.T) {
	const two = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> part: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64) fn gather(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&part)) { return; }
    var s = 0.0;
    for (var i = id.x * 8u; i < id.x * 8u + 8u; i++) { s += x[i]; }
    part[id.x] = s;
}
@compute @workgroup_size(1) fn finish() {
    var s = 0.0;
    for (var i = 0u; i < arrayLength(&part); i++) { s += part[i]; }
    out[0] = s;
}
`
	const test = `reference = "slow.wgsl"
output = "out"
tolerance = {absolute = 1e-3, relative = 1e-3}
passes = [{entry = "gather", dispatch = "cover", extent = ["n"]}, {entry = "finish", dispatch = "each", extent = [1]}]
bindings = [
  {name = "x", access = "read", type = "array<f32>", length = "8 * n", fill = {floats = 10}},
  {name = "part", access = "read_write", type = "array<f32>", length = "n", fill = {old = "nan"}},
  {name = "out", access = "read_write", type = "array<f32>", length = 1, fill = {old = "nan"}},
]
[[cases]]
sizes = {n = [1, 8, 13]}
`
	slow := strings.NewReplacer("    part[id.x] = s;\n", "    part[id.x] = 0.0 * out[0];\n", "arrayLength(&part); i++) { s += part[i]", "arrayLength(&x) + 0u * arrayLength(&part); i++) { s += x[i]").Replace(two)
	for from, want := range map[string]string{
		"id.x * 8u + 8u; i++":    "two.wgsl:7:",
		"part[id.x] = s;":        "two.wgsl:8:",
		"var i = 0u; i < arrayL": "two.wgsl:1", // the second pass
	} {
		wrong := strings.Replace(two, from, strings.NewReplacer("+ 8u", "+ 7u", "= s;", "= s + 1.0;", "= 0u", "= 1u").Replace(from), 1)
		require.NotEqual(t, two, wrong)
		project(t, map[string]string{"two.wgsl": wrong, "slow.wgsl": slow, "two_test.toml": test})
		code, stdout, stderr := wgslab(t, "test", "--seed", "1")
		require.Equal(t, exitNotRight, code, stdout+stderr)
		require.Contains(t, stdout, want, from)
		require.NotContains(t, stdout, "the mistake is in")
		require.NotContains(t, stdout, "look at `gather`")
	}
}

// Tests of functions, textures and cases with bind run beside the others: pictures are written and
// compared, failures name their place, and wrong use says what to do.
func TestBeyondBuffers(t *testing.T) {
	const bound = `shader = "tint.wgsl"
[[cases]]
name = "by numbers"
bind = {factor = [0.5, 1, 0, 1], out = "texture[2,2]"}
expect = {out = "2 times 0.5, 1, 0, 1"}
[[cases]]
name = "a picture"
bind = {factor = "0.5, 1, 0, 1", out = "texture[2,2]"}
workgroups = [1, 2]
expect = {out = "tinted.png"}
`
	const tint = `@group(1) @binding(0) var<uniform> factor: vec4f;
@group(1) @binding(4) var out: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) { textureStore(out, id.xy, factor * own(id.x)); }
// test: own(1) → 1
fn own(x: u32) -> f32 { return select(0.5, 1.0, x < 7u); }
`
	project(t, map[string]string{"tint.wgsl": tint, "tint_test.toml": strings.Replace(bound, `"2 times 0.5, 1, 0, 1"`, "["+strings.TrimSuffix(strings.Repeat("0.5, 1, 0, 1, ", 4), ", ")+"]", 1)})
	code, stdout, _ := wgslab(t, "test")
	require.Equal(t, exitAsked, code, stdout)
	require.Contains(t, stdout, "there is no such file: tinted.png. --update writes it")
	require.Contains(t, stdout, "2 tests passed, 0 failed, 1 could not run")
	code, stdout, _ = wgslab(t, "test", "--update")
	require.Equal(t, exitOK, code, stdout)
	require.Contains(t, stdout, "wrote tinted.png")
	code, stdout, _ = wgslab(t, "test", "-v")
	require.Equal(t, exitOK, code, stdout)
	require.Contains(t, stdout, "✓ tint.wgsl, line 4 (")
	require.NoError(t, os.WriteFile("tint.wgsl", []byte(strings.Replace(tint, "x < 7u", "x < 1u", 1)), 0o644))
	code, stdout, _ = wgslab(t, "test", "--sarif", "found.sarif")
	require.Equal(t, exitNotRight, code, stdout)
	require.Contains(t, stdout, "`own(1)` is 0.5, and 1 is expected.")
	require.Contains(t, stdout, "`out` at (1, 0), red, is 0.25098")
	require.Contains(t, stdout, "tinted.failed.png shows the texture as it is")
	require.FileExists(t, "tinted.failed.png")
	for wrong, want := range map[string]string{
		"sizes = {n = 4}\nbind = {out = 1}\nexpect = {out = [1]}":                       "a case with bind has no sizes and no fill",
		"bind = {out = \"texture[2,2]\"}\nworkgroups = 1\npasses = [\"main\"]":          "leave out entry and workgroups",
		"bind = {out = \"texture[2,2]\"}":                                               "it expects nothing",
		"bind = {out = {}}\nexpect = {out = [1]}":                                       "write numbers, or a text such as",
		"within = 1\nsizes = {n = 4}\nexpect = {out = [1]}":                             "need bind",
		"bind = {out = \"texture[2,2]\"}\nentry = \"mane\"\nexpect = {out = \"o.png\"}": "name one compute function",
	} {
		require.NoError(t, os.WriteFile("tint_test.toml", []byte("shader = \"tint.wgsl\"\n[[cases]]\n"+wrong+"\n"), 0o644))
		code, stdout, _ = wgslab(t, "test", "tint_test.toml")
		require.Equal(t, exitAsked, code, wrong+stdout)
		require.Contains(t, stdout, want, wrong)
	}
}

// A test that can't be read hides no other test of its file, in comments and in test files. Values
// of overrides belong to the file or to a case, and the reference gets those that it declares.
func TestOneBadTestAndOverrides(t *testing.T) {
	const sized = `// test: SIZE = 4; n = 1 → o = 4 times 4
// test: nosuch(1) → 0
// test: n = 1 → o = 4, 4
// test: SIZE = 3; n = 1 → o = 4, 4
// test: SIZE = 3; twice(2) → 6
override SIZE: u32;
override on = true;
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<uniform> n: u32;
@compute @workgroup_size(SIZE) fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&o)) { o[id.x] = select(7u, SIZE * n, on); }
}
fn twice(x: u32) -> u32 { return SIZE * x; }
`
	const file = `reference = "slow.wgsl"
dispatch = "cover"
extent = ["k"]
output = "o"
override = {SIZE = 4}
[[bindings]]
name = "o"
access = "read_write"
type = "array<u32>"
length = "k"
fill = {old = "poison"}
[[bindings]]
name = "n"
access = "uniform"
type = "N{n: u32}"
members = {n = {value = 1}}
[[cases]]
sizes = {k = [1, 3]}
[[cases]]
sizes = {k = 7}
override = {SIZE = 8}
[[cases]]
sizes = {k = 7}
override = {on = false}
[[cases]]
name = "stated"
sizes = {k = 2}
override = {SIZE = 2}
expect = {o = [2, 2]}
[[cases]]
name = "bound"
bind = {n = 1}
expect = {o = [4]}
[[cases]]
name = "misspelt"
override = {SIZES = 2}
bind = {n = 1}
expect = {o = [4]}
[[cases]]
name = "no number"
override = {on = "x"}
bind = {n = 1}
expect = {o = [4]}
`
	const slow = `override SIZE = 1u;
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<uniform> n: u32;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x < arrayLength(&o)) { o[id.x] = n * SIZE; } }
`
	project(t, map[string]string{"sized.wgsl": sized, "slow.wgsl": slow, "sized_test.toml": file})
	code, stdout, _ := wgslab(t, "test", "-v")
	require.Equal(t, exitAsked, code, stdout)
	for _, want := range []string{
		"✓ sized.wgsl, line 1 (", "✗ sized.wgsl, line 2: the shader has no function nosuch", "✗ sized.wgsl, line 3: sized.wgsl:6:10: The override `SIZE` has no value",
		"or give it a value in the test: // test: SIZE = …; …", "✗ sized.wgsl, line 4\n", "✓ sized.wgsl, line 5 (",
		"✓ sized_test.toml, same as slow.wgsl, SIZE = 4 (", "✓ sized_test.toml, same as slow.wgsl, SIZE = 8 (", "✗ sized_test.toml, same as slow.wgsl, SIZE = 4, on = false\n",
		"✓ sized_test.toml, stated (", "✓ sized_test.toml, bound (", "✗ sized_test.toml, misspelt: the shader has no override SIZES: its overrides are SIZE, on\n",
		"✗ sized_test.toml, no number: [[cases]] 7: the override on is x: write a number, true or false\n", "6 tests passed, 2 failed, 4 could not run",
	} {
		require.Contains(t, stdout, want)
	}
	code, stdout, _ = wgslab(t, "test", "sized_test.toml", "--run", "bound|stated")
	require.Equal(t, exitOK, code, stdout)
	require.NoError(t, os.WriteFile("sized_test.toml", []byte(strings.Replace(file, "override = {SIZE = 4}", "", 1)), 0o644))
	code, stdout, _ = wgslab(t, "test", "sized_test.toml", "--run", "slow.wgsl$")
	require.Equal(t, exitAsked, code, stdout)
	require.Contains(t, stdout, "or give it a value in the test: override = {SIZE = …}")
}

// A shader in WESL is read with what it imports by every command that reads shaders, under the
// features of -D or of the project.
func TestWESL(t *testing.T) {
	project(t, map[string]string{
		"shaders/scale.wesl": "import package::math::twice as double;\n@if(clamped) const most = 3.0;\n@else const most = 100.0;\n" +
			"@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n// test: x = 1, 2 → x = 2, 3\n" +
			"@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] = min(double(x[id.x]), most); }\n",
		"shaders/math.wesl": "const most = 2.0;\nfn twice(v: f32) -> f32 { return v * most; }\n",
		"package.json":      "{}",
	})
	code, stdout, _ := wgslab(t, "vet", "shaders")
	require.Equal(t, exitNotRight, code)
	require.Contains(t, stdout, "shaders/scale.wesl:2:5: error: The feature `clamped` has no value. [wesl]")
	require.Contains(t, stdout, "-D clamped=true or -D clamped=false")
	code, stdout, _ = wgslab(t, "vet", "shaders", "-D", "clamped=true")
	require.Equal(t, exitOK, code, stdout)
	code, stdout, stderr := wgslab(t, "simulate", "shaders/scale.wesl", "-D", "clamped=false", "--bind", "0=f32:1,2")
	require.Equal(t, exitOK, code, stdout+stderr)
	require.Contains(t, stdout, "f32: 2 4")
	code, stdout, stderr = wgslab(t, "cost", "-", "shaders/scale.wesl", "-D", "clamped=true", "--bind", "0=f32:1,2")
	require.Equal(t, exitOK, code, stdout+stderr)
	require.Regexp(t, `(?m)^math.wesl:2 +fn twice\(v`, stdout)
	code, stdout, _ = wgslab(t, "test", "-D", "clamped=true")
	require.Equal(t, exitOK, code, stdout)
	code, stdout, _ = wgslab(t, "test", "-D", "clamped=false")
	require.Equal(t, exitNotRight, code, stdout)
	require.NoError(t, os.WriteFile("wgslab.toml", []byte("[values]\nclamped = true\n"), 0o644))
	code, stdout, _ = wgslab(t, "test")
	require.Equal(t, exitOK, code, stdout)
	require.NoError(t, os.WriteFile("shaders/math.wesl", []byte("fn twice(v: f32) -> f32 { return v * 2u; }\n"), 0o644))
	code, stdout, _ = wgslab(t, "vet", "shaders")
	require.Equal(t, exitNotRight, code)
	require.Equal(t, 1, strings.Count(stdout, "shaders/math.wesl:1:34: error"), stdout)
}
