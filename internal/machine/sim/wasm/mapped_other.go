//go:build !linux

package wasm

// mapped returns nothing: this system's memory is Go's.
func mapped(int) (zeros []uint32, free func()) { return nil, nil }
