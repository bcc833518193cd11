package wasm

import (
	"syscall"
	"unsafe"
)

// mapped returns zeros from the system, in huge pages that it gives only where something touches
// them, and what frees them; nil if the system has none. A page of the usual size costs up to 3 µs.
func mapped(words int) (zeros []uint32, free func()) {
	bytes, err := syscall.Mmap(-1, 0, 4*words, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, nil
	}
	free = func() { _ = syscall.Munmap(bytes) }
	if syscall.Madvise(bytes, syscall.MADV_HUGEPAGE) != nil {
		free()
		return nil, nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(bytes))), words), free
}
