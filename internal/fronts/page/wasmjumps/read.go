package wasmjumps

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A reader reads a module's bytes up to the first unexpected one.
type reader struct {
	left   []byte
	failed error
}

var errShort = errors.New("it ends too soon")

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.left) {
		r.fail(errShort)
		return nil
	}
	taken := r.left[:n:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) fail(err error) {
	if r.failed == nil {
		r.failed = err
	}
	r.left = nil
}

func (r *reader) byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// unsigned reads an unsigned number in LEB128.
func (r *reader) unsigned() uint64 {
	n, length := binary.Uvarint(r.left)
	if length <= 0 {
		r.fail(errShort)
		return 0
	}
	r.left = r.left[length:]
	return n
}

// signed reads a signed number in LEB128.
func (r *reader) signed() int64 {
	var n int64
	for shift := 0; ; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << min(shift, 63)
		if b&0x80 == 0 || r.failed != nil {
			if b&0x40 != 0 && shift < 57 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
}

// instruction reads one instruction. It knows the instructions that Go's compiler writes.
func (r *reader) instruction() instruction {
	before := r.left
	in := instruction{op: r.byte()}
	switch op := in.op; {
	case op <= 0x01, op == 0x05, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4: // nothing follows
	case op == opBlock, op == opLoop, op == opIf, op == opI32Const, op == 0x42:
		in.number = r.signed()
	case op == opBr, op == 0x0d, op == 0x10, op >= opLocalGet && op <= 0x24, op == 0x3f, op == 0x40:
		in.number = int64(r.unsigned())
	case op == opBrTable:
		for range r.unsigned() + 1 {
			r.unsigned()
			if r.failed != nil {
				break
			}
		}
	case op == 0x11, op >= 0x28 && op <= 0x3e: // indirect calls, and memory
		r.unsigned()
		r.unsigned()
	case op == 0x43:
		r.take(4)
	case op == 0x44:
		r.take(8)
	case op == 0xfc:
		r.more()
	default:
		r.fail(fmt.Errorf("an unknown instruction, which Go's compiler has not used before: %#x", op))
	}
	in.bytes = before[:len(before)-len(r.left)]
	return in
}

// more reads the rest of a two-byte instruction: conversions, and operations on all memory.
func (r *reader) more() {
	switch op := r.unsigned(); {
	case op <= 7:
	case op == 10: // memory.copy
		r.take(2)
	case op == 11: // memory.fill
		r.take(1)
	default:
		r.fail(fmt.Errorf("an unknown instruction, which Go's compiler has not used before: 0xfc %#x", op))
	}
}
