package enginetest

import (
	"fmt"
	"strings"
)

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

// arithmetic marks an operation as arithmetic.
func arithmetic(o operation) operation {
	o.arithmetic = true
	return o
}

func unary(form string, f func(a interval) interval) operation {
	return operation{form: form, operands: 1, of: func(x ...interval) interval { return f(x[0]) }}
}

func binary(form string, f func(a, b interval) interval) operation {
	return operation{form: form, operands: 2, of: func(x ...interval) interval { return f(x[0], x[1]) }}
}

func ternary(form string, f func(a, b, c interval) interval) operation {
	return operation{form: form, operands: 3, of: func(x ...interval) interval { return f(x[0], x[1], x[2]) }}
}

// operations apply to each component. Each has its own parentheses.
var operations = []operation{
	arithmetic(binary("(%s + %s)", plus)), arithmetic(binary("(%s - %s)", minus)), arithmetic(binary("(%s * %s)", times)),
	arithmetic(binary("(%s / %s)", over)), arithmetic(binary("(%s / %s)", over)),
	unary("(abs(%s))", absolute), binary("(min(%s, %s))", smaller), binary("(max(%s, %s))", larger),
	unary("(exp(%s))", exp), unary("(exp2(%s))", exp2), unary("(log(%s))", log), unary("(log2(%s))", log2),
	unary("(sin(%s))", sin), unary("(cos(%s))", cos), unary("(tan(%s))", tan),
	unary("(sqrt(%s))", sqrt), unary("(inverseSqrt(%s))", inverseSqrt), binary("(pow(%s, %s))", pow),
	unary("(asin(%s))", asin), unary("(acos(%s))", acos), unary("(atan(%s))", atan), binary("(atan2(%s, %s))", atan2),
	unary("(sinh(%s))", sinh), unary("(cosh(%s))", cosh), unary("(tanh(%s))", tanh),
	unary("(asinh(%s))", asinh), unary("(acosh(%s))", acosh), unary("(atanh(%s))", atanh),
	arithmetic(unary("(degrees(%s))", degrees)), arithmetic(unary("(radians(%s))", radians)),
	arithmetic(ternary("(fma(%s, %s, %s))", fma)), arithmetic(ternary("(mix(%s, %s, %s))", mix)),
	arithmetic(ternary("(smoothstep(%s, %s, %s))", smoothstep)),
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
	{"(dot(%s, %s))", 2, true, func(x ...[]interval) []interval { return []interval{dot(x[0], x[1])} }},
	{"(length(%s))", 1, true, func(x ...[]interval) []interval { return []interval{length(x[0])} }},
	{"(distance(%s, %s))", 2, true, func(x ...[]interval) []interval { return []interval{length(each(minus, x[0], x[1]))} }},
	{"(normalize(%s))", 1, false, func(x ...[]interval) []interval {
		return each(over, x[0], []interval{length(x[0])})
	}},
	{"(reflect(%s, %s))", 2, false, func(x ...[]interval) []interval {
		twice := times(point(2), dot(x[1], x[0]))
		return each(minus, x[0], each(times, []interval{twice}, x[1]))
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
			all[i] = known(o.of, x...)
		}
		return all
	}}
}

// known returns an operation's interval, or anything if an operand's interval is unknown.
func known(of func(x ...interval) interval, x ...interval) interval {
	for _, i := range x {
		if i.isOpen() {
			return anything
		}
	}
	return of(x...)
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
				if i.isOpen() {
					return repeatInterval(anything, gives)
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
