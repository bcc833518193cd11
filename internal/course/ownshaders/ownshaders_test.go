package ownshaders

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A shader that can't be read is not taken for one that isn't written.
func TestFindSaysWhatCannotBeRead(t *testing.T) {
	work := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(work, "relu.wgsl"), 0o755))
	own, err := Find(t.Context(), simulated(t), work, "relu")
	require.NoError(t, err)
	require.False(t, own.Learners)
	require.Contains(t, own.Whose(), "the reference: yours could not be read (")
}

func simulated(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open(gpu.Require(shader.Simulated))
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

// Where a device has no subgroups, a right shader without them replaces the reference.
func TestAStandInRunsOnTheDevice(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	for _, device := range []*gpu.Device{device, simulated(t)} {
		sources, shaders, err := Sources(t.Context(), device, t.TempDir(), "gemv-half", "relu")
		require.NoError(t, err)
		require.Len(t, shaders, 2)
		for id, source := range sources {
			pipeline, err := device.Compile(id, source)
			require.NoError(t, err)
			pipeline.Free()
		}
	}
	reference, err := exercises.Reference("gemv-half")
	require.NoError(t, err)
	sources, _, err := Sources(t.Context(), simulated(t), t.TempDir(), "gemv-half")
	require.NoError(t, err)
	require.Equal(t, reference, sources["gemv-half"], "the simulator takes the reference")
}

// A shader that was right isn't judged again: not on the same device, and only while it stays as it
// is. A change that makes it wrong is seen, and so is another device.
func TestARightShaderIsJudgedOnce(t *testing.T) {
	work, device := t.TempDir(), simulated(t)
	right, err := exercises.Reference("relu")
	require.NoError(t, err)
	whose := func(device *gpu.Device, text string) bool {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(work, "relu.wgsl"), []byte(text), 0o600))
		own, err := Find(t.Context(), device, work, "relu")
		require.NoError(t, err)
		return own.Learners
	}
	require.True(t, whose(device, right))
	require.Len(t, judged(work), 1)
	before := device.Counts()
	require.True(t, whose(device, right))
	require.Equal(t, before, device.Counts(), "nothing ran")
	require.False(t, whose(device, strings.Replace(right, "max(", "min(", 1)))
	require.Len(t, judged(work), 1, "a wrong shader is judged each time")
	require.True(t, whose(device, right+"// mine\n"))
	require.Len(t, judged(work), 2)
	require.NoError(t, os.WriteFile(filepath.Join(work, judgedFile), []byte("relu=0\n\xff"), 0o600))
	require.True(t, whose(device, right), "a broken list costs only time")
}
