package wasm

import (
	"encoding/binary"
	"math"
)

// A code is the bytes of WebAssembly instructions. The names of its methods are those of the
// instructions in the WebAssembly specification.
type code []byte

// valueKind is the type of a value.
type valueKind byte

const (
	i32 valueKind = 0x7f
	i64 valueKind = 0x7e
	f32 valueKind = 0x7d
	f64 valueKind = 0x7c
)

// The instructions without operands that the compiler emits (WebAssembly § 5.4).
const (
	opReturn      = 0x0f
	opDrop        = 0x1a
	opSelect      = 0x1b
	opElse        = 0x05
	opEnd         = 0x0b
	opI32Eqz      = 0x45
	opI32Eq       = 0x46
	opI32Ne       = 0x47
	opI32LtS      = 0x48
	opI32LtU      = 0x49
	opI32GtS      = 0x4a
	opI32GtU      = 0x4b
	opI32LeS      = 0x4c
	opI32LeU      = 0x4d
	opI32GeS      = 0x4e
	opI32GeU      = 0x4f
	opI64Ne       = 0x52
	opI64LtS      = 0x53
	opI64GeS      = 0x59
	opI64Eqz      = 0x50
	opI64Eq       = 0x51
	opF32Eq       = 0x5b
	opF32Ne       = 0x5c
	opF32Lt       = 0x5d
	opF32Le       = 0x5f
	opI32Clz      = 0x67
	opI32Ctz      = 0x68
	opI32Popcnt   = 0x69
	opI32Add      = 0x6a
	opI32Sub      = 0x6b
	opI32Mul      = 0x6c
	opI32DivS     = 0x6d
	opI32DivU     = 0x6e
	opI32RemS     = 0x6f
	opI32RemU     = 0x70
	opI32And      = 0x71
	opI32Or       = 0x72
	opI32Xor      = 0x73
	opI32Shl      = 0x74
	opI32ShrS     = 0x75
	opI32ShrU     = 0x76
	opI64Add      = 0x7c
	opI64Sub      = 0x7d
	opI64Mul      = 0x7e
	opI64Or       = 0x84
	opI64ShrS     = 0x87
	opF64Eq       = 0x61
	opF64Ne       = 0x62
	opF64Lt       = 0x63
	opF64Gt       = 0x64
	opF64Abs      = 0x99
	opF64Nearest  = 0x9e
	opF64Min      = 0xa4
	opF64Max      = 0xa5
	opI64FromF64  = 0xbd
	opF64FromI64  = 0xbf
	opI64Xor      = 0x85
	opI64Shl      = 0x86
	opI64ShrU     = 0x88
	opF32Abs      = 0x8b
	opF32Neg      = 0x8c
	opF32Ceil     = 0x8d
	opF32Floor    = 0x8e
	opF32Trunc    = 0x8f
	opF32Nearest  = 0x90
	opF32Add      = 0x92
	opF32Sub      = 0x93
	opF32Mul      = 0x94
	opF32Div      = 0x95
	opF32Min      = 0x96
	opF32Max      = 0x97
	opF64Floor    = 0x9c
	opF64Sqrt     = 0x9f
	opF64Add      = 0xa0
	opF64Sub      = 0xa1
	opF64Mul      = 0xa2
	opF64Div      = 0xa3
	opI32WrapI64  = 0xa7
	opI64ExtendS  = 0xac
	opI64ExtendU  = 0xad
	opF32ConvertS = 0xb2
	opF32ConvertU = 0xb3
	opF32Demote   = 0xb6
	opF64Promote  = 0xbb
	opI32FromF32  = 0xbc
	opF32FromI32  = 0xbe
)

func (c *code) emit(ops ...byte) { *c = append(*c, ops...) }

// number appends an unsigned number in LEB128.
func (c *code) number(n uint32) { *c = binary.AppendUvarint(*c, uint64(n)) }

// signed appends a signed number in LEB128.
func (c *code) signed(n int64) {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			c.emit(low)
			return
		}
		c.emit(low | 0x80)
	}
}

func (c *code) with(op byte, operand uint32) {
	c.emit(op)
	c.number(operand)
}

func (c *code) i32Const(n uint32) {
	c.emit(0x41)
	c.signed(int64(int32(n)))
}

func (c *code) i64Const(n uint64) {
	c.emit(0x42)
	c.signed(int64(n))
}

func (c *code) f32Const(bits uint32) {
	c.emit(0x43)
	*c = binary.LittleEndian.AppendUint32(*c, bits)
}

func (c *code) f64Const(f float64) {
	c.emit(0x44)
	*c = binary.LittleEndian.AppendUint64(*c, math.Float64bits(f))
}

func (c *code) localGet(n uint32) { c.with(0x20, n) }
func (c *code) localSet(n uint32) { c.with(0x21, n) }
func (c *code) localTee(n uint32) { c.with(0x22, n) }
func (c *code) br(depth uint32)   { c.with(0x0c, depth) }
func (c *code) brIf(depth uint32) { c.with(0x0d, depth) }
func (c *code) call(f uint32)     { c.with(0x10, f) }
func (c *code) block()            { c.emit(0x02, 0x40) }
func (c *code) loop()             { c.emit(0x03, 0x40) }
func (c *code) ifThen()           { c.emit(0x04, 0x40) }

// brTable jumps to the depth that a number on the stack chooses; the last one is for all others.
func (c *code) brTable(depths []uint32) {
	c.with(0x0e, uint32(len(depths)-1))
	for _, d := range depths {
		c.number(d)
	}
}

// load loads a word, or two, from an address on the stack plus an offset.
func (c *code) load(k valueKind, offset uint32) {
	c.memory(map[valueKind]byte{i32: 0x28, i64: 0x29, f32: 0x2a, f64: 0x2b}[k], k, offset)
}

// store stores a value at an address below it on the stack, plus an offset.
func (c *code) store(k valueKind, offset uint32) {
	c.memory(map[valueKind]byte{i32: 0x36, i64: 0x37, f32: 0x38, f64: 0x39}[k], k, offset)
}

func (c *code) memory(op byte, k valueKind, offset uint32) {
	align := byte(2)
	if k == i64 || k == f64 {
		align = 3
	}
	c.emit(op, align)
	c.number(offset)
}

func (c *code) memoryCopy() { c.emit(0xfc, 0x0a, 0, 0) }
func (c *code) memoryFill() { c.emit(0xfc, 0x0b, 0) }

// truncSat converts an f32 to a whole number, the nearest that there is; NaN becomes 0.
func (c *code) truncSat(signed bool) {
	if signed {
		c.emit(0xfc, 0)
	} else {
		c.emit(0xfc, 1)
	}
}

// A signature is a function's type.
type signature struct{ params, results []valueKind }

// A function is the body of a function with the locals beyond its parameters.
type function struct {
	kind   int // the index of its signature
	locals []valueKind
	code   code
}

// An imported function is the host's.
type imported struct {
	name string
	kind int
}

// module encodes a module (WebAssembly § 5.5) whose memory has no pages yet. It exports the last
// function as "run", and its memory as "memory".
func module(signatures []signature, imports []imported, functions []function) []byte {
	m := code{0, 'a', 's', 'm', 1, 0, 0, 0}
	section := func(id byte, n int, each func(c *code, i int)) {
		var body code
		body.number(uint32(n))
		for i := range n {
			each(&body, i)
		}
		m.with(id, uint32(len(body)))
		m.emit(body...)
	}
	section(1, len(signatures), func(c *code, i int) {
		c.emit(0x60)
		for _, list := range [][]valueKind{signatures[i].params, signatures[i].results} {
			c.number(uint32(len(list)))
			for _, k := range list {
				c.emit(byte(k))
			}
		}
	})
	section(2, len(imports), func(c *code, i int) {
		c.name(HostModule)
		c.name(imports[i].name)
		c.emit(0)
		c.number(uint32(imports[i].kind))
	})
	section(3, len(functions), func(c *code, i int) { c.number(uint32(functions[i].kind)) })
	section(5, 1, func(c *code, _ int) { c.emit(0, 0) })
	section(7, 2, func(c *code, i int) {
		if i == 0 {
			c.name("memory")
			c.emit(2, 0)
			return
		}
		c.name("run")
		c.emit(0)
		c.number(uint32(len(imports) + len(functions) - 1))
	})
	section(10, len(functions), func(c *code, i int) {
		body := functions[i].body()
		c.number(uint32(len(body)))
		c.emit(body...)
	})
	return m
}

func (c *code) name(text string) {
	c.number(uint32(len(text)))
	c.emit([]byte(text)...)
}

// body returns the function's locals in runs of one type, and its code.
func (f *function) body() code {
	var runs code
	n := uint32(0)
	for i := 0; i < len(f.locals); {
		j := i
		for j < len(f.locals) && f.locals[j] == f.locals[i] {
			j++
		}
		runs.number(uint32(j - i))
		runs.emit(byte(f.locals[i]))
		i = j
		n++
	}
	var body code
	body.number(n)
	body.emit(runs...)
	body.emit(f.code...)
	body.emit(opEnd)
	return body
}
