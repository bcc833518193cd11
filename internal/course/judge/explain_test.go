package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// edited returns an exercise and its reference with changes.
func edited(t *testing.T, id string, changes ...string) (*course.Exercise, string) {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	reference, err := e.Reference()
	require.NoError(t, err)
	text := reference.Text
	for i := 0; i+1 < len(changes); i += 2 {
		require.Contains(t, text, changes[i])
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return e, text
}

// reasonsOf changes the reference of an exercise and returns the verdict with its reasons. The
// diagnosis is ignored, as if no misconception were known.
func reasonsOf(t *testing.T, id string, changes ...string) (*verdict.Verdict, verdict.Reasons) {
	t.Helper()
	e, text := edited(t, id, changes...)
	r, v, err := begin(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/"+id+".wgsl", text), 1, e.Draw(1))
	require.NoError(t, err)
	defer r.free()
	if v.Passed() {
		return v, nil
	}
	v.Slug = ""
	r.input().Explain(t.Context(), v)
	return v, v.Reasons
}

// Each wrong shader gets a reason that no exercise has words for.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		name, exercise string
		changes        []string
		reason         string // the first
	}{
		{"a guard that is always false", "vector-add", []string{"arrayLength(&out)", "arrayLength(&out) / 64u * 64u"}, "`out[0]` was never written. Invocation 0 of workgroup 0 should write it, but the condition on line 13 is false: `i < arrayLength(&out) / 64u * 64u`, where `i` is 0 and `arrayLength(&out) / 64u * 64u` is 0."},
		{"reversed", "vector-add", []string{"+ b[i];", "+ b[arrayLength(&b) - 1u - i];"}, "`out[0]` needs `b[0]`. Your shader uses `b[62]` instead."},
		{"a bias for each row", "linear", []string{"bias[column]", "bias[row]"}, "`out[1]` needs `bias[1]`. Your shader uses `bias[0]` instead."},
		{"ten columns", "row-max", []string{"column < dims.cols", "column < 5u"}, "Case 5 × 10, all negative: `out[1]` also needs `x[15]` to `x[19]`. Your shader does not use them."},
		{"an index of the wrong width", "hello", []string{"let i = id.x", "let i = id.x * 2u"}, "`out[1]` was never written. Invocation 1 of workgroup 0 writes `out[2]` on line 13."},
		{"an early return", "matmul", []string{"row >= dims.m", "row >= dims.k"}, "Case 65 × 7 times 7 × 1: `out[7]` was never written. Invocation (0, 7, 0) of workgroup (0, 0, 0) should write it, but the condition on line 22 is true: `row >= dims.k`, where `row` is 7 and `dims.k` is 7."},
		{"transposed", "matmul", []string{"out[row * dims.n + column]", "out[column * dims.m + row]"}, "`out[1]` holds the value that belongs in `out[4]`."},
		{"the bias in each step", "linear", []string{"total += x", "total += bias[column] + x"}, "If `bias[0]` grew by 1, `out[0]` should grow by 1. With your shader it would grow by 2."},
		{"adds to what was there", "vector-add", []string{"out[i] = a[i]", "out[i] += a[i]"}, "Line 14 reads `out[0]` before anything is written there. So what was in the buffer before the run goes into the result."},
		{"without alpha", "saxpy", []string{"params.alpha * x", "x"}, "`y[0]` also needs `params.alpha`. Your shader does not use it."},
		{"a pass that adds its own", "scan", []string{"sums[me] = sum", "sums[me] = sum + own"}, "With the reference's `scan_sums` in place of yours, every result is right. So the mistake is in `scan_sums`."},
		{"a pass that writes elsewhere", "compact", []string{"list[starts[block.x] + sum]", "list[starts[block.x] + me]"}, "With the reference's `write_list` in place of yours, every result is right. So the mistake is in `write_list`. Case n = 8: `list[0]` was never written. Invocation 1 of workgroup 0 should write it, but it writes `list[1]` on line 70."},
		{"a function of two passes", "scan", []string{"return part[me] - value", "return part[me]"}, ""},
		{"whole numbers", "normalize", []string{"f32(byte) / 255.0", "f32(byte / 255u)"}, "`out[0]` needs `pixels[0]`. Your shader reads it, but when we changed it, the result stayed the same."},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, reasons := reasonsOf(t, c.exercise, c.changes...)
			if c.reason == "" {
				require.NotContains(t, reasons.Text(), "With the reference's", "no single pass is to blame")
				return
			}
			require.NotEmpty(t, reasons)
			require.Equal(t, c.reason, reasons[0].Text)
		})
	}
}

// Where no small edit helps, a step is named whose result the reference never has.
func TestDepartureFromTheReference(t *testing.T) {
	v, reasons := reasonsOf(t, "softmax", "mine += exp(data[start + column] - largest)", "mine += exp(data[start + column])",
		"= exp(data[start + column] - largest)", "= exp(data[start + column])", "partial[me] += partial[me + half]", "partial[me] += 2.0 * partial[me + half]",
		"row * dims.cols", "dims.cols * row", "half = SIZE / 2u", "half = SIZE >> 1u")
	require.Len(t, reasons, 1)
	require.Equal(t, verdict.ByComputing, reasons[0].Why)
	require.Contains(t, reasons[0].Text, "On line 49, `exp(data[start + column])` is infinity. A right shader starts from the same numbers, but never gets this one.")
	require.Contains(t, []int{49, 62}, v.Places[0].Line, "both lines lack the largest")
}

// A picture shows the inputs in their shape: here rows of three.
func TestPicturesOfInputs(t *testing.T) {
	_, reasons := reasonsOf(t, "matmul", "row * dims.k + i", "row * dims.n + i")
	require.Len(t, reasons[0].Inputs, 2)
	a := reasons[0].Inputs[0]
	require.Equal(t, "a", a.Name)
	require.Equal(t, 3, a.Columns)
	require.Equal(t, verdict.InputCell{Index: 3, Wanted: true}, a.Cells[3], "`out[4]` also needs `a[3]`")
	_, reasons = reasonsOf(t, "vector-add", "+ b[i];", "+ b[arrayLength(&b) - 1u - i];")
	b := reasons[0].Inputs[0]
	require.Equal(t, "b", b.Name)
	require.Equal(t, verdict.InputCell{Index: 0, Wanted: true}, b.Cells[0])
	require.Equal(t, verdict.InputCell{Index: 62, Used: true}, b.Cells[62])
}

// The mistake is in the pass that is to blame, not in a function that right passes call, too.
func TestPlacesInPasses(t *testing.T) {
	v, _ := reasonsOf(t, "scan", "sums[me] = sum", "sums[me] = sum + own")
	scan, err := course.Find("scan")
	require.NoError(t, err)
	reference, err := scan.Reference()
	require.NoError(t, err)
	line, _ := reference.Line(v.Places[0].Line)
	require.Contains(t, line, "sums[me] = sum")
	v, reasons := reasonsOf(t, "scan", "= sum + own", "= sum")
	require.Contains(t, reasons[0].Text, "So the mistake is in `scan_blocks`.")
	for _, place := range v.Places {
		require.GreaterOrEqual(t, place.Line, 31, "in scan_blocks")
	}
}

// If all reads are displaced alike, what their indices share is wrong.
func TestPlaceOfASharedIndex(t *testing.T) {
	v, reasons := reasonsOf(t, "max-pool", "(id.y * params.h + row)", "(id.y * height + row)")
	require.Contains(t, reasons[0].Text, "instead: always")
	require.Equal(t, 30, v.Places[0].Line)
	require.Contains(t, v.Excerpt+reasons[0].Excerpt, "let at")
}

// The most likely place of the mistake comes first.
func TestPlaces(t *testing.T) {
	v, reasons := reasonsOf(t, "matmul", "row * dims.k + i", "row * dims.n + i")
	require.Equal(t, verdict.ByNearest, v.Places[0].Why)
	require.Equal(t, 27, v.Places[0].Line)
	require.Equal(t, "`out[4]` also needs `a[3]` and `b[8]`. Your shader does not use them.", reasons[0].Text)
	require.Contains(t, reasons.Text(), "Work out the index on line 27")
	require.NotContains(t, reasons.Text(), "instead of `n`", "the edit is for those who ask")
	require.Contains(t, v.HTML(), "<code>k</code> instead of <code>n</code>")
}

// What is wrong is often not where it shows: the place is the exchange, the declaration, or the
// gap.
func TestPlacesOfSharedMemory(t *testing.T) {
	for _, c := range []struct {
		name, exercise string
		changes        []string
		line           string // that holds the first place
	}{
		{"the wrong place in workgroup memory", "reverse-64", []string{"block[SIZE - 1u - me]", "block[(me + 1u) % SIZE]"}, "data[mine] = block[(me + 1u) % SIZE];"},
		{"a calculation with one use", "reverse-64", []string{"data[mine] = block[SIZE - 1u - me];", "let other = SIZE - me;\n    data[mine] = block[other];"}, "let other = SIZE - me;"},
		{"a barrier in some rounds", "sum-64", []string{"        workgroupBarrier(); // the step before is complete\n", "        if (half > 16u) {\n            workgroupBarrier();\n        }\n"}, "if (half > 16u) {"},
		{"a barrier for some invocations", "reverse-64", []string{"    workgroupBarrier(); // all of them have stored\n", "    if (group.x == 0u) {\n        workgroupBarrier();\n    }\n"}, "if (group.x == 0u) {"},
		{
			"a tile that keeps old numbers", "matmul-tiled",
			[]string{
				"a_tile[local.y][local.x] = a_at(row, start + local.x);", "if (row < dims.m && start + local.x < dims.k) {\n            a_tile[local.y][local.x] = a[row * dims.k + start + local.x];\n        }",
				"b_tile[local.y][local.x] = b_at(start + local.y, column);", "if (start + local.y < dims.k && column < dims.n) {\n            b_tile[local.y][local.x] = b[(start + local.y) * dims.n + column];\n        }",
			}, "if (row < dims.m && start + local.x < dims.k) {",
		},
		{"an array for each invocation", "row-max", []string{"var<workgroup> candidates", "var<private> candidates"}, "var<private> candidates: array<f32, SIZE>;"},
		{"the index of all blocks in one", "reverse-64", []string{"block[me] = data[mine]", "block[mine] = data[mine]", "block[SIZE - 1u - me]", "block[SIZE - 1u - mine]"}, "block[mine] = data[mine];"},
		{"a column that stays behind", "argmax-shared", []string{"            columns[me] = columns[me + half];\n", ""}, "values[me] = values[me + half];"},
		{"a column that stays behind, read before", "argmax-shared", []string{"        if (me < half && beats(me + half, me)) {\n            values[me] = values[me + half];\n            columns[me] = columns[me + half];", "        let column = columns[min(me + half, SIZE - 1u)];\n        if (me < half && beats(me + half, me)) {\n            values[me] = values[me + half];"}, "values[me] = values[me + half];"},
		{"a division by 0 in a loop", "quiz-rescale", []string{"if (largest[0] > 0.0) {\n        for (var c", "let high = largest[0];\n        for (var c", "data[start + c] /= largest[0];\n        }", "data[start + c] = data[start + c] / high;"}, "data[start + c] = data[start + c] / high;"},
		{"two calculations with one use", "downsample", []string{"total += image[(id.y * side + y) * params.src + id.x * side + x];", "let down = id.y + y;\n            let right = id.x + x;\n            total += image[down * params.src + right];"}, "let down = id.y + y;"},
		{
			"no barrier before the loop", "row-max",
			[]string{"        workgroupBarrier();\n", "", "        }\n    }\n    if (me == 0u)", "        }\n        workgroupBarrier();\n    }\n    if (me == 0u)"},
			"for (var half = SIZE / 2u; half > 0u; half /= 2u) {",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, _ := reasonsOf(t, c.exercise, c.changes...)
			require.NotEmpty(t, v.Places)
			_, text := edited(t, c.exercise, c.changes...)
			require.Equal(t, c.line, strings.TrimSpace(strings.Split(text, "\n")[v.Places[0].Line-1]), "%v", v.Places)
		})
	}
}

// Where no small edit helps, the place is still not a line that is right.
func TestPlacesWithoutARepair(t *testing.T) {
	for _, c := range []struct{ id, wrong, line string }{
		{"softmax", "one-halving", "if (me < SIZE / 2u) {"},
		{"argmax-shared", "one-column-each", "if (me < dims.cols) {"},
		{"gemv", "full-subgroup", "sum += subgroupShuffleXor(sum, step);"},
		{"gemv", "one-more-add", "if (lane < count) {"},
		{"sum-together", "as-many-as-lanes", "for (var k = 0u; k < size; k++) {"},
		{"sum-together", "neighbours", "if (local.x % size == 0u) {"},
		{"scan-together", "local-index", "let i = id.x;"},
		{"row-max", "local-row", "let row = local.x;"},
	} {
		t.Run(c.wrong, func(t *testing.T) {
			e, err := course.Find(c.id)
			require.NoError(t, err)
			text, err := exercises.Files.ReadFile(c.id + "/wrong/" + c.wrong + ".wgsl")
			require.NoError(t, err)
			v := verdictOf(t, e, shader.Read("work/"+c.id+".wgsl", string(text)))
			require.NotEmpty(t, v.Places)
			require.Equal(t, c.line, strings.TrimSpace(strings.Split(string(text), "\n")[v.Places[0].Line-1]), "%v", v.Places)
		})
	}
}

// Where invocations disturb each other, values say nothing about the inputs.
func TestARaceGetsNoReasonFromItsValues(t *testing.T) {
	_, reasons := reasonsOf(t, "row-max", "workgroupBarrier();", "")
	for _, reason := range reasons {
		require.NotEqual(t, verdict.Dependency, reason.Why, reason.Text)
	}
}

// The verdict comes before its reasons, and a right shader gets none.
func TestExplain(t *testing.T) {
	e, err := course.Find("add")
	require.NoError(t, err)
	reference, err := e.Reference()
	require.NoError(t, err)
	on := shader.Engines{Values: exact, Watcher: exact}
	came := 0
	v, err := Explain(t.Context(), on, e, reference, 1, func(v *verdict.Verdict) {
		came++
		require.True(t, v.Passed())
	})
	require.NoError(t, err)
	require.True(t, v.Passed())
	require.Empty(t, v.Reasons)
	wrong := shader.Read("work/add.wgsl", strings.Replace(reference.Text, "a[0] + b[0]", "a[0] - b[0]", 1))
	v, err = Explain(t.Context(), on, e, wrong, 1, func(v *verdict.Verdict) {
		came++
		require.Equal(t, "subtract", v.Slug)
	})
	require.NoError(t, err)
	require.Equal(t, 2, came)
	require.Equal(t, verdict.ByNearest, v.Places[0].Why)
	require.Contains(t, v.Story().Excerpt, "a[0] - b[0]", "a diagnosis is a reason already: its story gets the place")
	require.NotContains(t, v.Story().Because, "grew")
}

// What is said of a shader is true of its run: a branch and an atomic function are dependence and
// writing too, and two invocations that both write needn't wait for each other.
func TestNothingFalseIsSaid(t *testing.T) {
	for _, c := range []struct {
		id, from, to string
		never, says  []string
	}{
		{"loss-grad", "(prob[start + c] - truth)", "(prob[start + c] - f32(label[row]))", []string{"should not depend on"}, nil},
		{"ink-box", "atomicMin(&box[1], id.y);\n        atomicMax(&box[2], id.x);", "atomicMax(&box[1], id.x);\n        atomicMin(&box[2], id.y);",
			[]string{"never written", "not written"}, []string{"`box[1]` should be"}},
		{"histogram", "atomicAdd(&bins[local.x], count)", "atomicStore(&bins[local.x], count)", []string{"uses no input", "uses none"}, nil},
		{"sum-64", "        workgroupBarrier(); // the step before is complete\n", "", []string{"never enter the `if`"}, []string{"Has everyone finished writing by then?"}},
		{"patches", "tokens[id.y * pixels + id.x]", "tokens[id.x]", []string{"wait for"}, []string{"should both of them write"}},
		{"scores", "column >= params.t || row >= params.t", "false", []string{"themselves are right"}, []string{"Invocations without an element write as well"}},
		{"histogram", "8u * (i % 4u)", "i % 4u", []string{"uses none", "should not depend"}, []string{"shifts by bits"}},
		{"embed", "column >= params.width || ", "", []string{"dropped here, so"}, []string{"it is luck whose value stays", "has no element of its own, but it writes `out[4]`, which belongs to"}},
		{"copy-2d", "id.x >= params.w || ", "", []string{"dropped here, so"}, []string{"though the values are right"}},
		{"copy-2d", " || id.y >= params.h", "", []string{"it is luck"}, []string{"their writes are dropped here, so"}},
		{"relu", "i < arrayLength(&data)", "i <= arrayLength(&data)", []string{"their writes"}, []string{"its write is dropped here"}},
		{"linear-relu", "    n: u32,\n    k: u32,", "    k: u32,\n    n: u32,", nil, []string{"Which value does the host write after the first one?"}},
		{"argmax", "for (var column = 1u; column < dims.cols; column++) {", "for (var column = dims.cols - 1u; column > 0u; column--) {\n        if (column == dims.cols - 1u && x[start + column] > x[start]) {\n            best = column;\n        }", []string{"lets an equal value"}, nil},
		{"sum-64", "= partial[0]", "= partial[SIZE - 1u]", []string{"after the first step"}, []string{"in which element should the sum end up?"}},
		{"quantize", "u32(q) & 0xffu", "u32(q)", []string{"should be 4"}, []string{"should be ("}},
		{"gemv", "@binding(2) var<storage, read> w: array<f32>;\n@group(0) @binding(3)", "@binding(3) var<storage, read> w: array<f32>;\n@group(0) @binding(2)", []string{"`w` has 2 elements"}, []string{"the host binds `w`"}},
		{"matmul-tiled", "@binding(1) var<storage, read> a: array<f32>;\n@group(0) @binding(2)", "@binding(2) var<storage, read> a: array<f32>;\n@group(0) @binding(1)", nil, []string{"the host binds `a`"}},
		{"matmul-registers", "min(rows, vec4(dims.m - 1u))", "rows", []string{"another machine"}, []string{"reads `a[", "No value is wrong"}},
		{"matmul-registers", "min(columns, vec4(dims.n - 1u))", "min(columns, vec4(dims.m - 1u))", nil, []string{"not right yet `out[", "also needs `b[2]`"}},
		{"matmul-registers", "min(columns, vec4(dims.n - 1u))", "min(columns / 2u, vec4(dims.n))", nil, []string{"not right yet `out["}},
		{"matmul-registers", "min(rows, vec4(dims.m - 1u))", "min(rows / 2u, vec4(dims.m))", nil, []string{"not right yet `out["}},
		{"saxpy", "params.alpha * x[i] + y[i]", "params.alpha * x[i] + y[i] * select(1.0, sqrt(params.alpha - 1.0), params.alpha == 0.0)", []string{"Your formula divides"}, []string{"sqrt(-1) became NaN"}},
		{"downsample", "total / f32(side * side)", "total / f32(side * side) + select(0.0, log(-1.0 - total), total == 0.0)", []string{"pixels above 0", "background"}, nil},
		{"softmax", "exp(data[start + column] - largest) / total", "exp(data[start + column] - largest) / total * select(1.0, sqrt(largest), largest < -100.0)", []string{"search for the largest starts with 0"}, nil},
		{"count-up", "image[i] > 0.0", "image[i] >= 0.0", []string{"never looks"}, []string{"A pixel without ink holds 0"}},
		{"matmul-registers", "row < dims.m && columns[c] < dims.n", "row < dims.m", []string{"n is 65. "}, []string{"If n is 65, "}},
		{"loss-grad", "-log(prob[start + right])", "-log(prob[start + right]) / f32(dims.rows)", []string{"]` grew"}, []string{"]` were 3, `loss["}},
		{"histogram", "atomicAdd(&bins[local.x], count)", "atomicAdd(&bins[local.x], count + u32(id.x == 0u))", []string{"grew by 1"}, nil},
		// The line that is shown is the one of which the words tell.
		{"grad-bias", "    let col = id.x;\n    if (col >= dims.cols) {\n        return;\n    }\n    var total = 0.0;\n    for (var row = 0u; row < dims.rows; row++) {\n        total += d[row * dims.cols + col];\n    }\n    db[col] = total;",
			"    if (id.x >= dims.cols) {\n        return;\n    }\n    for (var row = 0u; row < dims.rows; row++) {\n        db[id.x] += d[row * dims.cols + id.x];\n    }",
			[]string{"| if (id.x >="}, []string{"| db[id.x] += d["}},
		{"compact", "image[i] > 0.0", "image[i] >= 0.0", []string{"| for (var"}, []string{"Pixels that hold 0", "image[i] >= 0.0"}},
		{"top-k", "    let i = id.x;\n    if (i >= params.n) {\n        return;\n    }\n    let score = scores[i];\n    var ahead = 0u;\n    for (var j = 0u; j < params.n; j++) {\n        if (scores[j] > score || (scores[j] == score && j < i)) {\n            ahead++;\n        }\n    }\n    out[i] = select(NEVER, score, ahead < params.k);",
			"    let i = id.x;\n    if (i < params.n) {\n        var ahead = 0u;\n        for (var j = 0u; j < params.n; j++) {\n            if (scores[j] > scores[i]) {\n                ahead += 1u;\n            }\n        }\n        out[i] = select(-1e30, scores[i], ahead < params.k);\n    }",
			[]string{"| var ahead"}, []string{"| if (scores[j] > scores[i])"}},
		{"quiz-nearest", "var best = 0x7fffffff", "var best = 0", []string{"added up", "goes on"}, []string{"Every row comes out as 0."}},
		{"quiz-nearest", "distance < best", "distance < best - best", []string{"added up", "starts at a number"}, []string{"Every row comes out as 0."}},
		{"matmul-tiled", "a_at(row, start + local.x);\n        b_tile[local.y][local.x] = b_at(start + local.y, column)", "a[row * dims.k + start + local.x];\n        b_tile[local.y][local.x] = b[(start + local.y) * dims.n + column]", nil, []string{"Here the values came out right, but they depend on out-of-bounds reads."}},
		{"order-flip", "i < n / 2u", "i <= n / 2u", []string{"storageBarrier", "one workgroup", "have to wait"}, []string{"let one invocation read and write an element, and no other", "Which side of the comparison"}},
		{"softmax", "row * dims.cols", "row * SIZE", []string{"runs over the whole matrix"}, []string{"Which variable do you need on line"}},
		{"relu", "max(data[i], 0.0)", "max(data[i], data[i + 1u])", []string{"barrier", "one workgroup"}, []string{"let one invocation read and write an element, and no other"}},
		{"reverse-64", "block[SIZE - 1u - me]", "data[group.x * SIZE + SIZE - 1u - me]", []string{"So let one workgroup"}, nil},
		{"sum-64", "if (me < half) {\n            partial[me] += partial[me + half];\n        }", "partial[me] += partial[me + half];", []string{"What makes one of them wait"}, []string{"Which invocations should do what line"}},
		{"row-max", "if (me < half) {\n            candidates", "{\n            candidates", []string{"Has everyone", "makes one of them wait"}, nil},
		{"order-sum-tree", "    for (var half = SIZE / 2u; half > 0u; half /= 2u) {\n        workgroupBarrier();\n", "    workgroupBarrier();\n    for (var half = SIZE / 2u; half > 0u; half /= 2u) {\n", []string{"Something is missing"}, []string{"How often should the statement on line 20 run, and when?"}},
		{"order-sum-tree", "        workgroupBarrier();\n        if (me < half) {\n            partial[me] += partial[me + half];\n        }\n", "        if (me < half) {\n            partial[me] += partial[me + half];\n        }\n        workgroupBarrier();\n", []string{"Something is missing"}, []string{"Which has to happen first: line 24 or what comes before it?"}},
		{"softmax", "let largest = partial[0];", "let largest = partial[0] * 0.5;", []string{"Which operator"}, []string{"What does each operand on line 44 stand for?"}},
		{"softmax", "let total = partial[0];", "let total = partial[0] * 2.0;", []string{"Which operator"}, nil},
		{"relu", "if (i < arrayLength(&data)) {\n        data[i] = max(data[i], 0.0);", "if (data[i] < 0.0) {\n        data[i] = 0.0;", []string{"write as well, and their writes are dropped"}, []string{"The surplus invocations may write as well. Here none does, so the values are right."}},
		{"leaky-relu", "if (i < arrayLength(&data)) {", "if (data[i] < 0.0) {", []string{"write as well, and their writes are dropped"}, []string{"may write as well. Here none does"}},
		{"quiz-rescale", "if (largest[0] > 0.0) {", "if (largest[0] == 0.0) {\n        data[start + me % dims.cols] = acos(2.0 + largest[0]);\n    } else {", []string{"Rows of zeros became NaN. 0 / 0"}, nil},
	} {
		t.Run(c.id, func(t *testing.T) {
			e, wrong := edited(t, c.id, c.from, c.to)
			v, err := Explain(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/"+c.id+".wgsl", wrong), 1, func(*verdict.Verdict) {})
			require.NoError(t, err)
			require.False(t, v.Passed())
			text := strings.Join(strings.Fields(v.Text()+" "+strings.Join(v.More().Reasons, " ")), " ")
			for _, never := range c.never {
				require.NotContains(t, text, never)
			}
			for _, says := range c.says {
				require.Contains(t, text, says)
			}
		})
	}
}

// What is right but for halves is said to be so: it isn't the values of one misconception.
func TestHalvesAreNamed(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []string
		slug    string
	}{
		{"products and a sum in halves", []string{"var sum = 0.0;", "var sum = 0.0h;", "pair.x * x[2u * i] + pair.y * x[2u * i + 1u]", "f16(pair.x * x[2u * i]) + f16(pair.y * x[2u * i + 1u])", "subgroupAdd(sum)", "subgroupAdd(f32(sum))"}, "in-halves"},
		{"products in halves", []string{"pair.x * x[2u * i] + pair.y * x[2u * i + 1u]", "f32(f16(pair.x) * f16(x[2u * i]) + f16(pair.y) * f16(x[2u * i + 1u]))"}, "in-halves"},
		{"pairs of halves", []string{"var sum = 0.0;", "var pairs = vec2h();", "sum += pair.x * x[2u * i] + pair.y * x[2u * i + 1u]", "pairs += vec2h(pair) * vec2h(vec2(x[2u * i], x[2u * i + 1u]))", "subgroupAdd(sum)", "subgroupAdd(f32(pairs.x + pairs.y))"}, "in-halves"},
		{"parts in halves", []string{"array<f32, SIZE>", "array<f16, SIZE>", "= together", "= f16(together)", "+= parts[i]", "+= f32(parts[i])"}, "in-halves"},
		{"halves and a mistake", []string{"all += parts[i]", "all += f32(f16(parts[0]))"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, wrong := edited(t, "gemv-half", append(c.changes, "enable subgroups;", "enable subgroups;\nenable f16;")...)
			v, err := Run(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("try.wgsl", wrong), 1)
			require.NoError(t, err)
			require.Equal(t, c.slug, v.Slug, v.Text())
		})
	}
}

// A sentence is said only if the run that it speaks of bears it out: words that must not be in a
// verdict, and words that must.
func TestEachSentenceIsBorneOut(t *testing.T) {
	shuffled := []string{"let sum = subgroupAdd(value);", "var sum = value;\n    for (var step = 128u; step > 0u; step /= 2u) {\n        sum += subgroupShuffleDown(sum, step);\n    }"}
	left := []string{"if (possible && sums[me] > point) {\n        atomicMin(&letter, me);\n    }", "",
		"workgroupBarrier();\n    if (me == 0u) {\n        out[0] = atomicLoad(&letter);", "var left = 0.0;\n    if (me > 0u) {\n        left = sums[me - 1u];\n    }\n    if (possible && left < point && point < sums[me]) {\n        out[0] = me;"}
	for _, c := range []struct {
		name, exercise string
		changes        []string
		never          []string
		says           string
	}{
		{"surplus weights of one", "sample", []string{"var weight = 0.0;", "var weight = 1.0;"}, []string{"should not depend", "a right shader uses"}, ""},
		{"a lower limit", "sample", []string{"const NEVER = -1e30;", "const NEVER = -2e30;"}, []string{"should not depend", "a right shader uses"}, ""},
		{"a rounded centre", "frame", []string{"vec2<i32>(at / mass)", "vec2<i32>(round(at / mass))"}, []string{"should not depend", "does not use", "a right shader uses"}, ""},
		{"a centre by the half", "frame", []string{"+ 0.5, f32(i / FIT)", "+ 1.0, f32(i / FIT)"}, []string{"should not depend", "does not use"}, ""},
		{"its own subgroup as well", "scan-together", []string{"k < subgroup; k++", "k <= subgroup; k++"}, []string{"x[0] to x[4]"}, ""},
		{"an inclusive sum", "scan-together", []string{"subgroupExclusiveAdd(own)", "subgroupInclusiveAdd(own)"}, []string{"a right shader uses x[0] to x[4]"}, ""},
		{"eight places of more", "sum-together", []string{"enable subgroups;", "enable subgroups; // subgroups: 8", "k < count", "k < 8u"}, []string{"instead", "to `x[27]`", "stayed the same for"}, ""},
		{"places of four", "sum-together", []string{"enable subgroups;", "enable subgroups; // subgroups: 4", "k < count", "k < 8u"}, []string{"never gets this one", "instead"}, ""},
		{"places of sixteen", "sum-together", []string{"enable subgroups;", "enable subgroups; // subgroups: 16", "k < count", "k < 8u"}, []string{"never gets this one", "instead"}, ""},
		{"a letter that writes itself", "sample", left, []string{"should write it"}, ""},
		{"a lane that isn't there", "sum-together", shuffled, nil, "a lane that isn't there"},
		{"rows at multiples of rows", "softmax-together", []string{"group.x * dims.cols", "group.x * dims.rows"}, []string{"another buffer"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, reasons := reasonsOf(t, c.exercise, c.changes...)
			text := v.Text() + reasons.Text()
			for _, words := range c.never {
				require.NotContains(t, text, words)
			}
			require.Contains(t, strings.Join(strings.Fields(text), " "), c.says)
		})
	}
}
