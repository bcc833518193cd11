package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
)

var hello = &Exercise{
	ID:     "hello",
	Lesson: 1,
	Title:  "Every invocation signs its name",
	Task:   "Write out[i] = i for every element of out.",
	Points: 1,
	Bindings: []Binding{
		{Name: "out", Access: shader.ReadWrite, Type: "array<u32>"},
	},
	Output: 0,
	Small:  func(*rand.Rand) Case { return lengthCase(smallLength, UnwrittenU32(smallLength)) },
	Large:  func(*rand.Rand) Case { return lengthCase(largeLength, UnwrittenU32(largeLength)) },
	Cases: func(rng *rand.Rand) []Case {
		awkward := forLengths(rng, func(_ *rand.Rand, n int) []Buffer { return []Buffer{UnwrittenU32(n)} })
		// A length that no shader can know in advance and no single workgroup covers.
		n := beyondOneWorkgroup(rng)
		return append(awkward, Case{Name: lengthName(n), Buffers: []Buffer{UnwrittenU32(n)}, Extent: [2]int{n}})
	},
	Reference: helloNumbers,
	Misconceptions: []Misconception{
		{
			Slug:     "local-id",
			Builtins: localBuiltins,
			Title:    "Each workgroup counts from zero again, and all of them wrote to the same first elements.",
			Why:      "local_invocation_id is an invocation's number inside its own workgroup. With several workgroups, each number comes up once in each of them. So the elements after the first workgroup's size stay unwritten.",
			Ask:      "Which builtin numbers the invocations of the whole dispatch?",
			Output: func(c Case, size [3]uint32) Buffer {
				return onlyFirst(reach(size), helloNumbers(c), c.Buffers[0])
			},
		},
		{
			Slug:     "local-value",
			Builtins: localBuiltins,
			Title:    "The values start again from zero in every workgroup.",
			Why:      "The index is right, but the value is the invocation's number inside its workgroup, which starts again in each one.",
			Ask:      "Your index is right. Which number should the value be, counted over the whole dispatch?",
			Output: func(c Case, size [3]uint32) Buffer {
				return eachU32(c.Buffers[0].Len(), func(i int) uint32 { return uint32(i) % size[0] })
			},
		},
		{
			Slug:  "workgroup-id",
			Title: "All invocations of a workgroup wrote the workgroup's number.",
			Why:   "workgroup_id is the same for all invocations of a workgroup. It says which workgroup this is, not which invocation.",
			Ask:   "How many different values does workgroup_id have, and how many do you need?",
			Output: func(c Case, size [3]uint32) Buffer {
				return eachU32(c.Buffers[0].Len(), func(i int) uint32 { return uint32(i) / size[0] })
			},
		},
		workgroupIndex(0, helloNumbers),
		{
			Slug:  "off-by-one",
			Title: "Every value is one too large: the count starts at 1.",
			Why:   "Indices start at 0, as in Go.",
			Ask:   "What should out[0] hold?",
			Output: func(c Case, _ [3]uint32) Buffer {
				return eachU32(c.Buffers[0].Len(), func(i int) uint32 { return uint32(i) + 1 })
			},
		},
		{
			Slug:  "first-only",
			Title: "Only out[0] was written.",
			Why:   "Every invocation runs the same code. With a fixed index, all of them write to the same element and none to the others. In a one-dimensional dispatch, id.y and id.z are fixed as well: always 0.",
			Ask:   "How can the same line of code write to a different element in each invocation?",
			Output: func(c Case, _ [3]uint32) Buffer {
				return onlyFirst(1, helloNumbers(c), c.Buffers[0])
			},
		},
		{
			Slug:  "constant",
			Title: "Every element is 0.",
			Why:   "Each invocation reached its own element, but wrote the same value as all the others.",
			Ask:   "Which number tells this invocation apart from all the others?",
			Output: func(c Case, _ [3]uint32) Buffer {
				return eachU32(c.Buffers[0].Len(), func(int) uint32 { return 0 })
			},
		},
		{
			Slug:  "reversed",
			Title: "The values run backwards.",
			Why:   "Each element holds its distance from the end of the array instead of from the start.",
			Ask:   "What should out[0] hold, and what should out[1] hold?",
			Output: func(c Case, _ [3]uint32) Buffer {
				n := c.Buffers[0].Len()
				return eachU32(n, func(i int) uint32 { return uint32(n - 1 - i) })
			},
		},
		{
			Slug:  "length-everywhere",
			Title: "Every element holds the length of the array.",
			Why:   "arrayLength is the same for all invocations. It belongs in the guard. The value to write is the invocation's own number.",
			Ask:   "Which number tells this invocation apart from all the others?",
			Output: func(c Case, _ [3]uint32) Buffer {
				n := c.Buffers[0].Len()
				return eachU32(n, func(int) uint32 { return uint32(n) })
			},
		},
		workgroupStart(0, helloNumbers),
		firstMissing(0, helloNumbers),
		lastMissing(0, helloNumbers),
		accumulating(0, helloNumbers),
		localPlace(0),
	},
	Hints: []string{
		"All invocations run the same code. What differs is what the builtin parameters say.",
		"global_invocation_id numbers the invocations of the whole dispatch. It is a `vec3<u32>`; here only one of its components counts.",
		"The last workgroup reaches past the end of the array. arrayLength(&out) says where the end is; any invocation past it has nothing to do.",
		"You need two things. A comparison lets only the invocations inside the array go on. One assignment uses the same number as index and as value.",
	},
}

// helloNumbers returns the right answer: each element holds its own index.
func helloNumbers(c Case) Buffer {
	return eachU32(c.Buffers[0].Len(), func(i int) uint32 { return uint32(i) })
}
