package trace_test

import "github.com/wgslab/wgslab/pkg/trace"

// A cell is one line. It shows what work/add.wgsl does with memory; here there is
// no such file.
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
