//go:build ignore

// diagnosis: other-buffer

package main

import (
	"errors"

	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// cover is how many workgroups of a kernel reach columns × rows elements.
func cover(k *gpu.Kernel, columns, rows int) [3]uint32 {
	size := k.WorkgroupSize()
	return [3]uint32{gpu.Groups(columns, size[0]), gpu.Groups(rows, size[1]), 1}
}

func forward(l check.Layers) error {
	first, err1 := l.Linear.Pass(cover(l.Linear, 128, l.Rows), l.Dims1, l.X, l.W1, l.B1, l.Hidden)
	bend, err2 := l.Relu.Pass(cover(l.Relu, l.Rows*128, 1), l.Hidden)
	second, err3 := l.Linear.Pass(cover(l.Linear, 10, l.Rows), l.Dims1, l.Hidden, l.W2, l.B2, l.Out)
	answer, err4 := l.Softmax.Pass([3]uint32{uint32(l.Rows), 1, 1}, l.Shape, l.Out)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	return l.Device.Run(first, bend, second, answer)
}
