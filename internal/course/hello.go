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
