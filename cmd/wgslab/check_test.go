package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// wgslab runs a command line in this process.
func wgslab(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, err bytes.Buffer
	code = run(ctx, args, &out, &err)
	return code, out.String(), err.String()
}

func shaderFile(t *testing.T, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "try.wgsl")
	require.NoError(t, os.WriteFile(path, []byte(source), 0o644))
	return path
}

func referenceFile(t *testing.T, id string) string {
	t.Helper()
	source, err := exercises.Reference(id)
	require.NoError(t, err)
	return shaderFile(t, source)
}

// checked is the JSON of a verdict.
type checked struct {
	Exercise, Verdict, Stage, Diagnosis, Message string
	Line, Column                                 int
	Seed                                         uint64
	Cases                                        []struct{ Pass bool }
}

func checkJSON(t *testing.T, args ...string) (int, checked) {
	t.Helper()
	code, stdout, stderr := wgslab(t, append([]string{"check", "--json"}, args...)...)
	require.Empty(t, stderr)
	var v checked
	require.NoError(t, json.Unmarshal([]byte(stdout), &v), stdout)
	return code, v
}

const addHead = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main() {
`

func TestCheckAcceptsEveryReference(t *testing.T) {
	for _, e := range coursetest.Exercises(t, course.All()) {
		code, v := checkJSON(t, e.ID, referenceFile(t, e.ID))
		assert.Equal(t, exitOK, code, e.ID)
		assert.Equal(t, "pass", v.Verdict, e.ID)
		assert.Equal(t, e.ID, v.Exercise)
		for _, c := range v.Cases {
			assert.True(t, c.Pass)
		}
	}
}

func TestCheckRightIsQuietOnStderr(t *testing.T) {
	code, stdout, stderr := wgslab(t, "check", "add", referenceFile(t, "add"))
	assert.Equal(t, exitOK, code)
	assert.Contains(t, stdout, "add: right")
	assert.Empty(t, stderr)
}

func TestCheckWrongSaysWhy(t *testing.T) {
	path := shaderFile(t, addHead+"  out[0] = a[0] - b[0];\n}\n")
	code, stdout, stderr := wgslab(t, "check", "add", path)
	assert.Equal(t, exitNotRight, code)
	assert.Contains(t, stdout, "The result is a[0] - b[0].")
	assert.Empty(t, stderr, "the verdict says it all")

	code, v := checkJSON(t, "add", path)
	assert.Equal(t, exitNotRight, code)
	assert.Equal(t, "fail", v.Verdict)
	assert.Equal(t, "compare", v.Stage)
	assert.Equal(t, "subtract", v.Diagnosis)
}

// A solution prints for the check: exercise show adds nothing to it.
func TestCheckReadsStandardInput(t *testing.T) {
	_, minus, _ := wgslab(t, "exercise", "show", "add", "wrong/minus")
	for name, source := range map[string]string{"minus": minus, "nothing": "", "too large": strings.Repeat("/", shader.MaxSource+1)} {
		root := newRootCommand()
		root.SetIn(strings.NewReader(source))
		var out strings.Builder
		root.SetOut(&out)
		root.SetArgs([]string{"check", "add", "-"})
		err := root.ExecuteContext(t.Context())
		switch name {
		case "minus":
			require.ErrorAs(t, err, new(*codedError))
			assert.Contains(t, out.String(), "The result is a[0] - b[0].")
		case "nothing":
			require.ErrorAs(t, err, new(*codedError))
			assert.Contains(t, out.String(), "The file is empty.")
		default:
			require.EqualError(t, err, "<stdin> is larger than 256 KiB")
		}
	}
}

func TestCheckSeedRepeatsTheCases(t *testing.T) {
	path := shaderFile(t, addHead+"  out[0] = 3.0 * a[0] + b[0];\n}\n")
	first, firstSaid := checkJSON(t, "add", path, "--seed", "42")
	again, againSaid := checkJSON(t, "add", path, "--seed", "42")
	assert.Equal(t, exitNotRight, first)
	assert.Equal(t, first, again)
	assert.Equal(t, firstSaid, againSaid)
	assert.EqualValues(t, 42, firstSaid.Seed)
}

func TestCheckDrawsASeedOfItsOwn(t *testing.T) {
	path := referenceFile(t, "add")
	_, first := checkJSON(t, "add", path)
	_, second := checkJSON(t, "add", path)
	assert.NotEqual(t, first.Seed, second.Seed)
}

func TestCheckEndlessLoopEnds(t *testing.T) {
	started := time.Now()
	code, stdout, _ := wgslab(t, "check", "add", shaderFile(t, addHead+"  loop {}\n}\n"))
	assert.Equal(t, exitNotRight, code)
	assert.Contains(t, stdout, "did not finish")
	assert.Less(t, time.Since(started), gpu.DefaultDeadline)
}

func TestCheckRandomBytesDoNotCompile(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	code, v := checkJSON(t, "add", shaderFile(t, string(noise)))
	assert.Equal(t, exitNotRight, code)
	assert.Equal(t, "compile", v.Stage)
}

func TestCheckFilesThatAreNoShaders(t *testing.T) {
	for name, c := range map[string]struct{ source, diagnosis string }{
		"empty": {"", "empty"},
		"huge":  {strings.Repeat("// and so on\n", 1<<20), "too-large"},
		"NUL":   {"\x00", "not-text"},
	} {
		code, v := checkJSON(t, "add", shaderFile(t, c.source))
		assert.Equal(t, exitNotRight, code, name)
		assert.Equal(t, "compile", v.Stage, name)
		assert.Equal(t, c.diagnosis, v.Diagnosis, name)
	}
}

func TestCheckAskedWrongly(t *testing.T) {
	right := referenceFile(t, "add")
	for name, c := range map[string]struct {
		args []string
		said string
	}{
		"unknown id":  {[]string{"check", "vectoradd", right}, `did you mean "vector-add"`},
		"no id":       {[]string{"check"}, "check got no argument, and takes ID [FILE]: for example, wgslab check vector-add"},
		"too many":    {[]string{"check", "add", right, right}, "check got 3 arguments"},
		"no file":     {[]string{"check", "add", filepath.Join(t.TempDir(), "none.wgsl")}, "there is no file"},
		"a folder":    {[]string{"check", "add", t.TempDir()}, "reading the shader"},
		"a bad seed":  {[]string{"check", "add", right, "--seed", "often"}, "--seed takes a whole number"},
		"a bad flag":  {[]string{"check", "add", right, "--fast"}, "unknown flag: --fast: wgslab check --help lists"},
		"no such one": {[]string{"chekc"}, "unknown command"},
	} {
		code, stdout, stderr := wgslab(t, c.args...)
		assert.Equal(t, exitAsked, code, name)
		assert.Empty(t, stdout, name)
		assert.Contains(t, stderr, c.said, name)
	}
}

func TestCheckTakesTheLearnersOwnFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("work", 0o755))
	source, err := exercises.Reference("add")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join("work", "add.wgsl"), []byte(source), 0o644))
	code, stdout, stderr := wgslab(t, "check", "add")
	assert.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "add: right")

	code, _, stderr = wgslab(t, "check", "vector-add")
	assert.Equal(t, exitAsked, code)
	assert.Contains(t, stderr, "vector-add.wgsl")
}

// Without a driver the simulator runs the shader. A requested engine that is missing is an error.
func TestCheckWithoutAnAdapter(t *testing.T) {
	program := buildCommand(t)
	wgslab := func(args ...string) (stdout, stderr string, err error) {
		command := exec.CommandContext(t.Context(), program, args...)
		command.Env = append(os.Environ(), "VK_DRIVER_FILES=/nonexistent", "VK_ICD_FILENAMES=/nonexistent")
		var out, errs bytes.Buffer
		command.Stdout, command.Stderr = &out, &errs
		err = command.Run()
		return out.String(), errs.String(), err
	}
	file := referenceFile(t, "add")
	stdout, stderr, err := wgslab("check", "add", file)
	require.NoError(t, err, stderr)
	assert.Contains(t, stdout, "add: right")
	assert.Contains(t, stdout, "simulator")
	assert.Empty(t, stderr)

	for _, args := range [][]string{{"check", "add", file, "--engine", "gpu"}, {"check", "add", file, "--engine", "cpu"}, {"simulate", file, "--engine", "gpu"}} {
		stdout, stderr, err = wgslab(args...)
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		assert.Equal(t, exitNoAdapter, exit.ExitCode())
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, "mesa-vulkan-drivers", "it says what to do")
	}
}

// Each engine says that it was the one.
func TestCheckNamesItsEngine(t *testing.T) {
	code, stdout, _ := wgslab(t, "check", "relu", referenceFile(t, "relu"), "--engine", "simulator", "--json")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, `"adapter": "simulator`)
	code, _, stderr := wgslab(t, "check", "relu", referenceFile(t, "relu"), "--engine", "abacus")
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "auto, gpu, cpu, simulator")
}

func TestExercisesLists(t *testing.T) {
	code, stdout, stderr := wgslab(t, "exercises")
	assert.Equal(t, exitOK, code)
	assert.Empty(t, stderr)
	for _, e := range course.All() {
		assert.Contains(t, stdout, e.ID)
		assert.Contains(t, stdout, e.Task)
	}
}

func TestExercisesAsJSON(t *testing.T) {
	code, stdout, stderr := wgslab(t, "exercises", "--json")
	assert.Equal(t, exitOK, code)
	assert.Empty(t, stderr)
	var listed []listedExercise
	require.NoError(t, json.Unmarshal([]byte(stdout), &listed))
	byID := map[string]listedExercise{}
	for _, l := range listed {
		byID[l.ID] = l
	}
	require.Len(t, byID, len(listed), "no id is listed twice")
	for _, e := range course.All() {
		l := byID[e.ID]
		assert.Equal(t, e.Lesson, l.Lesson, e.ID)
		require.Len(t, l.Bindings, len(e.Bindings), e.ID)
		for number, b := range e.Bindings {
			assert.Equal(t, listedBinding{number, b.Name, string(b.Access), b.Type}, l.Bindings[number])
		}
	}
}

func TestExercisesTakesNoArguments(t *testing.T) {
	code, _, stderr := wgslab(t, "exercises", "add")
	assert.Equal(t, exitAsked, code)
	assert.NotEmpty(t, stderr)
}

// The messages that lessons ask learners to read are what the tools say of these shaders.
func TestWhatALessonQuotesIsWhatTheToolSays(t *testing.T) {
	sum, err := exercises.Reference("sum-64")
	require.NoError(t, err)
	race := strings.Replace(sum[strings.Index(sum, "const SIZE"):], "        workgroupBarrier(); // the step before is complete\n", "", 1)
	race = strings.Replace(race, "    for (var half", "    workgroupBarrier();\n    for (var half", 1)
	far := "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n\n@compute @workgroup_size(64)\n" +
		"fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n    let n = arrayLength(&data);\n    let each = (n + 63u) / 64u;\n" +
		"    for (var k = 0u; k < each; k++) {\n        let i = id.x * each + k;\n        if (i < n) {\n            data[i] = max(data[i], 0.0);\n        }\n    }\n}\n"
	whole := "@group(0) @binding(0) var<storage, read> a: array<f32>;\n@group(0) @binding(1) var<storage, read_write> out: array<f32>;\n\n" +
		"@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n\n    var sum = 0;\n" +
		"    for (var i = 0u; i < 8u; i++) {\n        sum += a[8u * id.x + i];\n    }\n    out[id.x] = f32(sum);\n}\n"
	for _, c := range []struct {
		question, shader string
		tool             []string // "" is the shader's file; nil is Tint
	}{
		{"read-race", race, []string{"check", "sum-64", ""}},
		{"read-trace", far, []string{"trace", "relu", ""}},
		{"read-message", whole, nil},
	} {
		q, err := course.FindQuestion(c.question)
		require.NoError(t, err)
		file := shaderFile(t, c.shader)
		var said string
		if c.tool == nil {
			tint, err := exec.LookPath("tint")
			if err != nil {
				t.Skip("left out: put tint on the PATH to compare the quoted message with a compiler's")
			}
			out, err := exec.CommandContext(t.Context(), tint, file).CombinedOutput()
			require.Error(t, err)
			said = string(out)
		} else {
			args := slices.Clone(c.tool)
			args[len(args)-1] = file
			_, said, _ = wgslab(t, args...)
		}
		said, lines := strings.Join(strings.Fields(said), " "), strings.Split(c.shader, "\n")
		for part := range strings.SplitSeq(q.Code, "\n") {
			if number, line, quotes := strings.Cut(part, " | "); quotes {
				at, err := strconv.Atoi(number)
				require.NoError(t, err)
				require.Equal(t, lines[at-1], line, c.question)
				continue
			}
			require.Contains(t, said, strings.Join(strings.Fields(part), " "), c.question)
		}
	}
}
