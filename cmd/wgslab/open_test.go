package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/observe/capture"
	"github.com/wgslab/wgslab/internal/observe/capture/capturetest"
)

// TestCaptures runs the commands on a capture, and on a log.
func TestCaptures(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("page.wgpuc", capturetest.Frame().Binary(), 0o644))
	require.NoError(t, os.WriteFile("cut.wgpuc", capturetest.Frame().Binary()[:300], 0o644))
	log := "[I:onnxruntime] Starting program \"Twice\" (2, 1, 1)\n=== WebGPU Shader code [Twice] Start ===\n" +
		"@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] *= 2; }\n" +
		"=== WebGPU Shader code [Twice] End ===\n=== WebGPU Shader code [Wrong] Start ===\nfn\n=== WebGPU Shader code [Wrong] End ===\n"
	require.NoError(t, os.WriteFile("ort.log", []byte(log), 0o644))
	require.NoError(t, os.WriteFile("a.wgsl", []byte("@compute @workgroup_size(1) fn main() {}"), 0o644))
	for line, c := range map[string]struct {
		code  int
		wants []string
	}{
		"open page.wgpuc": {exitOK, []string{
			"made by webgpu_inspector 1.6.0, acme anvil\n\ncompute pass sums\n    1  sum: 4 × 1 × 1 workgroups of add_up in sum.wgsl\n",
			"    3  scale: workgroups from counts, byte 16 of main in scale.wgsl\n", "render pass screen, 1 draw\n",
		}},
		"open page.wgpuc --json": {exitOK, []string{`"indirect": "counts+16"`, `"resource": "photo"`, `"offset": 512`}},
		"open page.wgpuc --dispatch 4": {exitOK, []string{
			"@group(0) @binding(0) settings reads settings, 16 of 1,024 bytes from byte 512 on\n", "x writes x, 64 bytes\n",
			"begins with what the simulator makes of dispatches 2 and 3.\n", "`x` begins with what the page left after this pass",
		}},
		"open page.wgpuc --dispatch 9":                          {exitAsked, []string{"no dispatch 9: choose one from 1 to 7"}},
		"open cut.wgpuc":                                        {exitAsked, []string{"cut.wgpuc: it ends within its list of commands"}},
		"open none.wgpuc":                                       {exitAsked, []string{"there is no such file"}},
		"open a.wgsl":                                           {exitAsked, []string{"a.wgsl is a shader, and open shows captures and logs"}},
		"open ort.log":                                          {exitOK, []string{"    1  Twice: 2 lines, at line 3, for 2 × 1 × 1 workgroups\n    2  Wrong: 1 line, at line 7"}},
		"open ort.log --json":                                   {exitOK, []string{`"workgroups": "2,1,1"`}},
		"open ort.log --dispatch 1":                             {exitAsked, []string{"--dispatch works only with a capture, and this is a log"}},
		"open ort.log --extract shaders":                        {exitOK, []string{"2 shaders in shaders"}},
		"simulate page.wgpuc":                                   {exitAsked, []string{"is a capture with 7 dispatches: choose one with --dispatch N"}},
		"simulate page.wgpuc --dispatch 1":                      {exitNotRight, []string{"race-workgroup (error), line 9", "on the page's GPU: 120 376 632 888\n", "`sums`: 4 of 4 values differ from what the page's GPU left."}},
		"simulate page.wgpuc --dispatch 7 --json":               {exitOK, []string{`"device": "the page's GPU"`}},
		"simulate page.wgpuc --dispatch 6 --save 0.1=small.bin": {exitOK, []string{"rgba8unorm[2,2,1]: 0 0 0 1 0.01568628"}},
		"simulate page.wgpuc --dispatch 1 --bind 0=u32[4]":      {exitAsked, []string{"--bind works only with a shader: the capture has it for each dispatch"}},
		"simulate a.wgsl --dispatch 1":                          {exitAsked, []string{"--dispatch works only with a capture, which a.wgsl isn't"}},
		"simulate ort.log":                                      {exitAsked, []string{"ort.log is a log with shaders: choose one with --shader N"}},
		"simulate ort.log --shader 1 --bind 0=u32[8]":           {exitOK, []string{"u32: 0 2 4 6 8 10 12 14\n"}},
		"simulate ort.log --shader 3":                           {exitAsked, []string{"no shader 3: choose one from 1 to 2"}},
		"vet page.wgpuc":                                        {exitOK, []string{"4 shaders, nothing found"}},
		"vet ort.log":                                           {exitNotRight, []string{"ort.log: Wrong-2.wgsl:2:1"}},
		"fmt -w page.wgpuc":                                     {exitNotRight, []string{"page.wgpuc"}},
		"fmt -w ort.log":                                        {exitNotRight, []string{"ort.log"}},
		"cost - page.wgpuc --dispatch 4":                        {exitOK, []string{"main: 2 workgroups of 8"}},
		"cost matmul --dispatch 4":                              {exitAsked, []string{"--dispatch works only with a file instead of an exercise"}},
		"trace - page.wgpuc --dispatch 7":                       {exitOK, []string{"2 workgroups of 8"}},
		"debug - page.wgpuc --dispatch 4":                       {exitOK, []string{"page.wgpuc, dispatch 4"}},
		"test page.wgpuc --dispatch 7":                          {exitOK, []string{"1 test passed"}},
		"test page.wgpuc":                                       {exitNotRight, []string{"✗ page.wgpuc, dispatch 1, sum\n  sum.wgsl:9:", "✓ page.wgpuc, dispatch 3, scale", "6 tests passed, 1 failed"}},
		"test cut.wgpuc":                                        {exitAsked, []string{"cut.wgpuc can't be read: cut.wgpuc: it ends"}},
		"test page.wgpuc --dispatch 9":                          {exitAsked, []string{"page.wgpuc can't be read: page.wgpuc has no dispatch 9"}},
	} {
		var out strings.Builder
		code := run(t.Context(), strings.Fields(line), &out, &out)
		require.Equal(t, c.code, code, "%s: %s", line, &out)
		for _, want := range c.wants {
			require.Contains(t, out.String(), want, line)
		}
	}
	page, err := os.ReadFile("page.wgpuc")
	require.NoError(t, err)
	require.Equal(t, capturetest.Frame().Binary(), page, "nothing writes to a capture")
}

// TestExtractedDispatchRunsAlone goes on with the parts of a dispatch as a reader would.
func TestExtractedDispatchRunsAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("page.wgpuc", capturetest.Frame().Binary(), 0o644))
	var out strings.Builder
	require.Equal(t, exitOK, run(t.Context(), []string{"open", "page.wgpuc", "--extract", "parts"}, &out, &out), &out)
	var tested strings.Builder
	require.Contains(t, out.String(), "There is no test: the capture doesn't say what the page's GPU left.")
	require.Equal(t, exitNotRight, run(t.Context(), []string{"test", "parts"}, &tested, &tested), &tested)
	require.Contains(t, tested.String(), "1 test passed, 1 failed", "dispatch 7, and 1, which has overrides and races")
	for folder, want := range map[string]string{
		"dispatch-1": "race-workgroup", "dispatch-4": "u32: 85 121 157", "dispatch-6": "rgba8unorm[2,2,1]: 0 0 0 1 0.01568628",
	} {
		t.Chdir(filepath.Join("parts", folder))
		command, err := os.ReadFile("command.txt")
		require.NoError(t, err)
		var ran strings.Builder
		args := strings.Fields(strings.ReplaceAll(string(command), "'", ""))
		run(t.Context(), args[1:], &ran, &ran)
		require.Contains(t, ran.String(), want, "%s", command)
		var bench struct {
			Source                   string
			Binds, Passes, Overrides [][2]string
		}
		text, err := os.ReadFile("bench.json")
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &bench))
		require.NoError(t, os.WriteFile("bench.wgsl", []byte(bench.Source), 0o644))
		args = []string{"simulate", "bench.wgsl"}
		for flag, pairs := range map[string][][2]string{"--bind": bench.Binds, "--pass": bench.Passes, "--override": bench.Overrides} {
			for _, pair := range pairs {
				args = append(args, flag, pair[0]+"="+pair[1])
			}
		}
		ran.Reset()
		run(t.Context(), args, &ran, &ran)
		require.Contains(t, ran.String(), want, "%s", text)
		t.Chdir(filepath.Join("..", ".."))
	}
}

func TestNumbers(t *testing.T) {
	require.Equal(t, "1, 2, 5 to 9 and 12", numbers([]int{1, 2, 5, 6, 7, 8, 9, 12}))
	require.Equal(t, "3", numbers([]int{3}))
}

// Dispatches that repeat are listed once, also if some take turns.
func TestRepeated(t *testing.T) {
	for said, want := range map[string]string{
		"a":                 "1 a",
		"a a":               "1 a|2 a",
		"a a a b":           "1 a × 3, up to 3|4 b",
		"a b a b a":         "1 a|2 b|these 2 in turn × 2, up to 4|5 a",
		"a b b b a b b b c": "1 a|2 b|3 b|4 b|these 4 in turn × 2, up to 8|9 c",
		"a b c":             "1 a|2 b|3 c",
	} {
		var all []*capture.Dispatch
		for i, name := range strings.Fields(said) {
			all = append(all, &capture.Dispatch{Number: i + 1, Pipeline: name})
		}
		var out strings.Builder
		printRepeated(&out, all, func(d *capture.Dispatch) string { return d.Pipeline })
		var lines []string
		for line := range strings.Lines(out.String()) {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
		require.Equal(t, want, strings.Join(lines, "|"), said)
	}
}
