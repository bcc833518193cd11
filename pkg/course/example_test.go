package course_test

import "github.com/wgslab/wgslab/pkg/course"

// Every notebook begins with the map; here nothing is passed yet.
func ExampleHere() {
	course.Here(2)
	// Output:
	// 1  Is the GPU alive?                       ○ hello  ○ host-device  ○ host-calls
	// → 2  Add two vectors                         ○ add  ○ vector-add  ○ find-vector-add  ○ saxpy  ○ host-upload  ○ host-pipeline  ○ host-run  ○ host-read  ○ host-add  ○ host-saxpy
	//   3  Multiply matrices                       ○ iota-2d  ○ row-sum  ○ transpose  ○ matmul  ○ break-matmul  ○ host-grid
	//   4  ReLU: every element alone               ○ relu  ○ order-flip  ○ leaky-relu*  ○ quiz-chess  ○ quiz-contrast  ○ quiz-climb
	//   5  Many hands, one result                  ○ reverse-64  ○ order-sum-tree  ○ sum-64  ○ row-max  ○ find-row-max  ○ break-row-max  ○ host-rows
	//   5  Softmax: every element depends on all   ○ softmax  ○ find-softmax  ○ matmul-tiled*
	//   6  The forward pass                        ○ linear  ○ find-linear  ○ break-dispatch  ○ linear-relu  ○ forward  ○ host-forward
	//   7  Real weights, real digits               ○ normalize  ○ argmax  ○ break-argmax  ○ host-weights  ○ host-digits  ○ argmax-shared
	//   8  Draw                                    ○ downsample  ○ quiz-bits  ○ quiz-rescale  ○ quiz-nearest
	//
	// Beyond the eight
	//   9  Frame it                                ○ count-up  ○ histogram  ○ break-histogram  ○ ink-box  ○ scan-256  ○ find-scan-256  ○ frame  ○ scan*  ○ compact*
	//   10 Train it yourself                       ○ sgd  ○ loss-grad  ○ grad-weights  ○ grad-hidden  ○ find-grad-hidden  ○ grad-bias  ○ train  ○ host-train  ○ order-momentum  ○ adam*
	//   11 Why is it slow?                         ○ copy-2d  ○ transpose-fast  ○ sum-fast  ○ host-time  ○ matmul-registers
	//   12 Convolve                                ○ blur-1d  ○ conv-2d  ○ break-conv-2d  ○ max-pool  ○ conv-tiled*  ○ find-conv-tiled*
	//   13 Attend                                  ○ patches  ○ scores  ○ mix  ○ layer-norm  ○ break-layer-norm  ○ gelu  ○ attention-online*  ○ find-attention-online*
	//   14 Eight bits                              ○ absmax  ○ quantize  ○ linear-int8  ○ break-linear-int8  ○ find-linear-int8  ○ quiz-votes  ○ quiz-ridges  ○ quiz-log-sum
	//   15 Together                                ○ sum-together  ○ find-sum-together  ○ scan-together  ○ softmax-together  ○ gemv  ○ gemv-half  ○ break-gemv-half
	//   16 Write                                   ○ embed  ○ causal-scores  ○ sample  ○ break-sample  ○ append  ○ attend  ○ find-attend  ○ top-k*
	//
	// 0 of 49 exercises passed (* goes further)
}
