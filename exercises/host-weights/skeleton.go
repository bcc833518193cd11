//go:build ignore

package main

import (
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// layer runs your linear on the device and returns x · w + bias, rows by out numbers. x has rows by
// in numbers. In file, w begins at byte wAt and has out rows of in numbers. The out numbers of bias
// begin at byte biasAt. Each number is a float32, the lowest byte first.
// linear.WGSL is the shader's code, and linear.Size[0] by linear.Size[1] its workgroup.
func layer(device *wgpu.Device, linear check.HostShader, rows, in, out int, x []float32, file []byte, wAt, biasAt int) []float32 {
	// Your lines go here.
	return nil
}
