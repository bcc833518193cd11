package course_test

import "github.com/wgslab/wgslab/pkg/course"

// Every notebook begins with the map; here nothing is passed yet.
func ExampleHere() {
	course.Here(2)
	// Output:
	// 1  Is the GPU alive?                       ○ hello
	// → 2  Add two vectors                         ○ add  ○ vector-add  ○ saxpy*
	//   3  Multiply matrices                       ○ matmul  ○ matmul-tiled*
	//   4  ReLU: every element alone               ○ relu  ○ leaky-relu*
	//   5  Softmax: every element depends on all   ○ row-max  ○ softmax
	//   6  The forward pass                        ○ linear  ○ forward
	//   7  Real weights, real digits               ○ normalize  ○ argmax
	//   8  Draw                                    ○ downsample
	//
	// 0 of 12 exercises passed (* goes further)
}
