//go:build ignore

package main

import (
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// trainLayer takes a step downhill for each of the steps batches, and returns w and after it b. A
// batch has rows rows of x and as many labels, and the batches follow each other in x and label. w
// is [inputs, classes], and b has a number for each class. linear.WGSL is linear's code, and
// linear.Size[0] by linear.Size[1] its workgroup.
func trainLayer(device *wgpu.Device, linear, softmax, lossGrad, gradWeights, gradBias, sgd check.HostShader, rows, steps int, x []float32, label []uint32, w, b []float32, rate float32) []float32 {
	// Your lines go here.
	return nil
}
