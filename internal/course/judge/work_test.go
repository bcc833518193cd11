package judge

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// judged returns the verdict of the simulator on a shader.
func judged(t *testing.T, id, text string) *verdict.Verdict {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	v, err := Run(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/"+id+".wgsl", text), 1)
	require.NoError(t, err)
	return v
}

// walking is a shader for hello in which the invocations walk through the elements.
func walking(size, inputs, loop string) string {
	return "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n" +
		"@compute @workgroup_size(" + size + ")\nfn main(" + inputs + ") {\n  " + loop + "\n}"
}

// A shader with right values isn't right if each invocation does the work of all, in whatever way.
// One is right whose work for each element does not grow with their number.
func TestEveryInvocationDoesTheWorkOfAll(t *testing.T) {
	const id, local = "@builtin(global_invocation_id) id: vec3<u32>", "@builtin(local_invocation_id) local: vec3<u32>"
	for text, wanted := range map[string]bool{
		walking("64", "", "for (var i = 0u; i < arrayLength(&out); i++) { out[i] = i; }"):                                                              false,
		walking("1", id, "var i = id.x; while (i < arrayLength(&out)) { out[i] = i; i++; }"):                                                           false,
		walking("8, 8", local, "for (var i = 0u; i < arrayLength(&out); i++) { out[i] = i + 0u * local.x; }"):                                          false,
		walking("64", local, "for (var i = local.x; i < arrayLength(&out); i += 64u) { out[i] = i; }"):                                                 true,
		walking("256", id, "var i = 0u; for (var bit = 0u; bit < 32u; bit++) { i |= id.x & (1u << bit); } if (i < arrayLength(&out)) { out[i] = i; }"): true,
		walking("1", id, "for (var k = 0u; k < 4u; k++) { let i = 4u * id.x + k; if (i < arrayLength(&out)) { out[i] = i; } }"):                        true,
	} {
		v := judged(t, "hello", text)
		require.Equal(t, wanted, v.Passed(), "%s\n%s", text, v.Message)
		if wanted {
			require.Equal(t, "Right in all 6 cases.", v.Message)
			continue
		}
		require.Equal(t, "every-element", v.Slug, text)
		require.Equal(t, 4, v.Line, text)
		require.Regexp(t, `^Your shader takes at least [\d,]+ times as many steps as the reference \(n = 1\d+\)\. `, v.Why)
		for _, c := range v.Cases {
			require.True(t, c.Pass, text)
		}
	}
}

// The place is the loop in main, though the watched run may stop in a function that it calls.
func TestTheLoopThatDoesTooMuch(t *testing.T) {
	v := judged(t, "hello", "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n"+
		"fn same(i: u32) -> u32 {\n  var j = 0u;\n  while (j < 2u) { j++; }\n  return i + j - 2u;\n}\n"+
		"@compute @workgroup_size(64)\nfn main() {\n  for (var i = 0u; i < arrayLength(&out); i++) {\n    out[i] = same(i);\n  }\n}")
	require.Equal(t, "every-element", v.Slug)
	require.Equal(t, 9, v.Line)
}

// Invocations that all do the work of all race if each element depends on its old value.
func TestEveryInvocationUpdatesEveryElement(t *testing.T) {
	v := judged(t, "saxpy", `struct Params { alpha: f32, n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main() {
  for (var i = 0u; i < params.n; i++) {
    y[i] = params.alpha * x[i] + y[i];
  }
}`)
	require.Equal(t, "race", v.Slug)
	require.Contains(t, v.Message, "Every invocation seems to do the work of all")
	require.Equal(t, "Which element is the one of this invocation?", v.Ask)
}

// A workgroup shares the elements of a row. If each of its invocations walks through all of them,
// right values aren't enough, as with an invocation for each element. One invocation that walks
// alone is another mistake, which has its own name.
func TestEveryInvocationWalksTheRow(t *testing.T) {
	const mine, all = "var column = me; column < dims.cols; column += SIZE", "var column = 0u; column < dims.cols; column++"
	size := func(n string) []string { return []string{"SIZE = 64u", "SIZE = " + n} }
	for _, c := range []struct {
		exercise string
		changes  []string
		right    bool
	}{
		{"row-max", []string{mine, all}, false},
		{"row-max", append(size("32u"), mine, all), false},
		{"row-max", append(size("256u"), mine, all), false},
		{"row-max", nil, true},
		{"row-max", size("256u"), true},
		{"argmax-shared", []string{mine, all}, false},
	} {
		_, text := edited(t, c.exercise, c.changes...)
		v := judged(t, c.exercise, text)
		require.Equal(t, c.right, v.Passed(), "%v: %s", c, v.Message)
		if c.right {
			require.Regexp(t, `^Right in all \d+ cases\.$`, v.Message)
			continue
		}
		require.Equal(t, "every-element", v.Slug, "%v: %s", c, v.Message)
		require.Equal(t, "The values are right, but each invocation of a workgroup seems to do the work of all.", v.Message)
		require.Regexp(t, `^Your shader takes at least [\d,]+ times as many steps as the reference \(.*\)\. `, v.Why)
		require.Contains(t, v.Excerpt, "column++")
	}
	require.Equal(t, "every-element", judged(t, "vector-add", vectorAddOfAll).Slug)
	require.Equal(t, "every-element", judged(t, "softmax", softmaxOfAll).Slug)
}

// softmaxOfAll looks for the largest element and adds up the row in each invocation.
const softmaxOfAll = `struct Dims { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
  let start = group.x * dims.cols;
  var largest = data[start];
  for (var c = 1u; c < dims.cols; c++) { largest = max(largest, data[start + c]); }
  var total = 0.0;
  for (var c = 0u; c < dims.cols; c++) { total += exp(data[start + c] - largest); }
  storageBarrier();
  for (var c = me; c < dims.cols; c += 64u) { data[start + c] = exp(data[start + c] - largest) / total; }
}`

// vectorAddOfAll is the same mistake with an invocation for each element.
const vectorAddOfAll = "@group(0) @binding(0) var<storage, read> a: array<f32>;\n@group(0) @binding(1) var<storage, read> b: array<f32>;\n" +
	"@group(0) @binding(2) var<storage, read_write> out: array<f32>;\n@compute @workgroup_size(64)\n" +
	"fn main() {\n  for (var i = 0u; i < arrayLength(&out); i++) { out[i] = a[i] + b[i]; }\n}"

// An exercise that sets no limit has a high one, beyond which a right shader isn't right.
func TestHowManyStepsAreTooMany(t *testing.T) {
	argmax, err := course.Find("argmax")
	require.NoError(t, err)
	for _, c := range []struct {
		elements  int
		covered   int // 0 if the dispatch covers the elements of the output
		most      int // the exercise's limit
		reference uint64
		times     uint64 // 0 if these are not too many
	}{
		{elements: 256, reference: 100, times: 50},
		{elements: 256, reference: 101},
		{elements: 256, covered: 1000, reference: 1}, // counts how often each number occurs
		{elements: 255, reference: 1},                // the surplus invocations count too much
		{elements: 256, reference: 100, most: 51},
		{elements: 256, reference: 500, most: 10, times: 10},
		{elements: 256},
	} {
		f := &facts{Facts: evidence.Facts{Exercise: argmax, Outcomes: []evidence.CaseRun{{
			Case: course.Case{Name: "many", MostSteps: c.most, Extent: [3]int{cmp.Or(c.covered, c.elements)}}, Compared: evidence.Compared{Want: shader.UintBuffer(make([]uint32, c.elements))},
			Seen: &shader.Result{Steps: 5000}, Reference: c.reference,
		}}}}
		_, times := f.overworked()
		require.Equal(t, c.times, times, c)
	}
}

// An element that was written with its old value counts as written.
func TestAnElementThatKeepsItsOldValue(t *testing.T) {
	e, err := course.Find("relu")
	require.NoError(t, err)
	for change, message := range map[string]string{
		"data[i] = data[i];":                 "should be 0, but was written with its old value, -3",
		"if (i > 99999u) { data[i] = 0.0; }": "was never written",
	} {
		text := "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n@compute @workgroup_size(64)\n" +
			"fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n  let i = id.x;\n  if (i < arrayLength(&data)) {\n    " + change + "\n  }\n}"
		r, v, err := begin(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/relu.wgsl", text), 1, e.Draw(1))
		require.NoError(t, err)
		require.False(t, v.Passed())
		require.Contains(t, r.Mismatch.Sentence(), message)
		r.free()
	}
}
