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
	for _, id := range []string{"gemv", "gemv-half"} {
		source, err := StandIn(t.Context(), device, id)
		require.NoError(t, err)
		require.Contains(t, source.Text, "workgroupBarrier()", "%s has invocations that share the work", source.Name)
	}
}

// A learner's shader with subgroups runs where the device has them. Elsewhere the learner's own
// stand-in runs, if it is right, and the reference's otherwise.
func TestALearnersShaderWithSubgroups(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	for _, id := range []string{"gemv", "gemv-half"} {
		tree, err := StandIn(t.Context(), device, id) // of this device's compiler
		require.NoError(t, err)
		own, err := exercises.Reference(id)
		require.NoError(t, err)
		yours := strings.Replace(own, "var sum", "var sum /* mine */", 1)
		work := t.TempDir()
		write := func(name, text string) {
			require.NoError(t, os.WriteFile(filepath.Join(work, name), []byte(text), 0o600))
		}
		find := func(on *gpu.Device) LessonShader {
			found, err := Find(t.Context(), on, work, id)
			require.NoError(t, err)
			return found
		}
		write(id+".wgsl", yours)
		require.Equal(t, LessonShader{ID: id, Source: yours, Learners: true}, find(simulated(t)))
		if taken, err := takes(t.Context(), device, shader.Read(id, yours)); taken {
			require.NoError(t, err)
			require.True(t, find(device).Learners)
			continue
		}
		require.Equal(t, LessonShader{ID: id, Source: tree.Text, Because: notTaken}, find(device))
		mine := strings.Replace(tree.Text, "var sum", "var sum /* my tree */", 1)
		write(id+"-tree.wgsl", strings.Replace(mine, "+=", "-=", 1))
		require.Equal(t, "the reference: "+notTaken, find(device).Whose(), "a wrong stand-in does not run")
		write(id+"-tree.wgsl", mine)
		require.Equal(t, LessonShader{ID: id, Source: mine, Learners: true, Instead: id + "-tree.wgsl"}, find(device))
		require.Equal(t, yours, find(simulated(t)).Source)
		write(id+".wgsl", strings.Replace(yours, "+=", "-=", 1))
		require.Equal(t, "the reference: yours does not pass its check yet", find(device).Whose())
	}
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
