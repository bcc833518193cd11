package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// A function of another type than the exercise's is refused, with the signature that is due.
func TestCaller(t *testing.T) {
	add := func(device *wgpu.Device, shader string, size int, a, b []float32) []float32 { return nil }
	for _, e := range course.OnHost {
		found, err := host.Find(e.ID)
		require.NoError(t, err)
		for name, function := range map[string]any{
			"nothing": nil, "no function": 3, "no parameters": func() {}, "of vector-add": add, "of forward": func(Layers) error { return nil }, "of train": func(*Training) error { return nil },
			"of a device": func(*wgpu.Device) []float32 { return nil }, "other floats": func(device *wgpu.Device, shader string, size int, a, b []float64) []float64 { return nil },
		} {
			if e.ID == map[string]string{"of vector-add": "host-add", "of forward": "forward", "of train": "train"}[name] {
				_, err = caller(found, function)
				require.NoError(t, err, "%s gets a function %s", e.ID, name)
				continue
			}
			_, err := caller(found, function)
			require.ErrorContains(t, err, "needs the parameters and the result that the cell gave: func "+e.Host.Function+"(", "%s gets a function %s", e.ID, name)
		}
	}
	saxpy, err := host.Find("host-saxpy")
	require.NoError(t, err)
	_, err = caller(saxpy, add)
	require.ErrorContains(t, err, "func saxpy(device *wgpu.Device, shader string, size int, alpha float32, n int, x, y []float32) []float32")
}
