package wasm

import (
	"math"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// applies emits the functions of scalars. Those that WebAssembly has no instruction for are the
// host's, so they give the same bits in compiled code.
func (g *generator) applies(o *op) bool {
	switch o.Op {
	case ir.OpApply1:
		if f := functions1[ir.Functions1[o.N].Name]; f.emit != nil {
			g.watchedSet(o, f.to, func() {
				g.get(o.B, f.of)
				f.emit(g)
			})
		} else {
			g.callOut(o, callFunction1, 1)
		}
	case ir.OpApply2:
		if ir.Functions2[o.N].Name == "step" {
			g.watchedSet(o, f32, func() {
				g.get(o.B, f32)
				g.get(o.C, f32)
				g.emit(opF32Le, opF32ConvertS)
			})
		} else if signed := ir.Functions2[o.N].Name == "dot4I8Packed"; signed || ir.Functions2[o.N].Name == "dot4U8Packed" {
			g.set(o.A, i32, func() { g.dotPacked(o, signed) })
		} else {
			g.callOut(o, callFunction2, 2)
		}
	case ir.OpApply3:
		g.apply3(o)
	default:
		return false
	}
	g.pending.effort += EffortOfFunction
	return true
}

// callOut calls the host's function.
func (g *generator) callOut(o *op, function uint32, operands int) {
	if g.watches && o.Op == ir.OpApply1 && ir.Functions1[o.N].Name == ir.Quantize {
		g.checkQuantized(o)
	}
	g.watchedSet(o, i32, func() {
		g.i32Const(uint32(o.N))
		g.get(o.B, i32)
		switch operands {
		case 2:
			g.get(o.C, i32)
		case 3:
			g.get(o.B+1, i32)
			g.get(o.B+2, i32)
		}
		g.ask(function)
	})
}

// ask calls a function of the host.
func (g *generator) ask(function uint32) {
	g.call(function)
	g.callsHost = true
}

// An emitted function turns the value on the stack into its result.
type emitted struct {
	of, to valueKind
	emit   func(*generator)
}

func ops(list ...byte) func(*generator) { return func(g *generator) { g.emit(list...) } }

// inF64 computes in 64 bits, as package numeric does.
func inF64(do func(*generator)) func(*generator) {
	return func(g *generator) {
		g.emit(opF64Promote)
		do(g)
		g.emit(opF32Demote)
	}
}

func byHelper(name string) func(*generator) {
	return inF64(func(g *generator) { g.call(g.helper(name)) })
}

// bounded converts to a whole number of at most the largest one that an f32 can hold (§ 15.7.6).
func bounded(most float32, signed bool) func(*generator) {
	return func(g *generator) {
		g.f32Const(math.Float32bits(most))
		g.emit(opF32Min)
		g.truncSat(signed)
	}
}

func scaled(by, over float64) func(*generator) {
	return inF64(func(g *generator) {
		g.f64Const(by)
		g.emit(opF64Mul)
		g.f64Const(over)
		g.emit(opF64Div)
	})
}

// functions1 are the functions of one scalar that WebAssembly's instructions compute.
var functions1 = map[string]emitted{
	"sqrt":    {f32, f32, inF64(ops(opF64Sqrt))},
	"floor":   {f32, f32, ops(opF32Floor)},
	"ceil":    {f32, f32, ops(opF32Ceil)},
	"trunc":   {f32, f32, ops(opF32Trunc)},
	"round":   {f32, f32, ops(opF32Nearest)},
	"degrees": {f32, f32, scaled(180, math.Pi)},
	"radians": {f32, f32, scaled(math.Pi, 180)},
	"exp":     {f32, f32, byHelper("exp")},
	"exp2":    {f32, f32, byHelper("exp2")},
	"log":     {f32, f32, byHelper("log")},
	"log2":    {f32, f32, byHelper("log2")},
	"tanh":    {f32, f32, byHelper("tanh")},

	"unpack16float": {i32, i32, func(g *generator) { g.call(g.helper("fromHalf")) }},
	"pack16float":   {i32, i32, func(g *generator) { g.call(g.helper("toHalf")) }},

	"sign": {f32, f32, func(g *generator) { // (0 < x) - (x < 0)
		g.localSet(scratchFloat)
		g.f32Const(0)
		g.localGet(scratchFloat)
		g.emit(opF32Lt)
		g.localGet(scratchFloat)
		g.f32Const(0)
		g.emit(opF32Lt, opI32Sub, opF32ConvertS)
	}},
	"inverseSqrt": {f32, f32, func(g *generator) {
		g.localSet(scratchFloat)
		g.f64Const(1)
		g.localGet(scratchFloat)
		g.emit(opF64Promote, opF64Sqrt, opF64Div, opF32Demote)
	}},
	"fract": {f32, f32, func(g *generator) {
		g.localTee(scratchFloat)
		g.emit(opF64Promote)
		g.localGet(scratchFloat)
		g.emit(opF64Promote, opF64Floor, opF64Sub, opF32Demote)
	}},
	"bitcast": {i32, i32, ops()},
	"i32:sign": {i32, i32, func(g *generator) {
		g.localTee(scratch)
		g.i32Const(0)
		g.emit(opI32GtS)
		g.localGet(scratch)
		g.i32Const(0)
		g.emit(opI32LtS, opI32Sub)
	}},
	"i32:f32":  {i32, f32, ops(opF32ConvertS)},
	"u32:f32":  {i32, f32, ops(opF32ConvertU)},
	"bool:f32": {i32, f32, ops(opF32ConvertU)},
	"f32:i32":  {f32, i32, bounded(1<<31-1<<7, true)},
	"f32:u32":  {f32, i32, bounded(1<<32-1<<8, false)},
	"i32:bool": {i32, i32, ops(opI32Eqz, opI32Eqz)},
	"f32:bool": {f32, i32, func(g *generator) {
		g.f32Const(0)
		g.emit(opF32Ne)
	}},
	"countOneBits":       {i32, i32, ops(opI32Popcnt)},
	"countLeadingZeros":  {i32, i32, ops(opI32Clz)},
	"countTrailingZeros": {i32, i32, ops(opI32Ctz)},
	"u32:firstLeadingBit": {i32, i32, func(g *generator) {
		g.localSet(scratch)
		g.i32Const(31)
		g.localGet(scratch)
		g.emit(opI32Clz, opI32Sub)
	}},
	"i32:abs": {i32, i32, func(g *generator) { // (x ^ x >> 31) - x >> 31
		g.localTee(scratch)
		g.localGet(scratch)
		g.i32Const(31)
		g.emit(opI32ShrS)
		g.localTee(scratch)
		g.emit(opI32Xor)
		g.localGet(scratch)
		g.emit(opI32Sub)
	}},
	"extendI8": {i32, i32, func(g *generator) {
		g.i32Const(24)
		g.emit(opI32Shl)
		g.i32Const(24)
		g.emit(opI32ShrS)
	}},
}

// apply3 emits a function of three scalars.
func (g *generator) apply3(o *op) {
	row := func(k valueKind) {
		for i := range uint32(3) {
			g.get(o.B+i, k)
		}
	}
	switch ir.Functions3[o.N].Name {
	case "fma": // the product of two f32 is exact in 64 bits
		g.watchedSet(o, f32, func() {
			g.get(o.B, f32)
			g.emit(opF64Promote)
			g.get(o.B+1, f32)
			g.emit(opF64Promote, opF64Mul)
			g.get(o.B+2, f32)
			g.emit(opF64Promote, opF64Add, opF32Demote)
		})
	case "clamp":
		g.watchedSet(o, f32, func() {
			row(f32)
			g.localSet(scratchFloat)
			g.emit(opF32Max)
			g.localGet(scratchFloat)
			g.emit(opF32Min)
		})
		g.again(o)
	case "i32:clamp", "u32:clamp":
		less := byte(opI32LtU)
		if ir.Functions3[o.N].Name == "i32:clamp" {
			less = opI32LtS
		}
		g.clampWhole(o, less)
	case "mix":
		g.watchedSet(o, f32, func() {
			g.get(o.B, f32)
			g.f32Const(math.Float32bits(1))
			g.get(o.B+2, f32)
			g.emit(opF32Sub, opF32Mul)
			g.get(o.B+1, f32)
			g.get(o.B+2, f32)
			g.emit(opF32Mul, opF32Add)
		})
		g.again(o)
	case "i32:extractBits", "u32:extractBits":
		g.set(o.A, i32, func() { g.extractBits(o, ir.Functions3[o.N].Name == "i32:extractBits") })
	default:
		g.callOut(o, callFunction3, 3)
	}
}

// dotPacked pushes the sum of the products of four bytes (§ 17.5.21, § 17.5.22).
func (g *generator) dotPacked(o *op, signed bool) {
	part := func(slot, i uint32) {
		g.get(slot, i32)
		g.i32Const(24 - 8*i)
		g.emit(opI32Shl)
		g.i32Const(24)
		if signed {
			g.emit(opI32ShrS)
		} else {
			g.emit(opI32ShrU)
		}
	}
	for i := range uint32(4) {
		part(o.B, i)
		part(o.C, i)
		if g.emit(opI32Mul); i > 0 {
			g.emit(opI32Add)
		}
	}
}

// extractBits pushes count bits from an offset on: two shifts, unless there are no bits (§ 17.5.25,
// § 17.5.26).
func (g *generator) extractBits(o *op, signed bool) {
	least := func(limit func()) { // of scratch and a limit
		g.localGet(scratch)
		limit()
		g.localGet(scratch)
		limit()
		g.emit(opI32LtU, opSelect)
	}
	offset := func() { g.localGet(scratch2) }
	g.get(o.B+1, i32)
	g.localSet(scratch)
	least(func() { g.i32Const(32) })
	g.localSet(scratch2)
	g.get(o.B+2, i32)
	g.localSet(scratch)
	least(func() {
		g.i32Const(32)
		offset()
		g.emit(opI32Sub)
	})
	g.localSet(scratch)
	shift := byte(opI32ShrU)
	if signed {
		shift = opI32ShrS
	}
	g.get(o.B, i32)
	g.i32Const(32)
	g.localGet(scratch)
	offset()
	g.emit(opI32Add, opI32Sub, opI32Shl)
	g.i32Const(32)
	g.localGet(scratch)
	g.emit(opI32Sub, shift)
	g.i32Const(0)
	g.localGet(scratch)
	g.emit(opSelect)
}

// again lets the host compute a function if the result isn't a number: which one it is depends on
// the order of operands.
func (g *generator) again(o *op) {
	g.get(o.A, f32)
	g.get(o.A, f32)
	g.emit(opF32Ne)
	g.ifThen()
	g.callOut(o, callFunction3, 3)
	g.emit(opEnd)
}

// clampWhole pushes min(max(e, low), high).
func (g *generator) clampWhole(o *op, less byte) {
	g.get(o.B, i32)
	g.get(o.B+1, i32)
	g.get(o.B+1, i32)
	g.get(o.B, i32)
	g.emit(less, opSelect)
	g.localSet(scratch)
	g.set(o.A, i32, func() {
		g.localGet(scratch)
		g.get(o.B+2, i32)
		g.localGet(scratch)
		g.get(o.B+2, i32)
		g.emit(less, opSelect)
	})
}

// checkQuantized looks at the operand of quantizeToF16: beyond f16, its result is open.
func (g *generator) checkQuantized(o *op) {
	g.get(o.B, f32)
	g.emit(opF32Abs)
	g.f32Const(math.Float32bits(numeric.LargestF16))
	g.emit(opF32Le, opI32Eqz)
	g.get(o.B, f32)
	g.get(o.B, f32)
	g.emit(opF32Sub)
	g.f32Const(0)
	g.emit(opF32Eq, opI32And)
	g.unlessQuiet(o, QuietOverflow)
}
