package ir

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A builtinCall is a call of a builtin function that only computes. It has the arguments' slots,
// the first argument's type and kind, and the result's type.
type builtinCall struct {
	*compiler
	x      *syntax.CallExpr
	name   string
	args   [][]uint32
	t      types.Type
	k      types.ScalarKind
	result types.Type
}

// compile looks a function up: those with code of their own first, then by the number of operands,
// since one name may take one, two or three.
func (b builtinCall) compile() []uint32 {
	if compile, ok := builtins[b.name]; ok {
		return compile(b)
	}
	switch len(b.args) {
	case 1:
		if _, ok := named1[b.name]; ok {
			return b.apply1(b.name, b.k, b.args[0])
		}
	case 2:
		if _, ok := named2[b.name]; ok {
			return b.apply2(b.name, b.k, b.args[0], b.args[1])
		}
	case 3:
		if _, ok := named3[b.name]; ok {
			return b.apply3(b.name, b.k, b.args[0], b.args[1], b.args[2])
		}
	}
	b.fail(b.x, "the function `%s`", b.name)
	return nil
}

// builtins are the functions that need more than one table function on each component.
var builtins map[string]func(builtinCall) []uint32

func init() {
	builtins = map[string]func(builtinCall) []uint32{
		"abs": builtinCall.abs, "all": builtinCall.all, "any": builtinCall.any, "select": builtinCall.choose,
		"bitcast": builtinCall.bitcast, "clamp": builtinCall.clamp, "cross": builtinCall.cross,
		"determinant": builtinCall.determinant, "distance": builtinCall.distance, "dot": builtinCall.dots,
		"faceForward": builtinCall.faceForward, "firstLeadingBit": builtinCall.signed,
		"extractBits": builtinCall.extractBits, "insertBits": builtinCall.insertBits, "frexp": builtinCall.frexp,
		"length": builtinCall.length, "max": builtinCall.max, "min": builtinCall.min, "modf": builtinCall.modf,
		"normalize": builtinCall.normalize, "reflect": builtinCall.reflect, "refract": builtinCall.refract,
		"sign": builtinCall.signed, "transpose": builtinCall.transpose, "ldexp": builtinCall.ldexp,
		"pack4x8snorm":  func(b builtinCall) []uint32 { return b.pack("pack8snorm", 8) },
		"pack4x8unorm":  func(b builtinCall) []uint32 { return b.pack("pack8unorm", 8) },
		"pack2x16snorm": func(b builtinCall) []uint32 { return b.pack("pack16snorm", 16) },
		"pack2x16unorm": func(b builtinCall) []uint32 { return b.pack("pack16unorm", 16) },
		"pack2x16float": func(b builtinCall) []uint32 { return b.pack("pack16float", 16) },
		"pack4xI8":      func(b builtinCall) []uint32 { return b.pack("", 8) },
		"pack4xU8":      func(b builtinCall) []uint32 { return b.pack("", 8) },
		"pack4xI8Clamp": func(b builtinCall) []uint32 { return b.pack("clampI8", 8) },
		"pack4xU8Clamp": func(b builtinCall) []uint32 { return b.pack("clampU8", 8) },

		"unpack4x8snorm":  func(b builtinCall) []uint32 { return b.unpack("unpack8snorm", 8) },
		"unpack4x8unorm":  func(b builtinCall) []uint32 { return b.unpack("unpack8unorm", 8) },
		"unpack2x16snorm": func(b builtinCall) []uint32 { return b.unpack("unpack16snorm", 16) },
		"unpack2x16unorm": func(b builtinCall) []uint32 { return b.unpack("unpack16unorm", 16) },
		"unpack2x16float": func(b builtinCall) []uint32 { return b.unpack("unpack16float", 16) },
		"unpack4xI8":      func(b builtinCall) []uint32 { return b.unpack("extendI8", 8) },
		"unpack4xU8":      func(b builtinCall) []uint32 { return b.unpack("", 8) },
	}
}

// fold combines all components with an operation.
func (b builtinCall) fold(o Opcode, slots []uint32) uint32 {
	result := slots[0]
	for _, s := range slots[1:] {
		to := b.alloc(1)
		b.scalar(o, b.k, to, result, s)
		result = to
	}
	return result
}

func (b builtinCall) all() []uint32 { return []uint32{b.fold(OpAnd, b.args[0])} }
func (b builtinCall) any() []uint32 { return []uint32{b.fold(OpOr, b.args[0])} }

func (b builtinCall) choose() []uint32 {
	no, yes, condition := b.args[0], b.args[1], b.args[2]
	to := b.row(uint32(len(no)))
	for i := range to {
		b.emit(OpMove, 0, to[i], no[i], 0)
		b.emit(OpMoveIf, 0, to[i], spread(condition, i), yes[i])
	}
	return to
}

func (b builtinCall) abs() []uint32 {
	switch {
	case IsFloat(b.k):
		return b.each(b.args[0], func(to, from uint32) { b.emit(OpAbsF, 0, to, from, 0) })
	case b.k == types.I32Kind:
		return b.apply1("i32:abs", b.k, b.args[0])
	}
	return b.args[0]
}

// signed calls a function that has one form for i32 and another for u32.
func (b builtinCall) signed() []uint32 {
	if IsFloat(b.k) {
		return b.apply1(b.name, b.k, b.args[0])
	}
	return b.apply1(b.prefix()+b.name, b.k, b.args[0])
}

func (b builtinCall) prefix() string {
	switch b.k {
	case types.I32Kind:
		return "i32:"
	case types.U32Kind:
		return "u32:"
	}
	return ""
}

func (b builtinCall) clamp() []uint32 {
	return b.apply3(b.prefix()+"clamp", b.k, b.args[0], b.args[1], b.args[2])
}

func (b builtinCall) extractBits() []uint32 {
	return b.apply3(b.prefix()+"extractBits", b.k, b.args[0], b.args[1], b.args[2])
}

// insertBits computes (e & ~mask) | (newbits << offset & mask).
func (b builtinCall) insertBits() []uint32 {
	mask := b.apply2("bitRange", types.U32Kind, b.args[2], b.args[3])[0]
	keep := b.alloc(1)
	b.scalar(OpNot, b.k, keep, mask, 0)
	return b.each2(b.args[0], b.args[1], func(to, e, bits uint32) {
		old, moved := b.alloc(1), b.alloc(1)
		b.emit(OpAnd, 0, old, e, keep)
		b.emit(OpShl, 0, moved, bits, b.args[2][0])
		b.emit(OpAnd, 0, moved, moved, mask)
		b.emit(OpOr, 0, to, old, moved)
	})
}

func (b builtinCall) pick(f, i, u Opcode) Opcode {
	switch b.k {
	case types.I32Kind:
		return i
	case types.U32Kind:
		return u
	}
	return f
}

func (b builtinCall) min() []uint32 {
	o := b.pick(OpMinF, OpMinI, OpMinU)
	return b.each2(b.args[0], b.args[1], func(to, x, y uint32) { b.emit(o, 0, to, x, y) })
}

func (b builtinCall) max() []uint32 {
	o := b.pick(OpMaxF, OpMaxI, OpMaxU)
	return b.each2(b.args[0], b.args[1], func(to, x, y uint32) { b.emit(o, 0, to, x, y) })
}

// Arithmetic with floats of the call's kind, component by component.

func (b builtinCall) add(x, y []uint32) []uint32 { return b.arith(OpAddF, x, y) }
func (b builtinCall) sub(x, y []uint32) []uint32 { return b.arith(OpSubF, x, y) }
func (b builtinCall) mul(x, y []uint32) []uint32 { return b.arith(OpMulF, x, y) }
func (b builtinCall) div(x, y []uint32) []uint32 { return b.arith(OpDivF, x, y) }

func (b builtinCall) arith(o Opcode, x, y []uint32) []uint32 {
	return b.each2(x, y, func(to, x, y uint32) {
		b.scalar(o, b.k, to, x, y)
		b.round(b.k, to)
	})
}

func (b builtinCall) dots() []uint32 { return []uint32{b.dot(b.k, b.args[0], b.args[1])} }

func (b builtinCall) ldexp() []uint32 { return b.apply2("ldexp", b.k, b.args[0], b.args[1]) }

func (b builtinCall) cross() []uint32 {
	x, y := b.args[0], b.args[1]
	turn := func(v []uint32) []uint32 { return []uint32{v[1], v[2], v[0]} }
	back := func(v []uint32) []uint32 { return []uint32{v[2], v[0], v[1]} }
	return b.sub(b.mul(turn(x), back(y)), b.mul(back(x), turn(y)))
}

func (b builtinCall) lengthOf(v []uint32) []uint32 {
	if len(v) == 1 {
		return b.each(v, func(to, from uint32) { b.emit(OpAbsF, 0, to, from, 0) })
	}
	root := b.apply1("sqrt", b.k, []uint32{b.dot(b.k, v, v)})
	b.round(b.k, root[0])
	return root
}

func (b builtinCall) length() []uint32   { return b.lengthOf(b.args[0]) }
func (b builtinCall) distance() []uint32 { return b.lengthOf(b.sub(b.args[0], b.args[1])) }

func (b builtinCall) normalize() []uint32 { return b.div(b.args[0], b.lengthOf(b.args[0])) }

// faceForward returns e1 if dot(e2, e3) is negative, else -e1 (§ 17.5.27).
func (b builtinCall) faceForward() []uint32 {
	facing := b.alloc(1)
	b.scalar(OpLtF, b.k, facing, b.dot(b.k, b.args[1], b.args[2]), b.float(0))
	return b.each(b.args[0], func(to, from uint32) {
		b.emit(OpNegF, 0, to, from, 0)
		b.emit(OpMoveIf, 0, to, facing, from)
	})
}

// reflect computes e1 - 2·dot(e2, e1)·e2 (§ 17.5.49).
func (b builtinCall) reflect() []uint32 {
	twice := b.mul([]uint32{b.float(2)}, []uint32{b.dot(b.k, b.args[1], b.args[0])})
	return b.sub(b.args[0], b.mul(twice, b.args[1]))
}

// refract computes k = 1 - e3·e3·(1 - dot(e2, e1)²). The result is zero if k is negative, else
// e3·e1 - (e3·dot(e2, e1) + √k)·e2 (§ 17.5.50).
func (b builtinCall) refract() []uint32 {
	e1, e2, ratio := b.args[0], b.args[1], b.args[2]
	one, zero := []uint32{b.float(1)}, b.float(0)
	cosine := []uint32{b.dot(b.k, e2, e1)}
	k := b.sub(one, b.mul(b.mul(ratio, ratio), b.sub(one, b.mul(cosine, cosine))))
	lost := b.alloc(1)
	b.scalar(OpLtF, b.k, lost, k[0], zero)
	safe := b.each2(k, []uint32{zero}, func(to, k, zero uint32) { b.emit(OpMaxF, 0, to, k, zero) })
	root := b.apply1("sqrt", b.k, safe)
	b.round(b.k, root[0])
	out := b.sub(b.mul(ratio, e1), b.mul(b.add(b.mul(ratio, cosine), root), e2))
	for _, s := range out {
		b.emit(OpMoveIf, 0, s, lost, zero)
	}
	return out
}

func (b builtinCall) transpose() []uint32 {
	m := b.t.(*types.Matrix)
	to := make([]uint32, 0, m.Columns*m.Rows)
	for row := range m.Rows {
		for column := range m.Columns {
			to = append(to, b.args[0][column*m.Rows+row])
		}
	}
	return to
}

func (b builtinCall) determinant() []uint32 {
	n := b.t.(*types.Matrix).Columns
	columns := make([][]uint32, n)
	for i := range columns {
		columns[i] = b.args[0][i*n : (i+1)*n]
	}
	return b.minor(columns)
}

// minor computes a determinant by expanding along the first row.
func (b builtinCall) minor(columns [][]uint32) []uint32 {
	if len(columns) == 1 {
		return columns[0][:1]
	}
	var sum []uint32
	for i := range columns {
		rest := make([][]uint32, 0, len(columns)-1)
		for j, other := range columns {
			if j != i {
				rest = append(rest, other[1:])
			}
		}
		term := b.mul(columns[i][:1], b.minor(rest))
		switch {
		case i == 0:
			sum = term
		case i%2 == 1:
			sum = b.sub(sum, term)
		default:
			sum = b.add(sum, term)
		}
	}
	return sum
}

func (b builtinCall) frexp() []uint32 {
	fraction := b.apply1("frexp.fract", b.k, b.args[0])
	return append(fraction, b.apply1("frexp.exp", b.k, b.args[0])...)
}

func (b builtinCall) modf() []uint32 {
	fraction := b.apply1("modf.fract", b.k, b.args[0])
	return append(fraction, b.apply1("trunc", b.k, b.args[0])...)
}

// pack applies a function to each component and packs the results into a u32, the first in the
// lowest bits.
func (b builtinCall) pack(through string, width int) []uint32 {
	parts := b.args[0]
	if through != "" {
		parts = b.apply1(through, b.k, parts)
	} else {
		mask := b.word(1<<width - 1)
		parts = b.each(parts, func(to, from uint32) { b.emit(OpAnd, 0, to, from, mask) })
	}
	packed := parts[0]
	b.at.Kind = types.U32Kind
	for i, p := range parts[1:] {
		moved, sum := b.alloc(1), b.alloc(1)
		b.emit(OpShl, 0, moved, p, b.word(uint32((i+1)*width)))
		b.emit(OpOr, 0, sum, packed, moved)
		packed = sum
	}
	return []uint32{packed}
}

func (b builtinCall) unpack(through string, width int) []uint32 {
	parts := make([]uint32, 32/width)
	for i := range parts {
		parts[i] = b.alloc(1)
		b.emit(OpShrU, 0, parts[i], b.args[0][0], b.word(uint32(i*width)))
		b.emit(OpAnd, 0, parts[i], parts[i], b.word(1<<width-1))
	}
	if through == "" {
		return parts
	}
	return b.apply1(through, types.U32Kind, parts)
}

// bitcast leaves the bits as they are, except for f16, which slots hold as f32.
func (b builtinCall) bitcast() []uint32 {
	from, to := b.k == types.F16Kind, KindOf(b.result) == types.F16Kind
	words := b.args[0]
	if from == to {
		if !from && KindOf(b.result) == types.F32Kind && b.k != types.F32Kind {
			return b.apply1("bitcast", b.k, words)
		}
		return words
	}
	if from {
		var packed []uint32
		for i := 0; i < len(words); i += 2 {
			half := b
			half.args = [][]uint32{words[i : i+2]}
			packed = append(packed, half.pack("pack16float", 16)...)
		}
		return packed
	}
	var halves []uint32
	for _, w := range words {
		whole := b
		whole.args = [][]uint32{{w}}
		halves = append(halves, whole.unpack("unpack16float", 16)...)
	}
	return halves
}
