//go:build ignore

package main

import (
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// trainLayer takes a step downhill for each of the batches, and returns w and after it b. A batch
// has rows rows of x and as many labels. w is [inputs, classes], and b has a number for each class.
// A shader has its code in WGSL, and Size[0] by Size[1] invocations in a workgroup.
func trainLayer(device *wgpu.Device, linear, softmax, lossGrad, gradWeights, gradBias, sgd check.HostShader, rows, steps int, x []float32, label []uint32, w, b []float32, rate float32) []float32 {
	// Your lines go here.
	return nil
}
