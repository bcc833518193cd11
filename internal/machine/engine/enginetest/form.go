package enginetest

import (
	"fmt"
	"slices"
)

// boolForms are for booleans and vectors of them.
func boolForms() []form {
	return []form{
		comparison, comparison,
		func(d *drawer, s *shape, depth int) expr { return join(true, "!(%s)", d.expr(s, depth)) },
		func(d *drawer, s *shape, depth int) expr {
			if !s.isScalar() {
				return join(true, "(%s "+d.one("&", "|")+" %s)", d.expr(s, depth), d.expr(s, depth))
			}
			return join(true, "(%s "+d.one("&&", "||", "&", "|")+" %s)", d.expr(s, depth), d.expr(s, depth))
		},
		func(d *drawer, s *shape, depth int) expr {
			if !s.isScalar() {
				return selection(d, s, depth)
			}
			return join(true, d.one("any", "all")+"(%s)", d.expr(vector(boolean, 2+d.pick(3)), depth))
		},
		selection,
		func(d *drawer, s *shape, depth int) expr {
			return join(true, s.name+"(%s)", d.expr(s.with(d.oneShape(signed, unsigned, float)), depth))
		},
	}
}

func comparison(d *drawer, s *shape, depth int) expr {
	of := s.with(d.oneShape(signed, unsigned, float))
	return join(true, "(%s "+d.one("<", "==", "!=", ">", "<=", ">=")+" %s)", d.expr(of, depth), d.expr(of, depth))
}

func selection(d *drawer, s *shape, depth int) expr {
	condition := boolean
	if d.pick(2) == 1 {
		condition = s.with(boolean)
	}
	a, b := d.expr(s, depth), d.expr(s, depth)
	e := join(true, "select(%s, %s, %s)", a, b, d.expr(condition, depth))
	if e.fixed = a.fixed.or(b.fixed); !e.fixed.exact() { // a large number, or one with many bits after the point
		return d.settle(s, e)
	}
	return e
}

// integerForms are for i32, u32 and vectors of them.
func integerForms() []form {
	return []form{
		func(d *drawer, s *shape, depth int) expr {
			return join(false, "(%s "+d.one("+", "-", "*", "&", "|", "^")+" %s)", d.runtime(s, depth), d.expr(s, depth))
		},
		func(d *drawer, s *shape, depth int) expr {
			return join(false, "(%s "+d.one("+", "-", "*")+" %s)", d.expr(s, depth), d.runtime(s, depth))
		},
		func(d *drawer, s *shape, depth int) expr { // a scalar with a vector
			return join(false, "(%s "+d.one("+", "-", "*")+" %s)", d.runtime(s, depth), d.runtime(s.component(), depth))
		},
		division, shift, integerFunction, integerFunction, selection, bitField,
		func(d *drawer, s *shape, depth int) expr {
			return join(false, "~(%s)", d.runtime(s, depth))
		},
		func(d *drawer, s *shape, depth int) expr {
			if s.scalar == "u32" {
				return join(false, "(~%s)", d.runtime(s, depth))
			}
			return join(false, "-(%s)", d.runtime(s, depth))
		},
		func(d *drawer, s *shape, depth int) expr { // from the other integer, or a boolean
			other := signed
			if s.scalar == "i32" {
				other = unsigned
			}
			of := s.with(d.oneShape(other, boolean))
			if of.scalar != "bool" && d.pick(2) == 1 {
				return join(false, "bitcast<"+s.name+">(%s)", d.runtime(of, depth))
			}
			return join(false, s.name+"(%s)", d.runtime(of, depth))
		},
		fromFloat,
		func(d *drawer, s *shape, depth int) expr {
			if !s.isScalar() {
				return integerFunction(d, s, depth)
			}
			v := vector(s, 2+d.pick(3))
			return join(false, "dot(%s, %s)", d.runtime(v, depth), d.expr(v, depth))
		},
		packing,
	}
}

// division may divide by zero, or the lowest number by -1: WGSL defines both (§ 8.7).
func division(d *drawer, s *shape, depth int) expr {
	form := "(%s " + d.one("/", "%%") + " "
	if d.has(DivisionByZero) && d.pick(2) == 1 {
		return join(false, form+"%s)", d.runtime(s, depth), d.runtime(s, depth))
	}
	one := map[string]string{"i32": "(1i)", "u32": "(1u)"}[s.scalar]
	return join(false, form+"(%s | "+s.name+one+"))", d.runtime(s, depth), d.runtime(s, depth))
}

// shift may shift by more bits than the type has: only the lowest five bits of the shift count
// (§ 8.9).
func shift(d *drawer, s *shape, depth int) expr {
	return join(false, "(%s "+d.one("<<", ">>")+" %s)", d.runtime(s, depth), d.runtime(s.with(unsigned), depth))
}

func integerFunction(d *drawer, s *shape, depth int) expr {
	a := d.runtime(s, depth)
	switch d.pick(4) {
	case 0:
		names := []string{"countOneBits", "reverseBits", "countLeadingZeros", "countTrailingZeros", "firstLeadingBit", "firstTrailingBit", "abs"}
		if s.scalar == "i32" {
			names = append(names, "sign")
			if !d.has(LeadingBits) {
				names = slices.DeleteFunc(names, func(name string) bool { return name == "firstLeadingBit" })
			}
		}
		return join(false, d.one(names...)+"(%s)", a)
	case 1, 2:
		return join(false, d.one("min", "max")+"(%s, %s)", a, d.expr(s, depth))
	}
	low := map[string]string{"i32": "(-50i)", "u32": "3u"}[s.scalar]
	high := map[string]string{"i32": "77i", "u32": "1000u"}[s.scalar]
	return join(false, fmt.Sprintf("clamp(%%s, %s(%s), %s(%s))", s.name, low, s.name, high), a)
}

// bitField extracts or inserts bits, including ranges outside the type's bits (§ 17.5.22).
func bitField(d *drawer, s *shape, depth int) expr {
	offset, count := "(%s & 15u)", "(%s & 15u)"
	if d.has(BitsBeyond) && d.pick(2) == 1 {
		offset, count = "%s", "%s"
	}
	from, n := d.runtime(unsigned, depth), d.runtime(unsigned, depth)
	if d.pick(2) == 0 {
		return join(false, "extractBits(%s, "+offset+", "+count+")", d.runtime(s, depth), from, n)
	}
	return join(false, "insertBits(%s, %s, "+offset+", "+count+")", d.runtime(s, depth), d.runtime(s, depth), from, n)
}

// fromFloat truncates a float to an integer. A float out of the integer's range, such as a negative
// one for u32, becomes the nearest value that both types hold (§ 15.7.6).
func fromFloat(d *drawer, s *shape, depth int) expr {
	of := s.with(float)
	e := d.runtime(of, depth)
	switch {
	case d.has(FloatsBeyond) && d.pick(3) == 0:
		return join(false, s.name+"(%s * "+d.one("1e9", "-1e9", "4e9", "1e20")+")", d.settle(of, e))
	case s.scalar == "u32" && d.pick(2) == 0:
		// Implementations need not keep the sign of zero.
		return join(false, "bitcast<"+s.name+">(abs(%s) + 1.0)", d.settle(of, e))
	case s.scalar == "u32" && !d.has(FloatsBeyond):
		return join(false, s.name+"(abs(%s))", e)
	}
	return join(false, s.name+"(%s)", e)
}

// packing turns vectors into words.
func packing(d *drawer, s *shape, depth int) expr {
	switch {
	case !s.isScalar() || !d.has(PackedIntegers):
		return integerFunction(d, s, depth)
	case s.scalar == "i32":
		return join(false, "dot4I8Packed(%s, %s)", d.runtime(unsigned, depth), d.runtime(unsigned, depth))
	}
	four := vector(float, 4)
	switch d.pick(4) {
	case 0:
		return join(false, "dot4U8Packed(%s, %s)", d.runtime(unsigned, depth), d.runtime(unsigned, depth))
	case 1:
		return join(false, "pack4xU8(%s)", d.runtime(vector(unsigned, 4), depth))
	case 2:
		return join(false, "pack4xI8Clamp(%s)", d.runtime(vector(signed, 4), depth))
	}
	return join(false, "pack2x16float(%s.xz + 70.0)", d.settle(four, d.runtime(four, depth)))
}

// floatForms are for f32 and vectors of it, all exact.
func floatForms() []form {
	return []form{
		floatSum, floatSum, floatProduct, floatProduct, floatFunction, floatFunction, floatFunction2, floatFunction2, selection, fused,
		func(d *drawer, s *shape, depth int) expr {
			a := d.expr(s, depth)
			e := join(true, "-(%s)", a)
			e.fixed = a.fixed
			return e
		},
		func(d *drawer, s *shape, depth int) expr { // from an integer
			e := join(false, s.name+"(%s %% "+s.with(signed).name+"(50i))", d.runtime(s.with(signed), depth))
			if d.pick(2) == 1 {
				e = join(false, s.name+"(%s >> "+s.with(unsigned).name+"(26u))", d.runtime(s.with(unsigned), depth))
			}
			e.fixed = fixed{64, 0}
			return e
		},
		func(d *drawer, s *shape, depth int) expr {
			e := join(true, s.name+"(%s)", d.expr(s.with(boolean), depth))
			e.fixed = fixed{1, 0}
			return e
		},
		product, product, parted,
	}
}

// fit settles operands until the result, as computed by of, is exact.
func (d *drawer) fit(s *shape, of func(a, b fixed) fixed, a, b expr) (expr, expr) {
	if !of(a.fixed, b.fixed).exact() {
		a = d.settle(s, a)
	}
	if !of(a.fixed, b.fixed).exact() {
		b = d.settle(s, b)
	}
	return a, b
}

func floatSum(d *drawer, s *shape, depth int) expr {
	a, b := d.fit(s, fixed.plus, d.expr(s, depth), d.expr(s, depth))
	e := join(true, "(%s "+d.one("+", "-")+" %s)", a, b)
	e.fixed = a.fixed.plus(b.fixed)
	return e
}

func floatProduct(d *drawer, s *shape, depth int) expr {
	if s.isVector() && d.pick(2) == 1 {
		a, b := d.settle(s, d.expr(s, depth)), d.settle(float, d.expr(float, depth))
		e := join(true, "(%s * %s)", a, b)
		if d.pick(2) == 1 {
			e = join(true, "(%s * %s)", b, a)
		}
		e.fixed = a.fixed.times(b.fixed)
		return e
	}
	a, b := d.fit(s, fixed.times, d.expr(s, depth), d.expr(s, depth))
	e := join(true, "(%s * %s)", a, b)
	e.fixed = a.fixed.times(b.fixed)
	return e
}

func floatFunction(d *drawer, s *shape, depth int) expr {
	a := d.expr(s, depth)
	if !a.fixed.plus(fixed{1, 0}).exact() {
		a = d.settle(s, a)
	}
	name := d.one("abs", "floor", "ceil", "trunc", "round", "fract", "sign", "saturate")
	if d.has(QuantizedToF16) && d.pick(9) == 0 {
		name, a = "quantizeToF16", d.settle(s, a)
	}
	e := join(true, name+"(%s)", a)
	e.fixed = a.fixed.plus(fixed{1, 0})
	return e
}

func floatFunction2(d *drawer, s *shape, depth int) expr {
	a, b := d.expr(s, depth), d.expr(s, depth)
	both := a.fixed.or(b.fixed)
	if !both.exact() {
		a, b = d.settle(s, a), d.settle(s, b)
		both = settled
	}
	var e expr
	switch d.pick(5) {
	case 0, 1:
		e = join(true, d.one("min", "max")+"(%s, %s)", a, b)
	case 2:
		e = join(true, "step(%s, %s)", a, b)
		both = fixed{1, 0}
	case 3:
		e = join(true, "clamp(%s, "+s.name+"(-3.5), "+s.name+"(20.0))", a)
		both = both.or(fixed{20, 1})
	default:
		e = join(false, "ldexp(%s, "+s.with(signed).name+"("+d.one("1", "-1", "2")+"))", d.settle(s, a))
		both = fixed{4 * settled.bound, settled.bits + 1}
	}
	e.fixed = both
	return e
}

// fused draws fma or mix: a product and a sum, which an engine may fuse or not.
func fused(d *drawer, s *shape, depth int) expr {
	a, b, c := d.settle(s, d.expr(s, depth)), d.settle(s, d.expr(s, depth)), d.settle(s, d.expr(s, depth))
	name := d.one("fma", "mix")
	e := join(true, name+"(%s, %s, %s)", a, b, c)
	e.fixed = fixed{2 * settled.bound * (settled.bound + 1), 2 * settled.bits}
	return e
}

// product draws a product of matrices and vectors whose result is a vector or a scalar.
func product(d *drawer, s *shape, depth int) expr {
	n := 2 + d.pick(3)
	dotted := settled.times(settled)
	dotted.bound *= float64(n)
	var e expr
	switch {
	case s.isScalar():
		v := vector(float, n)
		e = join(true, "dot(%s, %s)", d.settle(v, d.expr(v, depth)), d.settle(v, d.expr(v, depth)))
	case d.pick(3) == 0 && s.size == 3:
		e = join(true, "cross(%s, %s)", d.settle(s, d.expr(s, depth)), d.settle(s, d.expr(s, depth)))
	case d.pick(2) == 0:
		m, v := matrix(n, s.size), vector(float, n)
		e = join(true, "(%s * %s)", d.settle(m, d.expr(m, depth)), d.settle(v, d.expr(v, depth)))
	default:
		m, v := matrix(s.size, n), vector(float, n)
		e = join(true, "(%s * %s)", d.settle(v, d.expr(v, depth)), d.settle(m, d.expr(m, depth)))
	}
	dotted.bound = max(dotted.bound, 4*settled.bound*settled.bound)
	e.fixed = dotted
	return e
}

// parted draws one member of the result of modf or frexp.
func parted(d *drawer, s *shape, depth int) expr {
	a := d.settle(s, d.expr(s, depth))
	form := d.one("modf(%s).whole", "modf(%s).fract", "frexp(%s).fract")
	e := join(true, form, a)
	e.fixed = fixed{settled.bound, settled.bits + 7} // frexp divides by at most 2^7
	return e
}

// matrixForms are for matrices.
func matrixForms() []form {
	return []form{
		func(d *drawer, s *shape, depth int) expr {
			a, b := d.fit(s, fixed.plus, d.expr(s, depth), d.expr(s, depth))
			e := join(true, "(%s "+d.one("+", "-")+" %s)", a, b)
			e.fixed = a.fixed.plus(b.fixed)
			return e
		},
		func(d *drawer, s *shape, depth int) expr {
			a, b := d.settle(s, d.expr(s, depth)), d.settle(float, d.expr(float, depth))
			e := join(true, "(%s * %s)", a, b)
			e.fixed = settled.times(settled)
			return e
		},
		func(d *drawer, s *shape, depth int) expr {
			a := d.expr(matrix(s.size, s.columns), depth)
			e := join(true, "transpose(%s)", a)
			e.fixed = a.fixed
			return e
		},
		func(d *drawer, s *shape, depth int) expr {
			n := 2 + d.pick(3)
			a, b := matrix(n, s.size), matrix(s.columns, n)
			e := join(true, "(%s * %s)", d.settle(a, d.expr(a, depth)), d.settle(b, d.expr(b, depth)))
			e.fixed = settled.times(settled)
			e.fixed.bound *= float64(n)
			return e
		},
	}
}
