package enginetest

import (
	"fmt"
	"math"
	"strings"
)

// An expr is an expression.
type expr struct {
	text     string
	constant bool  // a const- or override-expression, in which the compiler reports errors
	fixed    fixed // of the floats in it
}

// A fixed describes a float: it is a multiple of 2^-bits, and its size is at most bound.
type fixed struct {
	bound float64
	bits  int
}

// exact reports whether an f32, which has 24 bits, holds all such numbers.
func (f fixed) exact() bool { return f.bound*math.Ldexp(1, f.bits) <= 1<<24 }

func (f fixed) plus(g fixed) fixed  { return fixed{f.bound + g.bound, max(f.bits, g.bits)} }
func (f fixed) times(g fixed) fixed { return fixed{f.bound * g.bound, f.bits + g.bits} }
func (f fixed) or(g fixed) fixed    { return fixed{max(f.bound, g.bound), max(f.bits, g.bits)} }

// settled is the range of every variable and input.
var settled = fixed{64, 3}

func (f fixed) isSettled() bool { return f.bound <= settled.bound && f.bits <= settled.bits }

// settle brings a float back into the range of a variable.
func (d *drawer) settle(s *shape, e expr) expr {
	if s.scalar != "f32" || e.fixed.isSettled() {
		return e
	}
	name := "settle" + strings.TrimSuffix(strings.TrimPrefix(s.name, "f32"), "<f32>")
	if !d.helpers[name] {
		d.helpers[name] = true
		d.prelude.WriteString(d.settler(name, s))
	}
	return expr{text: fmt.Sprintf("%s(%s)", name, e.text), fixed: settled}
}

// settler returns the function that settles a shape: it keeps 10 bits, 3 of them after the binary
// point.
func (d *drawer) settler(name string, s *shape) string {
	result := "f32((i32(x * 8.0) & 1023) - 512) * 0.125"
	switch {
	case s.isVector():
		n := s.size
		result = fmt.Sprintf("vec%d<f32>((vec%d<i32>(x * 8.0) & vec%d<i32>(1023)) - 512) * 0.125", n, n, n)
	case s.isMatrix():
		var columns []string
		for i := range s.columns {
			columns = append(columns, d.settle(s.column(), expr{text: fmt.Sprintf("x[%d]", i), fixed: fixed{bound: math.Inf(1)}}).text)
		}
		result = fmt.Sprintf("%s(%s)", s.name, strings.Join(columns, ", "))
	}
	return fmt.Sprintf("fn %s(x: %s) -> %s { return %s; }\n", name, s.name, s.name, result)
}

// stored draws an expression for a variable.
func (d *drawer) stored(s *shape) expr { return d.settle(s, d.expr(s, 3)) }

// expr draws an expression of a shape; depth limits its nesting. The simple forms come first,
// because rapid shrinks towards them.
func (d *drawer) expr(s *shape, depth int) expr {
	d.fuel--
	if depth <= 0 || d.fuel < 0 {
		return d.leaf(s)
	}
	switch d.pick(6) {
	case 0:
		return d.leaf(s)
	case 1:
		if e, ok := d.call(s, depth); ok {
			return e
		}
	case 2:
		return d.construct(s, depth)
	}
	if s.scalar == "" {
		return d.construct(s, depth)
	}
	forms := formsOf(s)
	e := forms[d.pick(len(forms))](d, s, depth-1)
	if s.scalar == "f32" && !e.fixed.exact() {
		panic(fmt.Sprintf("%s is not exact: %v", e.text, e.fixed))
	}
	return e
}

// leaf is a literal or a variable.
func (d *drawer) leaf(s *shape) expr {
	if e, ok := d.load(s); ok && d.pick(4) > 0 {
		return e
	}
	if s.isScalar() {
		return d.literal(s)
	}
	if d.pick(4) == 0 && (!s.isVector() || d.has(ZeroVectors)) {
		return expr{text: s.name + "()", constant: true}
	}
	return d.construct(s, 0)
}

// runtime draws an expression whose value no compiler can know. Operations on known numbers may
// overflow, which is a shader error (§ 8.7).
func (d *drawer) runtime(s *shape, depth int) expr {
	if e := d.expr(s, depth); !e.constant {
		return e
	}
	if e, ok := d.load(s); ok && !e.constant {
		return e
	}
	scalar := map[string]string{"i32": "params.i", "u32": "params.u", "f32": "params.f", "bool": "(params.u > 7u)"}[s.scalar]
	if s.isScalar() {
		return expr{text: scalar, fixed: settled}
	}
	return expr{text: fmt.Sprintf("%s(%s)", s.name, scalar), fixed: settled}
}

var signedLiterals = []string{"0i", "1i", "(-1i)", "3i", "7i", "(-12i)", "100i", "2147483647i", "i32(-2147483648)", "0x55i"}

var unsignedLiterals = []string{"0u", "1u", "2u", "5u", "31u", "100u", "0xffu", "0x80000000u", "4294967295u", "0xdeadbeefu"}

func (d *drawer) literal(s *shape) expr {
	switch s.scalar {
	case "bool":
		return expr{text: []string{"false", "true"}[d.pick(2)], constant: true}
	case "i32":
		return expr{text: signedLiterals[d.pick(len(signedLiterals))], constant: true}
	case "u32":
		return expr{text: unsignedLiterals[d.pick(len(unsignedLiterals))], constant: true}
	}
	v := float64(d.between(-64, 64)) / 8
	text := fmt.Sprintf("%vf", v)
	if v < 0 {
		text = "(" + text + ")"
	}
	return expr{text: text, constant: true, fixed: settled}
}

// construct draws a value built from its parts.
func (d *drawer) construct(s *shape, depth int) expr {
	switch {
	case s.isScalar():
		return d.leaf(s)
	case s.isVector():
		return d.constructVector(s, depth)
	case s.isMatrix():
		return d.parts(s, depth, repeat(s.column(), s.columns))
	case s.elem != nil:
		return d.parts(s, depth, repeat(s.elem, s.length))
	}
	var shapes []*shape
	for _, m := range s.members {
		shapes = append(shapes, m.shape)
	}
	return d.parts(s, depth, shapes)
}

func repeat(s *shape, n int) []*shape {
	all := make([]*shape, n)
	for i := range all {
		all[i] = s
	}
	return all
}

// parts draws a value built from parts of those shapes. It settles parts of structures and arrays,
// because they are read one by one later.
func (d *drawer) parts(s *shape, depth int, shapes []*shape) expr {
	e := expr{constant: true}
	var texts []string
	for _, p := range shapes {
		part := d.settle(p, d.expr(p, depth-1))
		texts = append(texts, part.text)
		e.constant = e.constant && part.constant
	}
	e.text, e.fixed = fmt.Sprintf("%s(%s)", s.name, strings.Join(texts, ", ")), settled
	return e
}

func (d *drawer) constructVector(s *shape, depth int) expr {
	c := s.component()
	switch d.pick(3) {
	case 0: // the same value in all components
		return d.parts(s, depth, []*shape{c})
	case 1:
		if s.size > 2 {
			first := 2 + d.pick(s.size-2)
			shapes := append([]*shape{vector(c, first)}, repeat(c, s.size-first)...)
			if d.pick(2) == 1 {
				shapes = append(shapes[1:], shapes[0])
			}
			return d.parts(s, depth, shapes)
		}
	}
	return d.parts(s, depth, repeat(c, s.size))
}

// A form draws an expression of a scalar, vector or matrix; depth limits the nesting of its
// operands.
type form func(d *drawer, s *shape, depth int) expr

func formsOf(s *shape) []form {
	switch {
	case s.isMatrix():
		return matrixForms()
	case s.scalar == "bool":
		return boolForms()
	case s.scalar == "f32":
		return floatForms()
	}
	return integerForms()
}

// index draws an expression below n.
func (d *drawer) index(n int) string {
	switch d.pick(5) {
	case 0, 1:
		return fmt.Sprint(d.pick(n))
	case 2:
		if v, ok := d.counter(n); ok {
			return v
		}
	case 3:
		if n&(n-1) == 0 {
			return fmt.Sprintf("(%s & %d)", d.runtime(signed, 1).text, n-1)
		}
	}
	return fmt.Sprintf("(%s %% %du)", d.runtime(unsigned, 1).text, n)
}

func join(constant bool, format string, operands ...expr) expr {
	texts := make([]any, len(operands))
	e := expr{constant: constant}
	for i, o := range operands {
		texts[i] = o.text
		e.constant = e.constant && o.constant
	}
	e.text = fmt.Sprintf(format, texts...)
	return e
}
