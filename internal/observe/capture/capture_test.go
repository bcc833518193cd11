package capture_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/capture"
	"github.com/wgslab/wgslab/internal/observe/capture/capturetest"
)

func open(t *testing.T, file []byte) *capture.Capture {
	t.Helper()
	c, err := capture.Open("page.wgpuc", bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	return c
}

func prepare(t *testing.T, c *capture.Capture, number int) *capture.ReadyDispatch {
	t.Helper()
	d, err := c.Find(number)
	require.NoError(t, err)
	p, err := c.Prepare(t.Context(), d)
	require.NoError(t, err)
	return p
}

// told says how a dispatch runs: its workgroups, what comes before, its findings, the values of its
// last binding, what the page's device left, and the notes.
func told(t *testing.T, c *capture.Capture, number int) string {
	t.Helper()
	p := prepare(t, c, number)
	ran, err := anyshader.Run(t.Context(), p.Dispatches, nil)
	require.NoError(t, err)
	text := fmt.Sprintf("%v after %v", p.Passes[0].Workgroups, p.Before)
	for _, f := range ran.Findings {
		if f.IsError() {
			text += fmt.Sprintf("; %s at line %d", f.Kind, f.Line)
		}
	}
	last := ran.Buffers[len(ran.Buffers)-1].Values
	text += fmt.Sprintf("; %v", last[:min(len(last), 8)])
	var left []sim.BoundBuffer
	for _, b := range p.Buffers {
		left = append(left, b.Bound())
	}
	for _, d := range p.Differences(left) {
		text += "; " + d.String()
	}
	return text + strings.Join(append([]string{""}, p.Notes...), "; ")
}

func TestDispatchesRunWithWhatThePageHad(t *testing.T) {
	page := capturetest.Frame()
	const late = "; `x` begins with what the page left after this pass: the capture doesn't have it from before."
	for form, file := range map[string][]byte{"binary": page.Binary(), "lines": page.Lines(), "inline": page.Inline()} {
		c := open(t, file)
		require.Equal(t, "webgpu_inspector 1.6.0, acme anvil", c.Made, form)
		require.Len(t, c.Passes, 6, form)
		require.Len(t, c.Dispatches, 7, form)
		require.Equal(t, 1, c.Passes[5].Draws, form)
		for i, want := range []string{
			"[4 1 1] after []; race-workgroup at line 9; [0 16 32 48]; `sums`: 4 of 4 values differ from what the page's GPU left. The first is number 0: 0 here, 120 there.",
			"[1 1 1] after []; [0 0 0 0 2 1 1 0]; `counts` begins with zeros: the capture has nothing of counts.",
			"[2 1 1] after [2]; [27 39 51 63 75 87 99 111]" + late,
			"[2 1 1] after [2 3]; [85 121 157 193 229 265 301 337]" + late,
			"[1 1 1] after []; [0 0 0 1 0.007843138 0 0 1]",
			"[1 1 1] after [5]; [0 0 0 1 0.01568628 0 0 1]; `small`: the page's GPU left the same values.",
			"[2 1 1] after []; [27 39 51 63 75 87 99 111]; `x`: the page's GPU left the same values.",
		} {
			require.Equal(t, want, told(t, c, i+1), "%s, dispatch %d", form, i+1)
		}
	}
}

// scaled is a page with a dispatch that doubles a buffer of 4 floats, in a pass that setup begins.
func scaled(setup func(p *capturetest.Page, x capturetest.ObjectRef)) (p *capturetest.Page, pass string, x capturetest.ObjectRef) {
	p = capturetest.New()
	x = p.Buffer("x", 16)
	double := p.Pipeline("double", `@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] *= 2; }`, nil)
	group := p.Group(nil, capturetest.All(x))
	if setup != nil {
		setup(p, x)
	}
	encoder := p.Call(1, "createCommandEncoder")
	pass = p.Call(encoder, "beginComputePass")
	p.Call(pass, "setPipeline", double)
	p.Call(pass, "setBindGroup", 0, group)
	return p, pass, x
}

func TestStateBeforeADispatch(t *testing.T) {
	values := capturetest.Floats(1, 2, 3, 4)
	encoded := func(method string, args ...any) func(p *capturetest.Page, x capturetest.ObjectRef) {
		return func(p *capturetest.Page, x capturetest.ObjectRef) {
			e := p.Call(1, "createCommandEncoder")
			pass := p.Call(e, "beginComputePass")
			p.Call(pass, "setBindGroup", 0, p.Group(nil, capturetest.All(x)))
			p.Holds(values)
			p.Call(pass, "end")
			p.Call(e, method, append([]any{x}, args...)...)
			p.Call(2, "submit", []any{map[string]any{"__id": p.Call(e, "finish")}})
		}
	}
	for name, c := range map[string]struct {
		setup func(p *capturetest.Page, x capturetest.ObjectRef)
		want  string
	}{
		"nothing":         {nil, "[0 0 0 0]; `x` begins with zeros: the capture has nothing of x."},
		"an earlier pass": {encoded("pushDebugGroup"), "[2 4 6 8]"},
		"cleared":         {encoded("clearBuffer"), "[0 0 0 0]"},
		"partly cleared":  {encoded("clearBuffer", 4, 8), "[2 0 0 8]"},
		"made in the frame": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			p.Commands = append(p.Commands, map[string]any{"method": "createBuffer", "args": []any{map[string]any{"size": 16}}, "result": x["__id"]})
		}, "[0 0 0 0]"},
		"mapped when made": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			p.Commands = append(p.Commands, map[string]any{"method": "createBuffer", "args": []any{map[string]any{"size": 16, "mappedAtCreation": true}}, "result": x["__id"]})
		}, "[0 0 0 0]; `x` begins with zeros: the capture has nothing of x."},
		"written by a queue": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			encoded("x")(p, x)
			p.Call(2, "writeBuffer", x, 0, "@1 Float32Array 16")
		}, "[0 0 0 0]; `x` begins with zeros: the capture has nothing of x."},
		"copied": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			from := p.Buffer("from", 16)
			e := p.Call(1, "createCommandEncoder")
			pass := p.Call(e, "beginComputePass")
			p.Call(pass, "setBindGroup", 0, p.Group(nil, capturetest.All(from)))
			p.Holds(values)
			p.Call(pass, "end")
			p.Call(e, "copyBufferToBuffer", from, 4, x, 0, 8)
			p.Call(e, "copyBufferToBuffer", from, 0, x, 8, 8)
			p.Call(2, "submit", []any{map[string]any{"__id": p.Call(e, "finish")}})
		}, "[4 6 2 4]"},
		"copied from what was mapped": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			from := p.Buffer("staging", 16)
			e := p.Call(1, "createCommandEncoder")
			p.Call(e, "copyBufferToBuffer", from, 0, x, 0, 16)
			pass := p.Call(e, "beginComputePass")
			p.Call(pass, "setBindGroup", 0, p.Group(nil, capturetest.All(x)))
			p.Holds(values)
			p.Call(pass, "end")
			p.Call(2, "submit", []any{map[string]any{"__id": p.Call(e, "finish")}})
		}, "[2 4 6 8]"},
		"copied whole": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			from := p.Buffer("from", 16)
			e := p.Call(1, "createCommandEncoder")
			p.Call(e, "copyBufferToBuffer", from, x)
			pass := p.Call(e, "beginComputePass")
			p.Call(pass, "setBindGroup", 0, p.Group(nil, from)) // a buffer itself as a resource
			p.Holds(values)
			p.Call(pass, "end")
			p.Call(2, "submit", []any{map[string]any{"__id": p.Call(e, "finish")}})
		}, "[2 4 6 8]"},
		"written by a dispatch that can't run": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			encoded("x")(p, x)
			wrong := p.Pipeline("wrong", "fn", nil)
			pass := p.Call(p.Call(1, "createCommandEncoder"), "beginComputePass")
			p.Call(pass, "setPipeline", wrong)
			p.Call(pass, "setBindGroup", 0, p.Group(nil, capturetest.All(x)))
			p.Call(pass, "dispatchWorkgroups", 1)
		}, "[0 0 0 0]; Dispatch 1, which comes before, isn't simulated: wrong.wgsl:1:3: The name of a function is missing: there is the end of the shader. Write a name here.; `x` begins with zeros: the capture has nothing of x."},
		"written by a draw": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			encoded("x")(p, x)
			layout := p.Object("BindGroupLayout", "", map[string]any{"entries": []any{map[string]any{"binding": 0, "buffer": map[string]any{"type": "storage"}}}})
			pass := p.Call(p.Call(1, "createCommandEncoder"), "beginRenderPass")
			p.Call(pass, "setBindGroup", 0, p.Group(layout, capturetest.All(x)))
			p.Call(pass, "draw", 3)
		}, "[0 0 0 0]; `x` begins with zeros: the capture has nothing of x."},
		"submitted later": {func(p *capturetest.Page, x capturetest.ObjectRef) { // so the encoder of the dispatch comes first
			e := p.Call(1, "createCommandEncoder")
			pass := p.Call(e, "beginComputePass")
			p.Call(pass, "setBindGroup", 0, p.Group(nil, capturetest.All(x)))
			p.Holds(capturetest.Floats(5, 5, 5, 5))
			p.Call(pass, "end")
		}, "[10 10 10 10]"},
		"cut off by the recorder's limit": {func(p *capturetest.Page, x capturetest.ObjectRef) {
			e := p.Call(1, "createCommandEncoder")
			pass := p.Call(e, "beginComputePass")
			p.Call(pass, "setBindGroup", 0, p.Group(nil, capturetest.All(x)))
			p.Holds(values[:8])
			p.Call(pass, "end")
		}, "[2 4 0 0]; `x` has zeros in 8 of its 16 bytes, which the capture leaves out. Capture again with a larger maximum for buffers."},
	} {
		p, pass, _ := scaled(c.setup)
		p.Call(pass, "dispatchWorkgroups", 1)
		of := open(t, p.Binary())
		got := told(t, of, len(of.Dispatches))
		require.Equal(t, "[1 1 1] after []; "+c.want, got, name)
	}
}

func TestDispatchesThatCannotRun(t *testing.T) {
	for name, c := range map[string]struct {
		page func() *capturetest.Page
		want string
	}{
		"no workgroups": {func() *capturetest.Page { p, pass, _ := scaled(nil); p.Call(pass, "dispatchWorkgroups", 0); return p }, "it has 0 workgroups, so nothing runs"},
		"too many": {func() *capturetest.Page {
			p, pass, _ := scaled(nil)
			p.Call(pass, "dispatchWorkgroups", 1, 70000)
			return p
		}, "more than 65535 workgroups"},
		"no counts": {func() *capturetest.Page {
			p, pass, _ := scaled(nil)
			p.Call(pass, "dispatchWorkgroupsIndirect", p.Buffer("args", 12), 0)
			return p
		}, "the capture doesn't have its workgroups, which are at byte 0 of args"},
		"counts outside": {func() *capturetest.Page {
			p, pass, x := scaled(nil)
			p.Call(pass, "dispatchWorkgroupsIndirect", x, 8)
			return p
		}, "at byte 8 of x"},
		"no group": {func() *capturetest.Page {
			p, _, _ := scaled(nil)
			p.Commands = p.Commands[:3]
			p.Call("_1", "dispatchWorkgroups", 1)
			return p
		}, "the page sets no bind group for it"},
		"no pipeline": {func() *capturetest.Page {
			p, _, _ := scaled(nil)
			p.Commands = p.Commands[:2]
			p.Call("_1", "dispatchWorkgroups", 1)
			return p
		}, "the capture doesn't have its shader"},
		"a wrong shader":  {shaderPage("fn", nil), "name of a function is missing"},
		"no such entry":   {shaderPage("@compute @workgroup_size(1) fn main() {}", map[string]any{"entryPoint": "other"}), "no compute entry point `other`"},
		"a NaN override":  {shaderPage("override a = 1.0; @compute @workgroup_size(1) fn main() { _ = a; }", map[string]any{"constants": map[string]any{"a": nil}}), "no number for the override a"},
		"immediates":      {shaderPage("requires immediate_address_space; var<immediate> a: u32; @compute @workgroup_size(1) fn main() { _ = a; }", nil), "immediate"},
		"a huge buffer":   {boundPage(map[string]any{"size": 1 << 50}, "var<storage> x: array<u32>"), "it has 1073741824 MiB, and the limit is 256"},
		"a huge texture":  {boundPage(map[string]any{"size": []int{60000, 60000}, "format": "r8unorm"}, "var x: texture_2d<f32>"), "more than 67108864 texels"},
		"a format":        {boundPage(map[string]any{"size": []int{4, 4}, "format": "bc1-rgba-unorm"}, "var x: texture_2d<f32>"), `no texture format "bc1-rgba-unorm"`},
		"samples":         {boundPage(map[string]any{"size": []int{4, 4}, "format": "r8unorm", "sampleCount": 4}, "var x: texture_2d<f32>"), "a multisampled texture isn't in a capture"},
		"levels":          {boundPage(map[string]any{"size": map[string]any{"width": 4}, "format": "r8unorm", "mipLevelCount": 9}, "var x: texture_2d<f32>"), "doesn't have the texture's size"},
		"no texture":      {boundPage(nil, "var x: texture_2d<f32>"), "doesn't have its texture"},
		"an empty buffer": {boundPage(map[string]any{"size": 0}, "var<storage> x: array<u32>"), "it has 0 bytes"},
	} {
		d, err := open(t, c.page().Binary()).Find(1)
		require.NoError(t, err, name)
		file := c.page().Binary()
		_, err = open(t, file).Prepare(t.Context(), d)
		require.ErrorContains(t, err, c.want, name)
	}
}

// shaderPage is a page with a dispatch of a shader that binds nothing.
func shaderPage(code string, compute map[string]any) func() *capturetest.Page {
	return func() *capturetest.Page {
		p := capturetest.New()
		pipeline := p.Pipeline("p", code, compute)
		pass := p.Call(p.Call(1, "createCommandEncoder"), "beginComputePass")
		p.Call(pass, "setPipeline", pipeline)
		p.Call(pass, "dispatchWorkgroups", 1)
		return p
	}
}

// boundPage is a page with a dispatch that binds a buffer or a texture.
func boundPage(descriptor map[string]any, variable string) func() *capturetest.Page {
	return func() *capturetest.Page {
		p := capturetest.New()
		var resource any = capturetest.ObjectRef{"__id": 99}
		switch {
		case descriptor != nil && strings.Contains(variable, "texture"):
			resource = p.Object("Texture", "", descriptor)
		case descriptor != nil:
			resource = capturetest.All(p.Object("Buffer", "", descriptor))
		}
		pipeline := p.Pipeline("p", "@group(0) @binding(0) "+variable+"; @compute @workgroup_size(1) fn main() { _ = &x; }", nil)
		if strings.Contains(variable, "texture") {
			pipeline = p.Pipeline("p", "@group(0) @binding(0) "+variable+"; @compute @workgroup_size(1) fn main() { _ = textureDimensions(x); }", nil)
		}
		pass := p.Call(p.Call(1, "createCommandEncoder"), "beginComputePass")
		p.Call(pass, "setPipeline", pipeline)
		p.Call(pass, "setBindGroup", 0, p.Group(nil, resource))
		p.Call(pass, "dispatchWorkgroups", 1)
		return p
	}
}

func TestFilesThatAreNoCaptures(t *testing.T) {
	whole := string(capturetest.Frame().Binary())
	for name, c := range map[string]struct{ file, want string }{
		"empty":             {"", "neither a WGPUCAP file nor JSON"},
		"a recording":       {"WGPR\x01\x00\x00\x00", "use Capture instead of Record"},
		"a shader":          {"@compute fn main() {}", "neither a WGPUCAP file nor JSON"},
		"JSON":              {`{"commands": 3}`, "JSON without a list of commands"},
		"a list":            {`[1, 2]`, "JSON without a list of commands"},
		"no numbers":        {"WGPUCAP one\n{}", `isn't "WGPUCAP" with two numbers`},
		"no line end":       {"WGPUCAP 1 2" + strings.Repeat(" ", 100), `isn't "WGPUCAP" with two numbers`},
		"a later version":   {"WGPUCAP 2 2\n{}", "version 2 of the capture format"},
		"a negative length": {"WGPUCAP 1 -5\n{}", `the length "-5"`},
		"a huge length":     {"WGPUCAP 1 9000000000000000000\n{}", "the limit is 128"},
		"too long a length": {"WGPUCAP 1 99\n{}", "after 2 of 99 bytes"},
		"rubbish":           {"WGPUCAP 1 3\n{[}", "can't be read"},
		"cut off":           {whole[:500], "ends within its list of commands"},
		"deep nesting":      {"WGPUCAP 1 200000\n" + strings.Repeat("[", 200000), "can't be read"},
	} {
		_, err := capture.Open("x", strings.NewReader(c.file), int64(len(c.file)))
		require.ErrorContains(t, err, c.want, name)
	}
	c, err := capture.Open("x", strings.NewReader(whole[:len(whole)-400]), int64(len(whole)-400))
	require.NoError(t, err, "payloads that are cut off count as left out")
	require.True(t, c.CutOff)
	require.Contains(t, told(t, c, 7), "the capture has nothing of settings")
	lines := string(capturetest.Frame().Lines())
	for cut, want := range map[int]bool{0: false, 9: true} {
		c, err = capture.Open("x", strings.NewReader(lines[:len(lines)-cut]), int64(len(lines)-cut))
		require.NoError(t, err)
		require.Equal(t, want, c.CutOff, cut)
	}
}

// FuzzOpen changes captures at random. Whatever a file holds, reading it ends with an error or with
// dispatches that run or don't.
func FuzzOpen(f *testing.F) {
	page := capturetest.Frame()
	f.Add(page.Binary())
	f.Add(page.Lines())
	f.Add(page.Inline())
	f.Add([]byte("WGPUCAP 1 2\n{}"))
	f.Fuzz(func(t *testing.T, file []byte) {
		capture.ReadLog(string(file))
		c, err := capture.Open("x", bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		for _, d := range c.Dispatches[:min(len(c.Dispatches), 8)] {
			_, _ = c.Bindings(d)
			if p, err := c.Prepare(ctx, d); err == nil {
				p.Parts()
			}
		}
	})
}

func TestReadLog(t *testing.T) {
	const shader = "enable f16;\n@compute @workgroup_size(64)\nfn main() {\n}\n"
	log := "2026-11-29 10:00:00 [V:onnxruntime:, session.cc:12] started\n" +
		"2026-11-29 10:00:01 [I:onnxruntime:, webgpu_context.cc:9 Run] Starting program \"Add:1\" (4, 2, 1)\n" +
		"2026-11-29 10:00:01 [V:onnxruntime:Default, program_manager.cc:40 Build] \n=== WebGPU Shader code [Add, Key=\"Add:1\"] Start ===\n\n" + shader +
		"\n=== WebGPU Shader code [Add, Key=\"Add:1\"] End ===\n\n" +
		"=== WebGPU Shader code [Again] Start ===\n" + shader + "=== WebGPU Shader code [Again] End ===\n" +
		"ort.js:7 [V,2026-11-29T10:00:02.000Z][WebGPU] Mul shader code: \n// mul\r\n" + shader +
		"ort.js:7 [V,2026-11-29T10:00:02.001Z][WebGPU] kernel done\n" +
		"[V:onnxruntime:] === WebGPU Shader code [../../Cut off] Start ===\n// the end is missing\n"
	got := capture.ReadLog(log)
	require.Len(t, got, 3, "each text once")
	require.Equal(t, capture.Logged{Number: 1, Name: "Add", Key: "Add:1", Line: 6, Workgroups: "4,2,1", Text: shader}, got[0])
	require.Equal(t, "// mul\n"+shader, got[1].Text)
	require.Equal(t, "Mul-2.wgsl", got[1].File())
	require.Equal(t, "Cut-off-3.wgsl", got[2].File())
	require.Empty(t, capture.ReadLog("a text\nwithout shaders"))
}
