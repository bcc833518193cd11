package enginetest

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

type interval = numeric.Interval

// A rounding is an expression of operations that round. The shader also writes its operands, from
// which the test computes the values that WGSL allows.
type rounding struct {
	text string
	size int // components of the resulting vector; 1 for a scalar
	of   func(operands []interval) []interval
}

// An operation is an operation that rounds: its form in WGSL, its number of operands, and the
// values that WGSL allows for each component. Arithmetic takes only plain numbers as operands.
// Implementations may reassociate and fuse sums, products and quotients (§ 15.7.5), so the
// specification gives no accuracy for nested ones.
type operation struct {
	form       string
	operands   int
	of         func(x ...interval) interval
	arithmetic bool
}

// called returns the operation that calls a builtin function.
func called(name string, operands int) operation {
	return operation{form: "(" + name + "(" + strings.Repeat(", %s", operands)[2:] + "))", operands: operands, of: numeric.Functions[name]}
}

func binary(form string, f func(a, b interval) interval) operation {
	return operation{form: form, operands: 2, of: func(x ...interval) interval { return f(x[0], x[1]) }}
}

// arithmetic marks an operation as arithmetic.
func arithmetic(o operation) operation {
	o.arithmetic = true
	return o
}

// operations apply to each component. Each has its own parentheses.
var operations = []operation{
	arithmetic(binary("(%s + %s)", numeric.Plus)), arithmetic(binary("(%s - %s)", numeric.Minus)), arithmetic(binary("(%s * %s)", numeric.Times)),
	arithmetic(binary("(%s / %s)", numeric.Over)), arithmetic(binary("(%s / %s)", numeric.Over)),
	{form: "(abs(%s))", operands: 1, of: func(x ...interval) interval { return numeric.Absolute(x[0]) }},
	binary("(min(%s, %s))", numeric.Smaller), binary("(max(%s, %s))", numeric.Larger),
	called("exp", 1), called("exp2", 1), called("log", 1), called("log2", 1),
	called("sin", 1), called("cos", 1), called("tan", 1),
	called("sqrt", 1), called("inverseSqrt", 1), called("pow", 2),
	called("asin", 1), called("acos", 1), called("atan", 1), called("atan2", 2),
	called("sinh", 1), called("cosh", 1), called("tanh", 1),
	called("asinh", 1), called("acosh", 1), called("atanh", 1),
	arithmetic(called("degrees", 1)), arithmetic(called("radians", 1)),
	arithmetic(called("fma", 3)), arithmetic(called("mix", 3)), arithmetic(called("smoothstep", 3)),
}

// A vectorOperation rounds and needs all components of its operands at once. It counts as
// arithmetic.
type vectorOperation struct {
	form     string
	operands int
	scalar   bool // the result is one number
	of       func(x ...[]interval) []interval
}

var vectorOperations = []vectorOperation{
	{"(dot(%s, %s))", 2, true, func(x ...[]interval) []interval { return []interval{numeric.Dot(x[0], x[1])} }},
	{"(length(%s))", 1, true, func(x ...[]interval) []interval { return []interval{numeric.Length(x[0])} }},
	{"(distance(%s, %s))", 2, true, func(x ...[]interval) []interval { return []interval{numeric.Length(each(numeric.Minus, x[0], x[1]))} }},
	{"(normalize(%s))", 1, false, func(x ...[]interval) []interval {
		return each(numeric.Over, x[0], []interval{numeric.Length(x[0])})
	}},
	{"(reflect(%s, %s))", 2, false, func(x ...[]interval) []interval {
		twice := numeric.Times(numeric.Point(2), numeric.Dot(x[1], x[0]))
		return each(numeric.Minus, x[0], each(numeric.Times, []interval{twice}, x[1]))
	}},
}

// each applies a function to each component; a scalar applies to all components.
func each(f func(a, b interval) interval, a, b []interval) []interval {
	all := make([]interval, max(len(a), len(b)))
	for i := range all {
		all[i] = f(a[min(i, len(a)-1)], b[min(i, len(b)-1)])
	}
	return all
}

// deepestRounding limits the nesting of operations that round. The intervals of deeper ones are
// soon too wide to be useful.
const deepestRounding = 2

// roundings draws the results of a row: a line for each operand and one for each result.
func (d *drawer) roundings() {
	d.operands = 0
	for i := range resultWords {
		r := d.rounding(1+d.pick(4), 1+d.pick(deepestRounding))
		component := d.pick(r.size)
		text := r.text
		if r.size > 1 {
			text += "." + "xyzw"[component:component+1]
		}
		d.line("out.rows[row].r[%d] = %s;", i, text)
		d.results = append(d.results, func(operands []interval) interval { return r.of(operands)[component] })
	}
}

func (d *drawer) rounding(size, depth int) rounding {
	if depth == 0 {
		return d.operand(size)
	}
	if d.pick(5) == 0 {
		if size == 1 {
			return d.vectorRounding(2+d.pick(3), true)
		}
		return d.vectorRounding(size, false)
	}
	o := operations[d.pick(len(operations))]
	if o.arithmetic {
		depth = 1
	}
	parts := make([]rounding, o.operands)
	for i := range parts {
		parts[i] = d.rounding(size, d.pick(depth))
	}
	return rounding{text: fill(o.form, parts), size: size, of: func(operands []interval) []interval {
		all := make([]interval, size)
		x := make([]interval, len(parts))
		for i := range all {
			for j, p := range parts {
				x[j] = p.of(operands)[i]
			}
			all[i] = o.of(x...)
		}
		return all
	}}
}

func (d *drawer) vectorRounding(size int, scalar bool) rounding {
	var fitting []vectorOperation
	for _, o := range vectorOperations {
		if o.scalar == scalar {
			fitting = append(fitting, o)
		}
	}
	o := fitting[d.pick(len(fitting))]
	parts := make([]rounding, o.operands)
	for i := range parts {
		parts[i] = d.operand(size)
	}
	gives := size
	if scalar {
		gives = 1
	}
	return rounding{text: fill(o.form, parts), size: gives, of: func(operands []interval) []interval {
		x := make([][]interval, len(parts))
		for j, p := range parts {
			x[j] = p.of(operands)
			for _, i := range x[j] {
				if i.IsOpen() {
					return repeatInterval(numeric.Anything, gives)
				}
			}
		}
		return o.of(x...)
	}}
}

func repeatInterval(x interval, n int) []interval {
	all := make([]interval, n)
	for i := range all {
		all[i] = x
	}
	return all
}

func fill(form string, parts []rounding) string {
	texts := make([]any, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	return fmt.Sprintf(form, texts...)
}

// operand returns an operand that the row already holds, or adds a new one.
func (d *drawer) operand(size int) rounding {
	first := d.operands
	if first+size > operandWords {
		first = d.pick(d.operands - size + 1)
	} else {
		for i := range size {
			d.line("let x%d = %s;", first+i, d.number())
			d.line("out.rows[row].x[%d] = x%d;", first+i, first+i)
		}
		d.operands += size
	}
	names := make([]string, size)
	for i := range names {
		names[i] = fmt.Sprintf("x%d", first+i)
	}
	text := names[0]
	if size > 1 {
		text = fmt.Sprintf("vec%d<f32>(%s)", size, strings.Join(names, ", "))
	}
	return rounding{text: text, size: size, of: func(operands []interval) []interval { return operands[first : first+size] }}
}

// number draws a number that is unknown before the shader runs. It has few bits, in the domain of
// most functions, or all 24 bits between 2^-15 and 2^17.
func (d *drawer) number() string {
	few := d.settle(float, d.runtime(float, 2)).text
	switch d.pick(6) {
	case 0:
		return few
	case 1:
		return fmt.Sprintf("(abs(%s) + 0.125)", few)
	case 2:
		return fmt.Sprintf("(%s * 0.03125)", few) // between -2 and 2
	case 3:
		return fmt.Sprintf("(%s * 0.0078125)", few) // between -0.5 and 0.5
	case 4:
		return fmt.Sprintf("bitcast<f32>((%s & 0x8fffffffu) + 0x38000000u)", d.runtime(unsigned, 2).text)
	default:
		return fmt.Sprintf("bitcast<f32>((%s & 0x01ffffffu) + 0x3e800000u)", d.runtime(unsigned, 2).text) // between 0.25 and 4
	}
}
