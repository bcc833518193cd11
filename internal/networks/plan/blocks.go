package plan

import "github.com/wgslab/wgslab/internal/machine/engine/gpu"

// The size of the block of results that a workgroup of train/linear and of train/gradient-weights
// computes.
const (
	BlockRows    = 4
	BlockColumns = 128
)

// InBlocks is a shader for linear that computes blocks.
const InBlocks = "train/linear"

// Blocks returns how many workgroups cover a result of rows × columns.
func Blocks(rows, columns int) [3]uint32 {
	return [3]uint32{gpu.Groups(columns, BlockColumns), gpu.Groups(rows, BlockRows), 1}
}
