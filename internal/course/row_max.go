package course

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
)

var rowMax = &Exercise{
	ID:      "row-max",
	Lesson:  5,
	Title:   "The largest of each row, together",
	Task:    "Write out[row] = the largest element of that row of x, found by a workgroup that shares its work in workgroup memory.",
	Points:  3,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: rowsDimsType},
		{Name: "x", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:   rowMaxOut,
	Dispatch: Each,
	Columns:  rowsColumns,
	Small:    func(rng *rand.Rand) Case { return rowMaxCase(rng, 3, 160, "", Unwritten) },
	Large:    func(rng *rand.Rand) Case { return rowMaxCase(rng, 256, 1024, "", Unwritten) },
	Cases: func(rng *rand.Rand) []Case {
		return []Case{
			rowMaxCase(rng, 1, 1, "", Unwritten),
			rowMaxCase(rng, 7, 1, "", Unwritten),
			rowMaxCase(rng, 5, 10, ", all negative", Unwritten),
			rowMaxCase(rng, 4, 63, "", Unwritten),
			rowMaxCase(rng, 12, 64, "", Stale),
			rowMaxCase(rng, 6, 65, ", all negative", Unwritten),
			// The old values in the output are larger than any element.
			rowMaxCase(rng, 9, 100+rng.IntN(100), ", far below zero", Stale),
			rowMaxCase(rng, 8, 1000, ", all negative", Unwritten),
			rowMaxCase(rng, 7, 1500+rng.IntN(500), "", Unwritten),
			rowMaxCase(rng, beyondOneWorkgroup(rng), 2, "", Unwritten),
		}
	},
	Reference: func(c Case) Buffer {
		m := matrixOf(c)
		return each(m.rows, func(r int) float64 { return slices.Max(m.row(r)) })
	},
	WithoutWorkgroupMemory: "serial-reduction",
	Hints: []string{
		"A workgroup takes a row: workgroup_id.x is the row, and local_invocation_id.x says which invocation of the workgroup this is.",
		"First each invocation works alone. Starting at its own number, it walks along the row in strides of the workgroup's size and keeps the largest value it meets. It must begin with a value that is smaller than any element.",
		"All invocations of a workgroup share a var<workgroup> array, declared at module scope. Give it one element per invocation. Each invocation stores what it found at its own index.",
		"Then half of the invocations compare their own element with the one half the array further on, and keep the larger. Then a quarter of them, and so on, until element 0 is the largest of all.",
		"Before each halving, all invocations must have finished the previous one. So put a workgroupBarrier inside the loop but outside the if, because all must reach it. At the end one invocation writes out[row].",
	},
}

func rowMaxCase(rng *rand.Rand, rows, cols int, what string, output func(n int) Buffer) Case {
	x := floats(rng, rows*cols, 10)
	for i := range x {
		switch what {
		case ", all negative":
			x[i] = float32(-math.Abs(float64(x[i])))
		case ", far below zero":
			x[i] += 2 * StaleF32
		}
	}
	return Case{
		Name:    rowsName(rows, cols, what),
		Buffers: []Buffer{shader.UniformBuffer(shader.Uint(rows), shader.Uint(cols)), shader.FloatBuffer(x), output(rows)},
		Extent:  [2]int{rows},
	}
}
