package course

// Forward is the exercise that learners write in Go: its check cell calls their function. It
// has no shader, so it has no bindings or cases here.
var Forward = &Exercise{
	ID:     "forward",
	Lesson: 6,
	Title:  "Four passes, one submission",
	Task:   "Record the four passes of the network and hand them over in one submission, with no readback in between.",
	Points: 2,
	Hints: []string{
		"A pass is a kernel, its buffers, and a number of workgroups. You need four of them: linear, relu, linear, softmax.",
		"Each kernel takes its buffers in the order of its bindings. For linear: the dims, the input, the weights, the bias, the output. The output of the first layer is the input of the second.",
		"How many workgroups? For linear, gpu.Groups(columns, size[0]) in x and gpu.Groups(rows, size[1]) in y. For relu, one invocation for each of the Rows * 128 hidden values. For softmax, one workgroup for each row.",
		"Device.Run takes any number of passes. They run in the order in which you list them, and each sees what the earlier ones wrote.",
	},
}
