package printing_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/printing"
)

const head = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> tile: array<u32, 4>;
fn twice(x: u32) -> u32 {
    let y = 2u * x; // print if x > 2u: x, y
    return y;
}
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x; // print: i
    if (i >= arrayLength(&data)) { return; }
`

// run runs a shader on six elements in two workgroups of four.
func run(t *testing.T, body string) []*printing.Printed {
	data := make([]byte, 24)
	source := shader.Read("try.wgsl", head+body+"}\n")
	require.Nil(t, source.Unrunnable())
	printed, err := printing.Run(context.Background(), source, func(marked *shader.Source) (*debug.Target, error) {
		program, err := sim.CompileEntry(marked, nil, true)
		return &debug.Target{Program: program, Workgroups: [3]uint32{2, 1, 1}, Buffers: []sim.BoundBuffer{{Data: data}}}, err
	})
	require.NoError(t, err)
	assert.Equal(t, make([]byte, 24), data, "the host's buffers stay")
	return printed
}

// rows returns what a comment showed, a line for each row.
func rows(p *printing.Printed) (lines []string) {
	for _, r := range p.Rows {
		lines = append(lines, strings.Join(r.Values, " "))
	}
	return lines
}

func TestValuesAtTheirPlace(t *testing.T) {
	printed := run(t, `    tile[local.x] = i; // print if i == 5u: i, tile[1], tile[2]
    workgroupBarrier();
    var sum = 0u;
    for (var k = 0u; k < 2u; k++) {
        sum += tile[k]; // print if i == 1u: k, sum
    } // print if i == 1u: sum
    data[i] = twice(i); // print if i == 3u: data[i], data[i + 9u], vec2f(1.5, f32(i))
`)
	require.Len(t, printed, 6)
	assert.Equal(t, []string{"3 6", "4 8", "5 10"}, rows(printed[0]), "in a function that is called")
	assert.Equal(t, []string{"0", "1", "2", "3", "4", "5", "6", "7"}, rows(printed[1]), "before the guard")
	assert.Equal(t, []string{"5 5 0"}, rows(printed[2]), "after the statement on its line, and before the barrier")
	assert.Equal(t, []string{"0 0", "1 1"}, rows(printed[3]), "once a round")
	assert.Equal(t, []string{"1"}, rows(printed[4]), "after the loop")
	assert.Equal(t, []string{"6 0 (the index 12 is out of bounds) vec2f(1.5, 3.0)"}, rows(printed[5]))
	assert.Equal(t, [3]uint32{5, 0, 0}, printed[2].Rows[0].Invocation)
}

func TestViews(t *testing.T) {
	views := printing.Views(run(t, "    data[i] = twice(i); // print: data[i]\n    // print if i == 9u: i\n    // print: nowhere\n"))
	require.Len(t, views, 5)
	assert.IsType(t, view.Table{}, views[0], "two values")
	assert.IsType(t, view.HeatMap{}, views[1], "a number for each invocation")
	strip := views[2].(view.HeatMap)
	assert.Equal(t, []float32{0, 2, 4, 6, 8, 10}, strip.Values, "surplus invocations have no place")
	assert.Contains(t, views[3].Text(), "No invocation reached this line")
	assert.Contains(t, views[4].Text(), "`nowhere` is not declared")
}

// A strip of more than sixteen goes on below, and the surplus places in its last row stay empty.
func TestStrips(t *testing.T) {
	source := shader.Read("", `@compute @workgroup_size(20)
fn main(@builtin(local_invocation_index) i: u32) {
    // print if i != 3u: f32(i) / 2.0
}
`)
	printed, err := printing.Run(context.Background(), source, func(marked *shader.Source) (*debug.Target, error) {
		program, err := sim.CompileEntry(marked, nil, true)
		return &debug.Target{Program: program, Workgroups: [3]uint32{1, 1, 1}}, err
	})
	require.NoError(t, err)
	strip := printing.Views(printed)[0].(view.HeatMap)
	assert.Equal(t, []int{2, 16}, []int{strip.Rows, strip.Cols})
	assert.True(t, strip.Absent[3] && strip.Absent[31])
	assert.NotContains(t, strip.Text(), "NaN")
	assert.NotContains(t, string(strip.HTML()), "NaN")
	assert.NotContains(t, string(strip.HTML()), "not finite")
}

// A line in a loop has a map for each visit. After the first two they are folded.
func TestVisits(t *testing.T) {
	views := printing.Views(run(t, "    for (var half = 2u; half > 0u; half /= 2u) { // print if local.x < half: i\n    }\n"))
	require.Len(t, views, 4)
	first, second := views[2].(view.HeatMap), views[3].(view.HeatMap)
	assert.Contains(t, first.Title, "visit 1 of 2")
	assert.Equal(t, []float32{0, 1, 4, 5}, present(first))
	assert.Equal(t, []float32{0, 4}, present(second))
	assert.Equal(t, first.Cols, second.Cols, "an invocation keeps its place")

	views = printing.Views(run(t, "    for (var k = 0u; k < 9u; k++) { // print: k\n    }\n"))
	require.Len(t, views, 5)
	folded := views[4].(view.Fold)
	assert.Equal(t, "Line 11: visits 3 to 9", folded.Title)
	assert.Len(t, folded.Views, 7)
	assert.Equal(t, []float32{8, 8, 8, 8, 8, 8}, present(folded.Views[6].(view.HeatMap)))

	for _, body := range []string{
		"    for (var k = 0u; k < 9u; k++) { // print if i == 0u: k\n    }\n", // a list says more
		"    for (var k = 0u; k < 9u; k++) { // print: k, i\n    }\n",
		"    for (var k = 0u; k < 90u; k++) { // print: k\n    }\n",
	} {
		views = printing.Views(run(t, body))
		assert.IsType(t, view.Table{}, views[2], body)
	}
}

// present returns the values of a map without its gaps.
func present(h view.HeatMap) (values []float32) {
	for i, v := range h.Values {
		if !h.Absent[i] {
			values = append(values, v)
		}
	}
	return values
}

func TestBounds(t *testing.T) {
	printed := run(t, "    for (var k = 0u; k < 2000u; k++) { // print: k\n    }\n")
	last := printed[len(printed)-1]
	assert.Len(t, last.Rows, 4096)
	assert.Equal(t, 6*2000-4096, last.LeftOut)
	views := printing.Views(printed)
	assert.Contains(t, views[len(views)-1].Text(), "7,904 more rows are left out")

	printed = run(t, "    loop { data[i] += 1u; // print if i == 9u: i\n if (data[i] == 0u) { break; } }\n")
	assert.True(t, printed[len(printed)-1].Cut, "an endless loop ends")
}
