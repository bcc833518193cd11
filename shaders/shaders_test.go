package shaders_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/shaders"
)

// Every file is found by its name, says first what it computes, and compiles.
func TestEveryShader(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	var names []string
	for _, pattern := range []string{"fast/*.wgsl", "fused/*.wgsl", "roof/*.wgsl", "train/*.wgsl"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		names = append(names, found...)
	}
	require.Greater(t, len(names), 14)
	for _, file := range names {
		name := strings.TrimSuffix(file, ".wgsl")
		t.Run(name, func(t *testing.T) {
			source, err := shaders.Source(name)
			require.NoError(t, err)
			onDisk, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(onDisk), source)
			require.True(t, strings.HasPrefix(source, "// "+name+": "), "it starts with what it computes")
			read := shader.Read(name, source)
			module, err := read.Module()
			require.NoError(t, err)
			for _, entry := range module.EntryPoints {
				program, err := gpu.Backend(device).Compile(t.Context(), read.At(entry.Name))
				require.NoError(t, err)
				program.Free()
			}
		})
	}
}

func TestSourceOfNothing(t *testing.T) {
	_, err := shaders.Source("matmull")
	require.EqualError(t, err, `there is no shader "matmull"`)
}
