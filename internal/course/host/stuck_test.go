package host

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A function that doesn't return is told why, soon and with its calls. It runs on afterwards.
func TestStuck(t *testing.T) {
	engine, err := gpu.Open(gpu.Require(shader.Simulated))
	require.NoError(t, err)
	times := []*time.Duration{&deadline, &waiting, &quiet, &look}
	for _, d := range times {
		was := *d
		*d /= 20
		t.Cleanup(func() { *d = was })
	}
	here := func() webgpu.HostSite { return webgpu.Caller(1) }
	release := make(chan struct{})
	defer close(release)
	readback := func(d *webgpu.Device) *webgpu.Buffer {
		b, err := d.CreateBuffer(here(), webgpu.BufferDescriptor{Label: "readback", Size: 16, Usage: gpu.UsageMapRead | gpu.UsageCopyDst})
		require.NoError(t, err)
		return b
	}
	heard := func(webgpu.MapStatus) {}
	for name, c := range map[string]struct {
		function func(*webgpu.Device)
		slug     string
		message  string
	}{
		"no poll": {func(d *webgpu.Device) {
			_ = readback(d).MapAsync(here(), webgpu.MapModeRead, 0, 16, heard)
			<-release
		}, "no-poll", `Your function waits for the mapping of the buffer "readback", but doesn't call ` + "`Poll`"},
		"one poll before": {func(d *webgpu.Device) {
			b := readback(d)
			_, _ = d.Poll(true)
			_ = b.MapAsync(here(), webgpu.MapModeRead, 0, 16, heard)
			<-release
		}, "no-poll", "`MapAsync`"},
		"no poll for the queue": {func(d *webgpu.Device) {
			d.Queue().OnSubmittedWorkDone(here(), func(error) {})
			<-release
		}, "no-poll", "waits for the end of the submitted work"},
		"endless": {func(d *webgpu.Device) {
			readback(d)
			<-release
		}, "did-not-finish", "Its last call was `CreateBuffer`"},
		"buffers without end": {func(d *webgpu.Device) {
			for {
				_, _ = d.CreateBuffer(here(), webgpu.BufferDescriptor{Size: 1 << 20, Usage: gpu.UsageStorage})
			}
		}, "buffers-alive", "1,000 buffers are alive"},
		"large buffers without end": {func(d *webgpu.Device) {
			for {
				if _, err := d.CreateBuffer(here(), webgpu.BufferDescriptor{Size: 256 << 20, Usage: gpu.UsageStorage}); err != nil {
					panic(err)
				}
			}
		}, "buffers-bytes", "The buffers that are alive have 1,073,741,824 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			task, err := Find("host-add")
			require.NoError(t, err)
			r := task.run(Case{}, func(_ Case, on func(string)) ([]float64, error) {
				on("the simulator")
				i := webgpu.NewInstance(here(), webgpu.Options{Dialect: webgpu.Go, Record: webgpu.Current(), Open: func(shader.AdapterKind) (*gpu.Device, error) { return engine, nil }})
				a, err := i.RequestAdapter(here(), false)
				require.NoError(t, err)
				d, err := a.RequestDevice(here(), webgpu.DeviceDescriptor{})
				require.NoError(t, err)
				c.function(d)
				return nil, nil
			}, nil)
			require.NoError(t, r.opening)
			d := r.judged(task)
			require.NotNil(t, d)
			require.Equal(t, c.slug, d.Slug, d.Message)
			require.Contains(t, d.Message+d.Why, c.message)
			require.Less(t, time.Since(began), deadline, "sooner than a program that makes calls")
			require.Equal(t, "the simulator", r.adapter)
		})
	}
}
