package course

import "math"

// This file models two-dimensional dispatches: which invocation writes where.

// eachCell returns an output of rows × columns in which every element has the value of value(row,
// column).
func eachCell(rows, columns int, value func(row, column int) float64) Buffer {
	return each(rows*columns, func(i int) float64 { return value(i/columns, i%columns) })
}

// dispatched returns the output that the invocations (x, y) of a dispatch leave if each writes one
// value at one index. An index outside the output writes nothing. If several invocations write
// different values to an element, the element is undetermined.
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

// outside is the value of a read out of bounds, which depends on the device: 0, or another
// element. It is NaN, so every sum or product with it is NaN. The check treats values that depend
// on such a read in the same way.
var outside = math.NaN()

// valueAt returns what a shader reads at index i.
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
		Title:    "Only the first workgroup's corner of the output was written.",
		Why:      "local_invocation_id starts again at (0, 0) in every workgroup. So all workgroups worked on the same corner at the top left, and none on the rest.",
		Ask:      "Which builtin keeps counting from one workgroup to the next, in x and in y?",
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
		Title: "Only about one row's worth of elements was written.",
		Why:   "You use id.x as the number of the element. But the host dispatches in two dimensions: x covers the columns and y the rows. So id.x only goes up to the number of columns.",
		Ask:   "Which row and which column belong to the invocation with id = (3, 2)?",
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
		Title: "Only the first row of the output was written.",
		Why:   "The row is 0 in all invocations. Each column has invocations of its own, and so does each row: id also has a y.",
		Ask:   "Where does your row come from?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyFirst(c.Extent[0], right(c), c.Buffers[output])
		},
	}
}

// firstColumnOnly is the counterpart of firstRowOnly.
func firstColumnOnly(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "first-column-only",
		Title: "Only the first column of the output was written.",
		Why:   "The column is 0 in all invocations. In a two-dimensional dispatch, x covers the columns and y the rows.",
		Ask:   "Where does your column come from?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyAt(func(i int) bool { return i%c.Extent[0] == 0 }, right(c), c.Buffers[output])
		},
	}
}

// zeroEverywhere is the mistake that the inputs never reach the output.
func zeroEverywhere(output int) Misconception {
	return Misconception{
		Slug:  "zero",
		Title: "Every element is 0.",
		Why:   "Each element was written, but no input reached it. Either you wrote a different variable from the one you summed up in, or the loop never ran.",
		Ask:   "Follow one value from the input to the output: where does it get lost?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return each(c.Buffers[output].Len(), func(int) float64 { return 0 })
		},
	}
}
