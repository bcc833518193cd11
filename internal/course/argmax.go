package course

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
)

// The bindings of argmax, and the members of its uniform.
const (
	argmaxDims, argmaxX, argmaxOut = 0, 1, 2
	argmaxRows, argmaxCols         = 0, 1
)

var argmax = &Exercise{
	ID:      "argmax",
	Lesson:  7,
	Title:   "Which digit is it?",
	Task:    "For each row of x write the index of its largest value; of equal ones the lowest index wins.",
	Points:  2,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: "Dims{rows: u32, cols: u32}"},
		{Name: "x", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<u32>"},
	},
	Output:  argmaxOut,
	Columns: rowsColumns,
	Small:   func(rng *rand.Rand) Case { return argmaxCase(rng, "small", 80, 10, -10, 10) },
	Large:   func(rng *rand.Rand) Case { return argmaxCase(rng, "large", 20_000, 10, -10, 10) },
	Cases: func(rng *rand.Rand) []Case {
		return []Case{
			argmaxCase(rng, "one row of 10", 1, 10, -10, 10),
			argmaxCase(rng, "one column", 7, 1, -10, 10),
			argmaxCase(rng, "63 rows of 10", 63, 10, -10, 10),
			argmaxCase(rng, "65 rows of 7, all negative", 65, 7, -10, -1),
			tied(argmaxCase(rng, "130 rows of 12, with ties", 130, 12, -10, 10), rng),
			argmaxCase(rng, "many rows of 5", beyondOneWorkgroup(rng), 5, -10, 10),
			argmaxCase(rng, "20 rows of 33, small values", 20, 33, 0, 0.5),
		}
	},
	Reference: rowIndices,
	Hints: []string{
		"One invocation takes one row and walks along it.",
		"Keep two variables: the best value so far and its index. Both start with the row's first element.",
		"Replace the best only by a larger value, never by an equal one. That way the lowest index wins.",
		"Row r begins at r * dims.cols. The guard compares with dims.rows: there are more invocations than rows.",
	},
}

func argmaxCase(rng *rand.Rand, name string, rows, cols int, low, high float32) Case {
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = low + (high-low)*rng.Float32()
	}
	return Case{
		Name:    fmt.Sprintf("%s (%d × %d)", name, rows, cols),
		Buffers: []Buffer{shader.UniformBuffer(shader.Uint(rows), shader.Uint(cols)), shader.FloatBuffer(x), UnwrittenU32(rows)},
		Extent:  [2]int{rows},
	}
}

// tied copies the largest value of every row to a second place in the row.
func tied(c Case, rng *rand.Rand) Case {
	cols := uniformU32(c, argmaxDims, argmaxCols)
	for r, best := range rowIndices(c).Uints() {
		row := c.Buffers[argmaxX].Floats()[r*cols : (r+1)*cols]
		other := (int(best) + 1 + rng.IntN(cols-1)) % cols
		row[other] = row[best]
	}
	return c
}

// rowIndices returns the index of the largest element of each row.
func rowIndices(c Case) Buffer {
	m := matrixOf(c)
	return eachU32(m.rows, func(r int) uint32 {
		row := m.row(r)
		return uint32(slices.Index(row, slices.Max(row)))
	})
}
