package course

// Forward is the exercise that learners write in Go: its check cell calls their function. It
// has no shader, so it has no bindings or cases here.
var Forward = &Exercise{
	ID:     "forward",
	Lesson: 6,
	Title:  "Four passes, one submission",
	Task:   "Record the four passes of the network and hand them over in one submission, with no readback in between.",
	Points: 2,

	position: 3,
	Hints: []string{
		"A pass is a kernel, its buffers, and a number of workgroups. You need four of them: linear, relu, linear, softmax.",
		"Each kernel takes its buffers in the order of its bindings. For linear: the dims, the input, the weights, the bias, the output. The output of the first layer is the input of the second.",
		"How many workgroups? For linear, gpu.Groups(columns, size[0]) in x and gpu.Groups(rows, size[1]) in y. For relu, one invocation for each of the Rows * 128 hidden values. For softmax, one workgroup for each row.",
		"Device.Run takes any number of passes. They run in the order in which you list them, and each sees what the earlier ones wrote.",
	},
}

// Train is the exercise of lesson 10 that learners write in Go: practice, without points.
var Train = &Exercise{
	ID:       "train",
	Lesson:   10,
	Title:    "The training loop",
	Task:     "For each batch that Next brings, hand over the passes of one training step: forward, backward, and a step downhill for all weights.",
	Practice: true,

	position: 6,
	Hints: []string{
		"The loop is `for t.Next() { … }`. In it, one call of `t.Run` gets all passes of a step. If it returns an error, return that error.",
		"Forward, as in lesson 6: linear, relu, linear, softmax. Then `LossGrad`, and you have `t.D`.",
		"Backward through the second layer: what went into it is `t.Hidden`, what came out has the gradient `t.D`. `GradWeights` and `GradBias` make `t.DW2` and `t.DB2`. `GradHidden` makes `t.DHidden`.",
		"The first layer is the same again: what went into it is `t.X`, and its gradient is `t.DHidden`.",
		"Four buffers hold weights, so there are four steps of `SGD`. `GradHidden` still needs the old `t.W2`: move the weights last.",
	},
}
