package trace_test

import "github.com/wgslab/wgslab/pkg/trace"

// A cell is one line. It shows how work/add.wgsl uses memory; in this example the file does not
// exist.
func ExampleExercise() {
	trace.Exercise("add")
	// Output:
	// • add: nothing to see yet
	//   There is no file work/add.wgsl yet: run the cell that starts with %%writefile work/add.wgsl, then check again.
}

func ExampleCompare() {
	trace.Compare("matmul", "matmul-tiled")
	// Output:
	// • matmul: nothing to see yet
	//   There is no file work/matmul.wgsl yet: run the cell that starts with %%writefile work/matmul.wgsl, then check again.
}
