package cnn

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A GPU with the least workgroup memory that WebGPU guarantees runs the passes apart.
func TestOnePassNeedsWorkgroupMemory(t *testing.T) {
	on := shader.Adapter{Kind: shader.GPU, Limits: shader.Limits{
		WorkgroupStorageBytes: 32 << 10, InvocationsPerWorkgroup: 1024, WorkgroupSize: [3]uint32{1024, 1024, 64}, StorageBuffersPerShader: 10,
	}}
	require.True(t, runsInOnePass(on))
	on.Limits.WorkgroupStorageBytes = 16 << 10
	require.False(t, runsInOnePass(on))
	on.Limits.WorkgroupStorageBytes, on.Kind = 32<<10, shader.CPU
	require.False(t, runsInOnePass(on))
}
