package wasm

import (
	"math"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A helper is a function that the module has if the code calls it. Those of floats take the same
// steps as package numeric, operation by operation, so they give the same bits.
type helper struct {
	kind   int // the index of its signature
	locals []valueKind
	emit   func(h *helping)
}

// helping emits a helper.
type helping struct {
	code
	*generator
}

// The signatures of helpers, after those of the other functions.
const (
	floatToFloat = 6 + iota
	wordToWord
)

var helpers map[string]helper

func init() {
	f := func(n int) []valueKind {
		list := make([]valueKind, n)
		for i := range list {
			list[i] = f64
		}
		return list
	}
	helpers = map[string]helper{
		"exp":      {floatToFloat, append(f(3), i64, i64), func(h *helping) { h.exp(true) }},
		"exp2":     {floatToFloat, append(f(3), i64, i64), func(h *helping) { h.exp(false) }},
		"log":      {floatToFloat, append(f(3), i64), func(h *helping) { h.log(true) }},
		"log2":     {floatToFloat, append(f(3), i64), func(h *helping) { h.log(false) }},
		"tanh":     {floatToFloat, nil, (*helping).tanh},
		"fromHalf": {wordToWord, []valueKind{i32}, (*helping).fromHalf},
		"toHalf":   {wordToWord, []valueKind{i32}, (*helping).toHalf},
	}
}

// helper returns the index of a helper's function.
func (g *generator) helper(name string) uint32 {
	for i, known := range g.helperNames {
		if known == name {
			return g.firstHelper() + uint32(i)
		}
	}
	g.helperNames = append(g.helperNames, name)
	return g.firstHelper() + uint32(len(g.helperNames)-1)
}

func (g *generator) firstHelper() uint32 {
	if g.watches {
		return callHash + 1
	}
	return callOwn + 1
}

// helpers returns the functions of all helpers that the code calls, and those that they call.
func (g *generator) helpers() (list []function) {
	for i := 0; i < len(g.helperNames); i++ {
		made := helpers[g.helperNames[i]]
		h := &helping{generator: g}
		made.emit(h)
		list = append(list, function{made.kind, made.locals, h.code})
	}
	return list
}

const helperX = 0 // the parameter of every helper

// ifNaN returns the parameter if it isn't a number.
func (h *helping) ifNaN() {
	h.code.localGet(helperX)
	h.code.localGet(helperX)
	h.code.emit(opF64Ne)
	h.code.ifThen()
	h.code.localGet(helperX)
	h.code.emit(opReturn, opEnd)
}

// polynomial pushes the value of terms at a local.
func (h *helping) polynomial(terms []float64, at uint32) {
	h.code.f64Const(terms[0])
	for _, term := range terms[1:] {
		h.code.localGet(at)
		h.code.emit(opF64Mul)
		h.code.f64Const(term)
		h.code.emit(opF64Add)
	}
}

// exp is numeric.Exp, or Exp2.
func (h *helping) exp(natural bool) {
	const k, r, p, n, half = 1, 2, 3, 4, 5
	c := &h.code
	h.ifNaN()
	c.localGet(helperX)
	c.f64Const(-numeric.MostExponent)
	c.emit(opF64Max)
	c.f64Const(numeric.MostExponent)
	c.emit(opF64Min)
	c.localTee(helperX)
	if natural {
		c.f64Const(math.Log2E)
		c.emit(opF64Mul)
	}
	c.emit(opF64Nearest)
	c.localSet(k)
	c.localGet(helperX)
	c.localGet(k)
	if natural {
		c.f64Const(numeric.Ln2High)
		c.emit(opF64Mul, opF64Sub)
		c.localGet(k)
		c.f64Const(numeric.Ln2Low)
		c.emit(opF64Mul, opF64Sub)
	} else {
		c.emit(opF64Sub)
		c.f64Const(math.Ln2)
		c.emit(opF64Mul)
	}
	c.localSet(r)
	h.polynomial(numeric.ExpTerms, r)
	c.localSet(p)
	c.localGet(k)
	c.emit(0xb0) // i64.trunc_f64_s
	c.localTee(n)
	c.i64Const(1)
	c.emit(opI64ShrS)
	c.localSet(half)
	power := func() {
		c.i64Const(1023)
		c.emit(opI64Add)
		c.i64Const(52)
		c.emit(opI64Shl, opF64FromI64, opF64Mul)
	}
	c.localGet(p)
	c.localGet(half)
	power()
	c.localGet(n)
	c.localGet(half)
	c.emit(opI64Sub)
	power()
}

// log is numeric.Log, or Log2.
func (h *helping) log(natural bool) {
	const e, s, small, n = 1, 2, 3, 4
	c := &h.code
	h.ifNaN()
	returns := func(condition byte, than, result float64) {
		c.localGet(helperX)
		c.f64Const(than)
		c.emit(condition)
		c.ifThen()
		c.f64Const(result)
		c.emit(opReturn, opEnd)
	}
	returns(opF64Gt, math.MaxFloat64, math.Inf(1))
	returns(opF64Lt, 0, math.NaN())
	returns(opF64Eq, 0, math.Inf(-1))
	c.localGet(helperX) // an f32 is never subnormal in 64 bits
	c.emit(opI64FromF64)
	c.i64Const(0x3fe6a09e667f3bcd)
	c.emit(opI64Sub)
	c.i64Const(52)
	c.emit(opI64ShrS)
	c.localTee(n)
	c.emit(0xb9) // f64.convert_i64_s
	c.localSet(e)
	c.localGet(helperX)
	c.emit(opI64FromF64)
	c.localGet(n)
	c.i64Const(52)
	c.emit(opI64Shl, opI64Sub, opF64FromI64)
	c.localTee(s)
	c.f64Const(1)
	c.emit(opF64Sub)
	c.localGet(s)
	c.f64Const(1)
	c.emit(opF64Add, opF64Div)
	c.localSet(s)
	c.localGet(s)
	c.localGet(s)
	c.emit(opF64Mul)
	c.localSet(small)
	c.f64Const(2)
	c.localGet(s)
	c.emit(opF64Mul)
	h.polynomial(numeric.LogTerms, small)
	c.emit(opF64Mul)
	c.localSet(small)
	c.localGet(e)
	if !natural {
		c.localGet(small)
		c.f64Const(math.Log2E)
		c.emit(opF64Mul, opF64Add)
		return
	}
	c.f64Const(numeric.Ln2High)
	c.emit(opF64Mul)
	c.localGet(e)
	c.f64Const(numeric.Ln2Low)
	c.emit(opF64Mul)
	c.localGet(small)
	c.emit(opF64Add, opF64Add)
}

// tanh is numeric.Tanh.
func (h *helping) tanh() {
	c := &h.code
	h.ifNaN()
	c.localGet(helperX)
	c.emit(opF64Abs)
	c.f64Const(numeric.TinyTangent)
	c.emit(opF64Lt)
	c.ifThen()
	for range 4 {
		c.localGet(helperX)
	}
	c.emit(opF64Mul, opF64Mul)
	c.f64Const(3)
	c.emit(opF64Div, opF64Sub, opReturn, opEnd)
	c.f64Const(1)
	c.f64Const(2)
	c.f64Const(2)
	c.localGet(helperX)
	c.emit(opF64Mul)
	c.call(h.helper("exp"))
	c.f64Const(1)
	c.emit(opF64Add, opF64Div, opF64Sub)
}

// fromHalf is numeric.FromF16Bits, with words. A float's exponent has three bits more, so a product
// with 2^112 moves it to its place, also for subnormal numbers.
func (h *helping) fromHalf() {
	const moved = 1
	c := &h.code
	c.localGet(helperX)
	c.i32Const(0x7fff)
	c.emit(opI32And)
	c.i32Const(13)
	c.emit(opI32Shl)
	c.localTee(moved)
	c.i32Const(0x7f800000)
	c.emit(opI32Or)
	c.localGet(moved)
	c.emit(opF32FromI32)
	c.f32Const(math.Float32bits(0x1p112))
	c.emit(opF32Mul, opI32FromF32)
	c.localGet(moved)
	c.i32Const(0x0f800000)
	c.emit(opI32GeU, opSelect)
	c.localGet(helperX)
	c.i32Const(0x8000)
	c.emit(opI32And)
	c.i32Const(16)
	c.emit(opI32Shl, opI32Or)
}

// toHalf is numeric.F16Bits, with words.
func (h *helping) toHalf() {
	const size = 1
	c := &h.code
	than := func(condition byte, n uint32) {
		c.localGet(size)
		c.i32Const(n)
		c.emit(condition, opSelect)
	}
	c.localGet(helperX)
	c.i32Const(0x7fffffff)
	c.emit(opI32And)
	c.localSet(size)
	c.i32Const(0x7e00)
	c.i32Const(0x7c00)
	c.localGet(size) // normal numbers: round the mantissa
	c.i32Const(0xfff)
	c.emit(opI32Add)
	c.localGet(size)
	c.i32Const(13)
	c.emit(opI32ShrU)
	c.i32Const(1)
	c.emit(opI32And, opI32Add)
	c.i32Const(0x38000000)
	c.emit(opI32Sub)
	c.i32Const(13)
	c.emit(opI32ShrU)
	c.localGet(size) // subnormal ones
	c.emit(opF32FromI32)
	c.f32Const(math.Float32bits(1 << 24))
	c.emit(opF32Mul, opF32Nearest)
	c.truncSat(false)
	than(opI32GeU, 0x38800000)
	than(opI32GeU, 0x477ff000)
	than(opI32GtU, 0x7f800000)
	c.localGet(helperX)
	c.i32Const(16)
	c.emit(opI32ShrU)
	c.i32Const(0x8000)
	c.emit(opI32And, opI32Or)
}
