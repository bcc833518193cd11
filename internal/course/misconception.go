package course

import "github.com/wgslab/wgslab/internal/shader"

// This file holds the misconceptions that several exercises share. output is the binding that the
// shader writes, and right returns the right answer.

// The builtins that start again in every workgroup, and those that are constant within a
// workgroup.
var (
	localBuiltins     = []string{"local_invocation_id", "local_invocation_index"}
	workgroupBuiltins = []string{"workgroup_id"}
)

// localIndex is the misconception that the index inside the workgroup is the index in the array.
func localIndex(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:     "local-id",
		Builtins: localBuiltins,
		Title:    "Only the elements of the first workgroup were written.",
		Why:      "local_invocation_id starts again at 0 in every workgroup. So all workgroups worked on the same first elements, and none on the rest.",
		Ask:      "Which builtin keeps counting from one workgroup to the next?",
		Output: func(c Case, size [3]uint32) Buffer {
			return onlyFirst(reach(size), right(c), c.Buffers[output])
		},
	}
}

// localPlace is the misconception that the index inside the workgroup is the place to write to,
// while the values come from elsewhere. The order of the workgroups is undetermined.
func localPlace(output int) Misconception {
	return Misconception{
		Slug:     "local-place",
		Builtins: localBuiltins,
		Title:    "All workgroups wrote to the elements of the first one.",
		Why:      "local_invocation_id starts again at 0 in every workgroup. You use it as the index to write to, so the workgroups overwrite each other's elements and never reach the rest.",
		Ask:      "Which builtin keeps counting from one workgroup to the next?",
		Output: func(c Case, size [3]uint32) Buffer {
			return undetermined(reach(size), c.Buffers[output])
		},
	}
}

// workgroupIndex is the misconception that the workgroup's number is the index.
func workgroupIndex(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:     "workgroup-index",
		Builtins: workgroupBuiltins,
		Title:    "Only one element per workgroup was written.",
		Why:      "workgroup_id counts workgroups, not invocations. All invocations of a workgroup used the same index.",
		Ask:      "Which builtin is different for every invocation?",
		Output: func(c Case, size [3]uint32) Buffer {
			n := c.Buffers[output].Len()
			return onlyFirst((n+reach(size)-1)/reach(size), right(c), c.Buffers[output])
		},
	}
}

// workgroupStart is the misconception that a workgroup's number times its size is already the
// index.
func workgroupStart(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:     "workgroup-start",
		Builtins: workgroupBuiltins,
		Title:    "Only the first element of each workgroup's share was written.",
		Why:      "The workgroup's number times its size is where its share begins. That is the same for all of its invocations: their position inside the workgroup is still missing.",
		Ask:      "What do you have to add to the start of the share?",
		Output: func(c Case, size [3]uint32) Buffer {
			return onlyAt(func(i int) bool { return i%reach(size) == 0 }, right(c), c.Buffers[output])
		},
	}
}

// firstOnly is the misconception that a fixed index is enough.
func firstOnly(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "first-only",
		Title: "Only element 0 is right; the others were never written.",
		Why:   "Every invocation runs the same code. With the fixed index 0, all of them write to the same element. (In a one-dimensional dispatch, id.y and id.z are always 0 as well.)",
		Ask:   "How can one line of code write to a different element in each invocation?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyFirst(1, right(c), c.Buffers[output])
		},
	}
}

// bytesNotElements is the misconception that an index counts bytes.
func bytesNotElements(output int, right func(Case) Buffer) Misconception {
	const scalarBytes = 4
	return Misconception{
		Slug:  "bytes-not-elements",
		Title: "Only every fourth element was written.",
		Why:   "You multiplied the index by 4, the bytes of an f32. In WGSL an index counts elements. Only the host counts bytes, when it creates buffers.",
		Ask:   "Which element should invocation 1 write to?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyAt(func(i int) bool { return i%scalarBytes == 0 }, right(c), c.Buffers[output])
		},
	}
}

// firstMissing is the misconception that indices start at 1.
func firstMissing(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "first-missing",
		Title: "Element 0 was never written.",
		Why:   "Indices start at 0, as in Go, and so do the numbers of the invocations. Something shifted invocation 0 to another element or held it back.",
		Ask:   "Which element does invocation 0 write to?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyAt(func(i int) bool { return i > 0 }, right(c), c.Buffers[output])
		},
	}
}

// lastMissing is the misconception that the last index is the length.
func lastMissing(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "last-missing",
		Title: "The last element was never written.",
		Why:   "Your guard holds back one invocation too many. With n elements the last index is n - 1, and that invocation still has work to do.",
		Ask:   "For n = 1: does invocation 0 get past your guard?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyFirst(c.Buffers[output].Len()-1, right(c), c.Buffers[output])
		},
	}
}

// accumulating is the misconception that an output starts at zero.
func accumulating(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "accumulated",
		Title: "The result was added to the old contents of the output.",
		Why:   "`+=` reads the old value first, and an output buffer holds whatever was left in its memory. The check fills it with NaN or an old number on purpose. NaN plus anything is NaN.",
		Ask:   "Do you want to add to the output or replace its value?",
		Output: func(c Case, _ [3]uint32) Buffer {
			old, sum := c.Buffers[output], right(c)
			if old.Element == shader.U32 {
				return eachU32(old.Len(), func(i int) uint32 { return old.Uints()[i] + sum.Uints()[i] })
			}
			return each(old.Len(), func(i int) float64 { return old.At(i) + sum.At(i) })
		},
	}
}

// undetermined returns an output whose first n elements are undetermined.
func undetermined(n int, old Buffer) Buffer {
	out := old.Clone()
	for i := range min(n, out.Len()) {
		if out.Element == shader.F32 {
			out.Floats()[i] = Anything
		} else {
			out.Uints()[i] = AnythingU32
		}
	}
	return out
}
