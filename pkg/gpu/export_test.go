package gpu

import (
	"unsafe"

	"github.com/wgslab/wgslab/internal/shader"
)

// BreakDevice and BreakQueue make wgpu-native abort at the next poll or
// submission, as it does when the device was lost: it is given a null handle.
func BreakDevice(d *Device) { *(*unsafe.Pointer)(unsafe.Pointer(d.device)) = nil }

func BreakQueue(d *Device) { (*[2]unsafe.Pointer)(unsafe.Pointer(d.queue))[1] = nil }

// NagaSays is what naga says of a shader that the front end has not looked at.
func NagaSays(d *Device, source string) error {
	k := &Kernel{Name: "exercise", device: d, source: shader.Read("exercise", source)}
	if _, err := k.compileModule(source); err != nil {
		return newCompileError(k.source, err.Error())
	}
	return nil
}
