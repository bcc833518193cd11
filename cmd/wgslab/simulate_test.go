package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

func simulateJSON(t *testing.T, args ...string) (int, anyshader.SimulatedRun) {
	t.Helper()
	code, stdout, stderr := wgslab(t, append([]string{"simulate", "--json"}, args...)...)
	require.Empty(t, stderr)
	var s anyshader.SimulatedRun
	require.NoError(t, json.Unmarshal([]byte(stdout), &s), stdout)
	return code, s
}

const addOne = `@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&out)) { out[id.x] = x[id.x] + 1u; }
}
`

func TestSimulate(t *testing.T) {
	code, s := simulateJSON(t, shaderFile(t, addOne), "--bind", "0=u32[5]", "--bind", "1=u32:9,9,9,9,9")
	assert.Equal(t, exitOK, code)
	assert.Empty(t, s.Findings)
	assert.True(t, s.Finished)
	assert.Positive(t, s.Steps)
	require.Len(t, s.Buffers, 2)
	assert.Equal(t, "u32", s.Buffers[1].Type)
	assert.EqualValues(t, 1, s.Buffers[1].Binding)
	assert.EqualValues(t, []float64{1, 2, 3, 4, 5}, floats(s.Buffers[1]))
}

func floats(b anyshader.BufferAfter) []float64 {
	values := make([]float64, len(b.Values))
	for i, v := range b.Values {
		values[i] = float64(v)
	}
	return values
}

const scaled = `override size: u32;
@id(7) override scale: f32 = 1.0;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(size)
fn main(@builtin(local_invocation_index) i: u32) {
  out[i] = scale * f32(i); // print: scale
}
`

func TestSimulateWithOverrides(t *testing.T) {
	path := shaderFile(t, scaled)
	code, s := simulateJSON(t, path, "--bind", "0=f32[4]", "--override", "size=4", "--override", "7=0.5")
	assert.Equal(t, exitOK, code)
	assert.EqualValues(t, []float64{0, 0.5, 1, 1.5}, floats(s.Buffers[0]))
	require.Len(t, s.Printed, 1)
	assert.Equal(t, []string{"0.5"}, s.Printed[0].Rows[0].Values, "the run that prints has them as well")

	code, s = simulateJSON(t, path, "--bind", "0=f32[4]")
	assert.Equal(t, exitNotRight, code)
	assert.Contains(t, s.Findings[0].Message, "give it a value: --override size=…")
	code, stdout, _ := wgslab(t, "simulate", path, "--disassemble", "--override", "size=4")
	assert.Equal(t, exitOK, code)
	assert.NotEmpty(t, stdout)
	for given, said := range map[string]string{"scale=2": "write 7=…", "Size=4": "it has size (u32)", "size=x": "takes whole numbers"} {
		code, _, stderr := wgslab(t, "simulate", path, "--bind", "0=f32[4]", "--override", given)
		assert.Equal(t, exitAsked, code, given)
		assert.Contains(t, stderr, said)
	}
	for size, said := range map[string]string{"256": "", "257": "A workgroup size of 257 in x is more than every device guarantees: 256."} {
		code, s = simulateJSON(t, path, "--bind", "0=f32[300]", "--override", "size="+size)
		assert.Equal(t, exitOK, code)
		if said == "" {
			assert.Empty(t, s.Findings)
			continue
		}
		require.Len(t, s.Findings, 1)
		assert.Equal(t, said, s.Findings[0].Message)
	}
	code, _, stderr := wgslab(t, "simulate", path, "--bind", "0=f32[4]", "--bind", "0=f32[8]", "--override", "size=4")
	assert.Equal(t, exitAsked, code)
	assert.Contains(t, stderr, "--bind 0=f32[4] and 0=f32[8]: both are for @group(0) @binding(0)")
}

func TestSimulateTellsWhatIsWrong(t *testing.T) {
	code, s := simulateJSON(t, shaderFile(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  out[id.x + 1u] = id.x;
}
`), "--bind", "0=u32[65]", "--workgroups", "2")
	assert.Equal(t, exitNotRight, code)
	require.Len(t, s.Findings, 1)
	f := s.Findings[0]
	assert.Equal(t, findings.OutOfBoundsWrite, f.Kind)
	assert.True(t, f.IsError())
	assert.Equal(t, "out", f.Variable)
	assert.EqualValues(t, 65, f.Index)
	assert.EqualValues(t, 65, f.Length)
	assert.Equal(t, []int{4, 3, 4, 17}, []int{f.Line, f.Column, f.EndLine, f.EndColumn})
	assert.Equal(t, [3]uint32{1, 0, 0}, f.Workgroup)
	assert.Equal(t, [3]uint32{0, 0, 0}, f.Invocation)
	assert.Nil(t, f.Other())
	assert.Contains(t, f.Message, "`id.x + 1u` is 65")
}

func TestSimulateTellsOfARace(t *testing.T) {
	path := shaderFile(t, `var<workgroup> s: array<u32, 64>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  s[i] = i;
  out[i] = s[63u - i];
}
`)
	code, s := simulateJSON(t, path, "--bind", "0=u32[64]")
	assert.Equal(t, exitNotRight, code)
	require.NotEmpty(t, s.Findings)
	f := s.Findings[0]
	assert.Equal(t, findings.RaceWorkgroup, f.Kind)
	assert.Equal(t, 6, f.Line)
	require.NotNil(t, f.Other())
	assert.Equal(t, 5, f.Other().Line)
	assert.NotEqual(t, f.Invocation, f.Other().Invocation)

	code, stdout, _ := wgslab(t, "simulate", path, "--bind", "0=u32[64]")
	assert.Equal(t, exitNotRight, code)
	assert.Contains(t, stdout, "there is no `workgroupBarrier()` between them")
	assert.Contains(t, stdout, "6 |   out[i] = s[63u - i];")
}

func TestSimulateOfAShaderThatDoesNotCompile(t *testing.T) {
	path := shaderFile(t, "@compute @workgroup_size(1)\nfn main() {\n  let x: u32 = 1.5;\n}\n")
	_, stdout, _ := wgslab(t, "simulate", path)
	assert.True(t, strings.HasSuffix(stdout, "\n\nNothing ran, because the shader doesn't compile.\n"), stdout)
	code, s := simulateJSON(t, path)
	assert.Equal(t, exitNotRight, code)
	require.NotEmpty(t, s.Findings)
	assert.Equal(t, findings.NotCompiled, s.Findings[0].Kind)
	assert.Equal(t, 3, s.Findings[0].Line)
	assert.False(t, s.Finished)
}

// TestSimulateDisassembles: the code names the shader's own variables, and nothing has to be bound.
func TestSimulateDisassembles(t *testing.T) {
	code, stdout, stderr := wgslab(t, "simulate", "--disassemble", shaderFile(t, addOne))
	assert.Equal(t, exitOK, code)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, `
   5 | if (id.x < arrayLength(&out)) { out[id.x] = x[id.x] + 1u; }
        0  length           %22 = length of out
        1  jump.le.u32      if %22 <= id.x goto 5
        2  load.element     %23 = x[id.x]                     ; x[id.x]
        3  add.u32          %25 = %23 + 1
        4  store.element    out[id.x] = %25                   ; out[id.x]
`)
}

// A shader that breaks only the uniformity rule still runs.
func TestSimulateRunsWhatIsNotUniform(t *testing.T) {
	code, s := simulateJSON(t, shaderFile(t, `@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
  if (i < 4u) {
    workgroupBarrier();
  }
}
`))
	assert.Equal(t, exitNotRight, code)
	require.Len(t, s.Findings, 1)
	assert.EqualValues(t, "divergent-barrier", s.Findings[0].Kind)
	assert.Equal(t, 4, s.Findings[0].Line)
}

func TestSimulateGivesUp(t *testing.T) {
	code, s := simulateJSON(t, shaderFile(t, `@compute @workgroup_size(1)
fn main() {
  var i = 0u;
  var left = 10u;
  while (left > 0u) {
    i++;
  }
}
`), "--steps", "100000")
	assert.Equal(t, exitNotRight, code)
	assert.False(t, s.Finished)
	require.Len(t, s.Findings, 1)
	assert.EqualValues(t, "step-limit", s.Findings[0].Kind)
	assert.Equal(t, 5, s.Findings[0].Line)
	assert.Contains(t, s.Findings[0].Message, "`left` (10) no longer changes")
}

// A loop without an end is told at once, without any limit; one that counts reaches the limit, and
// the command says how to raise it.
func TestSimulateSaysWhyItStopped(t *testing.T) {
	const head = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n@compute @workgroup_size(1) fn main() {\n"
	for body, c := range map[string]struct {
		steps, want string
	}{
		"var k = 1u; while (k < 2u) { out[0] += k; }\n}\n": {"0", "no number of steps would reach the end"},
		"for (var k = 1u; k * k != 2u; k += 2u) {}\n}\n":   {"100000", "steps, and not to the end: --steps sets a higher limit"},
		"for (var k = 1u; k < 9u; k += 2u) {}\n}\n":        {"100000", "steps, to the end\n"},
		"for (var k = 0u; k < 13500000u; k += 1u) {}\n}\n": {"0", "to the end. The run is too long to check whether the number of workgroups fits\n"},
	} {
		_, stdout, _ := wgslab(t, "simulate", shaderFile(t, head+body), "--bind", "0=u32[4]", "--steps", c.steps)
		assert.Contains(t, stdout, c.want)
	}
}

func TestSimulateTakesFilesAndOtherGroups(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data.bin")
	require.NoError(t, os.WriteFile(data, binary.LittleEndian.AppendUint32(nil, 0x3fc00000), 0o644))
	code, s := simulateJSON(t, shaderFile(t, `struct Params { scale: f32, add: vec3f }
@group(1) @binding(2) var<uniform> p: Params;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read_write> v: array<vec3f>;
@compute @workgroup_size(1)
fn other() {
  out[0] *= p.scale + p.add.z;
  v[1] += p.add;
}
`), "--entry", "other", "--bind", "0=@"+data, "--bind", "1.2=f32:2,0,0,0,1,2,3", "--bind", "1=vec3f[2]")
	assert.Equal(t, exitOK, code)
	require.Len(t, s.Buffers, 3)
	assert.Equal(t, "f32", s.Buffers[0].Type)
	assert.Equal(t, []float64{7.5}, floats(s.Buffers[0]))
	assert.Equal(t, "vec3f", s.Buffers[2].Type)
	assert.Equal(t, []float64{0, 1, 2, 4, 6, 8}, floats(s.Buffers[2]))
}

func TestSimulateAskedWrongly(t *testing.T) {
	path := shaderFile(t, addOne)
	both := []string{"--bind", "0=u32[5]", "--bind", "1=u32[5]"}
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "arg"},
		{[]string{filepath.Join(t.TempDir(), "none.wgsl")}, "no such file"},
		{[]string{path}, "nothing is bound to `x`"},
		{append([]string{path, "--entry", "other"}, both...), "it has `main`"},
		{append([]string{path, "--workgroups", "0"}, both...), "0"},
		{append([]string{path, "--workgroups", "1,1,1,1"}, both...), "at most three numbers, for x, y and z"},
		{[]string{path, "--bind", "0"}, "N=TYPE[COUNT]"},
		{[]string{path, "--bind", "0=u33[4]"}, "is not an element type"},
		{[]string{path, "--bind", "0=bool[4]"}, "is not an element type"},
		{[]string{path, "--bind", "0=u32[-1]"}, "is not a number of elements"},
		{[]string{path, "--bind", "0=u32:1,x"}, "\"x\" is not a value of type u32"},
		{[]string{path, "--bind", "0=vec2f:1,2,3"}, "do not fill a whole number of vec2f"},
		{[]string{path, "--bind", "0=@none.bin"}, "no such file"},
		{[]string{path}, "@group(0) @binding(0), nor to `out`, @group(0) @binding(1): write, for example, --bind '0=u32[64]' --bind '1=u32[64]'"},
		{append([]string{path, "--bind", "7=u32[1]"}, both...), "--bind 7: the shader has no @group(0) @binding(7); it has 0 (`x`) and 1 (`out`)"},
		{[]string{path, "--bind", "1.0=u32[1]"}, "--bind 1.0: the shader has no @group(1) @binding(0)"},
		{[]string{path, "--bind", "0=texture[4,4]", "--bind", "1=u32[5]"}, "`x` is a buffer: write one such as 0=u32[64]"},
		{[]string{path, "--bind", "0=u32[99999999999]"}, "99999999999 elements are too many"},
		{append([]string{path, "--steps", "abc"}, both...), `--steps takes a whole number from 0, and "abc" isn't one`},
		{append([]string{path, "--steps", "99999999999999999999"}, both...), "--steps: 99999999999999999999 is too large"},
		{append([]string{path, "--dispatch", "1.5"}, both...), `--dispatch takes a whole number, and "1.5" isn't one`},
		{append([]string{path, "--entry", "main", "--pass", "main"}, both...), "--entry and --pass exclude each other: choose one"},
		{[]string{path, "--bind", "a=u32[1]"}, "\"a\" is not a binding number, and no variable that the shader binds"},
		{[]string{path, "--bind", "0=P[1]"}, "`x` has type array<u32>: write 0=u32[COUNT], or 0=u32:v,v,…"},
	} {
		code, stdout, stderr := wgslab(t, append([]string{"simulate"}, c.args...)...)
		assert.Equal(t, exitAsked, code, c.args)
		assert.Empty(t, stdout, c.args)
		assert.Contains(t, stderr, c.says, c.args)
	}
}

const twoPasses = `@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(2) fn double(@builtin(global_invocation_id) id: vec3u) { x[id.x] *= 2u; }
@compute @workgroup_size(4) fn add(@builtin(global_invocation_id) id: vec3u) {
  y[id.x] = x[id.x] + 1u; // print: y[id.x]
}
`

// Passes run in order on the same buffers, and what is wrong in any of them is reported.
func TestSimulatePasses(t *testing.T) {
	file := shaderFile(t, twoPasses)
	code, s := simulateJSON(t, file, "--bind", "0=u32[4]", "--bind", "1=u32[4]", "--pass", "double=2", "--pass", "double=1", "--pass", "add")
	assert.Equal(t, exitOK, code)
	assert.Equal(t, "[0 4 4 6]", fmt.Sprint(s.Buffers[0].Values))
	assert.Equal(t, "[1 5 5 7]", fmt.Sprint(s.Buffers[1].Values))
	assert.Len(t, s.Printed, 1, "of the pass that reaches the line")

	code, s = simulateJSON(t, file, "--bind", "0=u32[4]", "--bind", "1=u32[2]", "--pass", "double=2", "--pass", "add")
	assert.Equal(t, exitNotRight, code)
	assert.Equal(t, findings.OutOfBoundsWrite, s.Findings[0].Kind)

	for want, args := range map[string][]string{
		"no compute entry point `subtract`": {"--pass", "subtract"},
		"--pass add=0":                      {"--pass", "add=0"},
		"exclude each other: choose one":    {"--pass", "add", "--entry", "double"},
	} {
		code, _, stderr := wgslab(t, append([]string{"simulate", file, "--bind", "0=u32[4]", "--bind", "1=u32[4]"}, args...)...)
		assert.Equal(t, exitAsked, code)
		assert.Contains(t, stderr, want)
	}
}

// The device runs the passes with the same overrides on the same buffers, and prints the same rows.
func TestSimulateOnADevice(t *testing.T) {
	// Each pass has workgroup memory of its own, and another variable for the same buffer.
	path := shaderFile(t, "override PLUS = 0u;\n@group(0) @binding(0) var<storage, read> z: array<u32>;\nvar<workgroup> a: array<u32, 3000>;\nvar<workgroup> b: array<u32, 3000>;\n"+
		strings.NewReplacer("x[id.x] *= 2u", "a[0] = 2u; workgroupBarrier(); x[id.x] *= a[0]", "x[id.x] + 1u", "z[id.x] + PLUS + b[0]").Replace(twoPasses))
	args := []string{path, "--bind", "0=u32[4]", "--bind", "1=u32[4]", "--pass", "double=2", "--pass", "add", "--override", "PLUS=7", "--engine"}
	code, s := simulateJSON(t, append(args, "auto")...)
	assert.Equal(t, exitOK, code)
	assert.NotEmpty(t, s.Device)
	require.Len(t, s.Printed, 1)
	assert.Len(t, s.Printed[0].Rows, 4)
	require.NotNil(t, s.Printed[0].Device)
	assert.Equal(t, s.Printed[0].Rows, s.Printed[0].Device.Rows)
	assert.Zero(t, s.Printed[0].Differing)
	assert.Equal(t, "[7 9 11 13]", fmt.Sprint(s.Buffers[1].Values))
	assert.Nil(t, s.Buffers[1].Device, "the same")

	code, stdout, _ := wgslab(t, append([]string{"simulate"}, append(args, "auto")...)...)
	assert.Equal(t, exitOK, code)
	assert.Contains(t, stdout, "prints y[id.x] · the same on ")
	code, s = simulateJSON(t, append(args, "simulator")...)
	assert.Equal(t, exitOK, code)
	assert.Empty(t, s.Device, "the simulator is no device")
	assert.Nil(t, s.Printed[0].Device)
}

// The simulator's results come first, then why the device has none.
func TestSimulateWhatADeviceRefuses(t *testing.T) {
	const head = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {\n"
	for said, body := range map[string]string{
		"WGSL allows this, but this device's compiler refuses it": "let p = &x; p[i] = 1u; // print: i\n}\n",
		"Not all invocations may reach this `workgroupBarrier`":   "if (i == 0u) { workgroupBarrier(); } // print: i\n}\n",
		"it did not end in the simulator":                         "while (x[9] == 0u) { x[0] += 1u; } // print: i\n}\n",
	} {
		code, stdout, stderr := wgslab(t, "simulate", shaderFile(t, head+body), "--bind", "0=u32[4]", "--steps", "1000", "--engine", "auto")
		assert.Equal(t, exitNotRight, code, body)
		assert.Contains(t, stdout, "@group(0) @binding(0), u32: ")
		assert.Contains(t, stderr, said)
	}
}
