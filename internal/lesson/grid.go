package lesson

import "math"

// This file models two-dimensional dispatches: which invocation writes where.

// eachCell is the output when every element (row, column) of a rows × columns
// output gets value.
func eachCell(rows, columns int, value func(row, column int) float64) Buffer {
	return each(rows*columns, func(i int) float64 { return value(i/columns, i%columns) })
}

// dispatched is the output that the invocations (x, y) of a dispatch leave when
// each writes a value at an index; one outside of the output writes nothing.
// Where several write different values to the same element, nobody knows which
// one stays.
func dispatched(c Case, output int, size [3]uint32, invocation func(x, y int) (index int, value float64)) Buffer {
	out := c.Buffers[output].Clone()
	written := make([]bool, out.Len())
	groups := Cover.Workgroups(c.Extent, size)
	for y := range int(groups[1] * size[1]) {
		for x := range int(groups[0] * size[0]) {
			i, value := invocation(x, y)
			switch {
			case i < 0 || i >= out.Len():
			case written[i] && out.Floats()[i] != float32(value):
				out.Floats()[i] = Anything
			default:
				out.Floats()[i], written[i] = float32(value), true
			}
		}
	}
	return out
}

// nowhere is the index of an invocation that writes nothing.
const nowhere = -1

// outside is what a shader reads where there is no element: 0 here, another element
// there. No sum or product makes a number of it, and the check takes what depends on
// such a read for the same.
var outside = math.NaN()

// valueAt is what a shader reads at index i.
func valueAt(values []float32, i int) float64 {
	if i < 0 || i >= len(values) {
		return outside
	}
	return float64(values[i])
}

// localIndex2D is the misconception of localIndex in two dimensions.
func localIndex2D(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:     "local-id",
		Builtins: localBuiltins,
		Title:    "Only the first workgroup's corner of the output is written.",
		Why:      "local_invocation_id starts again at (0, 0) in every workgroup. All workgroups worked on the same corner at the top left, and nobody on the rest.",
		Ask:      "Which builtin goes on counting from one workgroup to the next, in x and in y?",
		Output: func(c Case, size [3]uint32) Buffer {
			columns := c.Extent[0]
			return onlyAt(func(i int) bool { return i%columns < int(size[0]) && i/columns < int(size[1]) }, right(c), c.Buffers[output])
		},
	}
}

// flatIndex is the misconception that id.x numbers all elements of a matrix.
func flatIndex(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "flat-index",
		Title: "Only about one row's worth of elements is written.",
		Why:   "The shader takes id.x for the number of the element. But the host dispatches in two dimensions: x covers the columns and y the rows, so id.x ends with the columns.",
		Ask:   "The invocation at id = (3, 2): which row and which column are its own?",
		Output: func(c Case, size [3]uint32) Buffer {
			groups := Cover.Workgroups(c.Extent, size)
			return onlyFirst(int(groups[0]*size[0]), right(c), c.Buffers[output])
		},
	}
}

// firstRowOnly is the misconception that one dimension is enough.
func firstRowOnly(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "first-row-only",
		Title: "Only the first row of the output is written.",
		Why:   "The row is the same in all invocations, 0. Each column has an invocation of its own, but so does each row: id has a y, too.",
		Ask:   "Where does your row come from?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyFirst(c.Extent[0], right(c), c.Buffers[output])
		},
	}
}

// firstColumnOnly is its counterpart.
func firstColumnOnly(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "first-column-only",
		Title: "Only the first column of the output is written.",
		Why:   "The column is the same in all invocations, 0. In a dispatch of two dimensions x covers the columns and y the rows.",
		Ask:   "Where does your column come from?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyAt(func(i int) bool { return i%c.Extent[0] == 0 }, right(c), c.Buffers[output])
		},
	}
}

// zeroEverywhere is an output that the inputs never reached.
func zeroEverywhere(output int) Misconception {
	return Misconception{
		Slug:  "zero",
		Title: "Every element is 0.",
		Why:   "Each element was written, but nothing of the inputs reached it: the variable that was summed up is not the one that was written, or the loop never ran.",
		Ask:   "Follow one value of the input to the output: where is it lost?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return each(c.Buffers[output].Len(), func(int) float64 { return 0 })
		},
	}
}
