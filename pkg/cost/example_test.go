package cost_test

import "github.com/wgslab/wgslab/pkg/cost"

// A cell is one line. It shows what work/add.wgsl costs; in this example the file does not exist.
func ExampleExercise() {
	cost.Exercise("add")
	// Output:
	// • add: nothing to count yet
	//   There is no shader of yours for add yet. Write it, run its cell, then run this one again.
}

// Without shaders of yours, the references are counted.
func ExampleBeside() { cost.Beside("linear m=1 n=512 k=2048", "gemv") }

// Up to five shaders are points below the same roof.
func ExampleRoofline() { cost.Roofline("sum-fast + matmul") }

func ExampleOn() {
	cost.On("add", "macbook")
	// Output:
	// • add: nothing to count yet
	//   There is no shader of yours for add yet. Write it, run its cell, then run this one again.
}
