package gpu

import "unsafe"

// BreakDevice and BreakQueue make wgpu-native abort at the next poll or
// submission, as it does when the device was lost: it is given a null handle.
func BreakDevice(d *Device) { *(*unsafe.Pointer)(unsafe.Pointer(d.device)) = nil }

func BreakQueue(d *Device) { (*[2]unsafe.Pointer)(unsafe.Pointer(d.queue))[1] = nil }
