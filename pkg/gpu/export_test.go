package gpu

import (
	"unsafe"

	"github.com/wgslab/wgslab/internal/shader"
)

// BreakDevice and BreakQueue make wgpu-native abort at the next poll or
// submission, as it does when the device was lost: it is given a null handle.
func BreakDevice(d *Device) { *(*unsafe.Pointer)(unsafe.Pointer(d.platform.(*webgpu).device)) = nil }

func BreakQueue(d *Device) {
	(*[2]unsafe.Pointer)(unsafe.Pointer(d.platform.(*webgpu).queue))[1] = nil
}

// NagaSays is what naga says of a shader that the front end has not looked at.
func NagaSays(d *Device, source string) error {
	if _, err := d.platform.(*webgpu).compileModule(source); err != nil {
		return newCompileError(shader.Read("exercise", source), err.Error())
	}
	return nil
}
