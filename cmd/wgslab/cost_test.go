package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

func TestCost(t *testing.T) {
	source, err := exercises.Reference("matmul")
	require.NoError(t, err)
	code, stdout, stderr := wgslab(t, "cost", "matmul", shaderFile(t, source), "--device", "macbook")
	require.Equal(t, exitOK, code)
	require.Empty(t, stderr)
	require.Contains(t, stdout, "on a MacBook (Apple M2, 10 cores).")
	require.Contains(t, stdout, "Each element of `a` is read 192 times")

	code, stdout, _ = wgslab(t, "cost", "--json", "matmul", shaderFile(t, source))
	require.Equal(t, exitOK, code)
	var c cost.Comparison
	require.NoError(t, json.Unmarshal([]byte(stdout), &c))
	require.Equal(t, cost.Usual, c.Device.Name)
	require.InDelta(t, 192*192*192, c.Yours.Total.Done["fma"], 0)
	require.Equal(t, c.Bound, c.ReferenceBound)
}

func TestCostExitCodes(t *testing.T) {
	for name, of := range map[string]struct {
		args []string
		code int
		says string
	}{
		"does not compile": {[]string{"relu", shaderFile(t, "fn main( {")}, exitNotRight, "name of a parameter is missing"},
		"nothing":          {[]string{"relu", shaderFile(t, "")}, exitNotRight, "there is no entry point"},
		"only a function":  {[]string{"matmul", shaderFile(t, "fn helper() {}")}, exitNotRight, "there is no entry point"},
		"another name":     {[]string{"matmul", shaderFile(t, "@compute @workgroup_size(8) fn other() {}")}, exitNotRight, "there is no entry point"},
		"no compute":       {[]string{"matmul", shaderFile(t, "@vertex fn main() -> @builtin(position) vec4f { return vec4f(); }")}, exitNotRight, "there is no entry point"},
		"a pass too few":   {[]string{"scan", shaderFile(t, "@compute @workgroup_size(8) fn main() {}")}, exitNotRight, "there is no entry point"},
		"no such exercise": {[]string{"reluu"}, exitAsked, `did you mean "relu"?`},
		"no such device":   {[]string{"relu", "--device", "toaster"}, exitAsked, `no device is called "toaster"`},
		"asks for a case":  {[]string{"break-matmul", shaderFile(t, "const m = 1u;")}, exitAsked, "break-matmul asks for a case"},
		"written in Go":    {[]string{"forward"}, exitAsked, "forward is written in Go"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := wgslab(t, append([]string{"cost"}, of.args...)...)
			require.Equal(t, of.code, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, of.says)
		})
	}
}

// A command that takes an exercise takes any shader instead, also after a dash.
func TestFilesInsteadOfExercises(t *testing.T) {
	file := shaderFile(t, addOne)
	t.Chdir(filepath.Dir(file))
	name := filepath.Base(file)
	require.NoError(t, os.WriteFile("matmul", nil, 0o600))
	bound := []string{"--bind", "0=u32[64]", "--bind", "1=u32[64]"}
	for _, command := range []string{"cost", "trace", "debug"} {
		for _, c := range []struct {
			args []string
			code int
			says string
		}{
			{append([]string{name}, bound...), exitOK, ""},
			{append([]string{"-", "./" + name}, bound...), exitOK, ""},
			{append([]string{file}, bound...), exitOK, ""},
			{[]string{"gone.wgsl"}, exitAsked, "there is no such file: gone.wgsl"},
			{[]string{"gone.wesl"}, exitAsked, "gone.wesl"},
			{[]string{"gone.wgpuc"}, exitAsked, "gone.wgpuc"},
			{[]string{"shaders/gone"}, exitAsked, "shaders/gone"},
			{[]string{"."}, exitAsked, "is a folder"},
			{[]string{name, name}, exitAsked, name + " is a file and no exercise, so nothing may follow it"},
			{append([]string{"matmul"}, bound...), exitAsked, "--bind works only with a file instead of an exercise"},
			{[]string{"matmull"}, exitAsked, `did you mean "matmul"?`},
		} {
			code, _, stderr := wgslab(t, append([]string{command}, c.args...)...)
			assert.Equal(t, c.code, code, "%s %v: %s", command, c.args, stderr)
			assert.Contains(t, stderr, c.says, command)
		}
	}
	code, _, stderr := wgslab(t, "check", name)
	assert.Equal(t, exitAsked, code)
	assert.Contains(t, stderr, "wgslab test "+name)
}

// With a dash, any shader is counted, and there is no reference.
func TestCostOfAnyShader(t *testing.T) {
	file := shaderFile(t, addOne)
	code, stdout, stderr := wgslab(t, "cost", "-", file, "--bind", "0=u32[6400]", "--bind", "1=u32[6400]", "--workgroups", "100")
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "main: 100 workgroups of 64")
	require.Regexp(t, `moved by 32 neighbours together +51.2 kB\n`, stdout)
	require.NotContains(t, stdout, "REFERENCE")

	code, stdout, _ = wgslab(t, "cost", "-", file, "--bind", "0=u32[64]", "--bind", "1=u32[64]", "--json")
	require.Equal(t, exitOK, code)
	require.NotContains(t, stdout, `"reference":`)

	const counting = "@group(0) @binding(0) var<storage, read_write> h: array<atomic<u32>>;\n@group(0) @binding(1) var<storage, read_write> o: array<f32>;\n" +
		"@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\nfor (var i = 0; i < 200; i++) { o[id.x] += sin(o[id.x]); }\natomicAdd(&h[INDEX], 1u);\n}\n"
	for index, queue := range map[string]bool{"id.x": false, "id.x % 3u": true, "id.x / 64u": true} {
		code, stdout, stderr = wgslab(t, "cost", "-", shaderFile(t, strings.Replace(counting, "INDEX", index, 1)), "--bind", "0=u32[1024]", "--bind", "1=f32[1024]", "--workgroups", "16")
		require.Equal(t, exitOK, code, stderr)
		require.Equal(t, queue, strings.Contains(stdout, "Its 1,024 atomics may decide instead"), "%s: %s", index, stdout)
	}

	for want, args := range map[string][]string{
		"nothing is bound to":    {file, "--bind", "0=u32[64]"},
		"name the shader's file": {},
		"--workgroups":           {file, "--workgroups", "0"},
		"reading the shader":     {"gone.wgsl"},
	} {
		code, _, stderr := wgslab(t, append([]string{"cost", "-"}, args...)...)
		require.Equal(t, exitAsked, code, want)
		require.Contains(t, stderr, want)
	}
	code, _, stderr = wgslab(t, "cost", "-", shaderFile(t, "fn main() {"), "--bind", "0=u32[4]")
	require.Equal(t, exitNotRight, code, stderr)
}
