package trace_test

import "github.com/wgslab/wgslab/pkg/trace"

// A cell is one line. It shows how work/add.wgsl uses memory; in this example the file does not
// exist.
func ExampleExercise() {
	trace.Exercise("add")
	// Output:
	// • add: nothing to see yet
	//   There is no shader of yours for add yet. Write it, run its cell, then run this one again.
}

func ExampleCompare() {
	trace.Compare("matmul", "matmul-tiled")
	// Output:
	// • matmul-tiled: nothing to see yet
	//   There is no shader of yours for matmul-tiled yet. Write it, run its cell, then run this one again.
}
