package gpu

import (
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Live returns the number of buffers, pipelines and passes of a device that have not been freed.
func Live(d *Device) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.live)
}

// BreakDevice and BreakQueue make wgpu-native abort at the next poll or submission, as it does
// after the loss of a device: they give it a null handle.
func BreakDevice(d *Device) { *(*unsafe.Pointer)(unsafe.Pointer(d.platform.(*webgpu).device)) = nil }

func BreakQueue(d *Device) {
	(*[2]unsafe.Pointer)(unsafe.Pointer(d.platform.(*webgpu).queue))[1] = nil
}

// NagaSays returns naga's error for a shader that the front end has not read.
func NagaSays(d *Device, source string) error {
	if _, err := d.platform.(*webgpu).compileModule(source); err != nil {
		return newCompileError(shader.Read("exercise", source), err.Error())
	}
	return nil
}
