package types

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// A fault is why a constant cannot be computed: an error of the shader (§ 8.1.1) or of the pipeline (§ 8.1.2).
type fault struct{ code, message, hint string }

func faultf(code, format string, args ...any) *fault {
	return &fault{code: code, message: fmt.Sprintf(format, args...)}
}

func (f *fault) try(hint string) *fault {
	f.hint = hint
	return f
}

// constFunc computes a builtin from its arguments, which have the types that its overload asks for already.
type constFunc func(args []Value, result Type) (Value, *fault)

// scalarFunc computes one component; s is the scalar type of the result.
type scalarFunc func(args []Value, s *Scalar) (Value, *fault)

// componentWise applies f to the components of vectors and matrices, scalars among the arguments repeated.
func componentWise(f scalarFunc) constFunc {
	return func(args []Value, result Type) (Value, *fault) { return components(f, args, result) }
}

func components(f scalarFunc, args []Value, result Type) (Value, *fault) {
	n := 0
	switch t := result.(type) {
	case *Scalar:
		return f(args, t)
	case *Vector:
		n = t.Size
	case *Matrix:
		n = t.Columns
	}
	parts, row := make([]Value, n), make([]Value, len(args))
	for i := range n {
		for j, arg := range args {
			row[j] = arg
			if arg.Len() > 0 {
				row[j] = arg.At(i)
			}
		}
		part, bad := components(f, row, partType(result))
		if bad != nil {
			return Value{}, bad
		}
		parts[i] = part
	}
	return CompositeValue(result, parts), nil
}

// partType is the type of a vector's components, a matrix' columns or an array's elements.
func partType(t Type) Type {
	switch t := t.(type) {
	case *Vector:
		return t.Elem
	case *Matrix:
		return t.Column()
	case *Array:
		return t.Elem
	}
	return nil
}

// makeInt is n wrapped to a concrete type (§ 6.2.3).
func makeInt(n int64, s *Scalar) Value {
	switch s {
	case I32:
		n = int64(int32(n))
	case U32:
		n = int64(uint32(n))
	}
	return IntValue(s, n)
}

// makeFloat rounds f to the type; infinity and NaN are faults (§ 15.7.5). The operation and its operands are what the
// message says.
func makeFloat(f float64, s *Scalar, operation string, operands []Value) (Value, *fault) {
	f = round(f, s)
	switch {
	case math.IsNaN(f):
		return Value{}, faultf("const-nan", "%s is not a number.", describe(operation, operands))
	case math.IsInf(f, 0):
		return Value{}, faultf("const-overflow", "%s is too large for %s.", describe(operation, operands), article(s))
	}
	return FloatValue(s, f), nil
}

// describe writes an operation on its operands: 1 + 2, sqrt(3.0).
func describe(operation string, operands []Value) string {
	texts := make([]string, len(operands))
	for i, v := range operands {
		texts[i] = v.String()
	}
	if len(texts) == 2 && len(operation) == 1 {
		return texts[0] + " " + operation + " " + texts[1]
	}
	return operation + "(" + strings.Join(texts, ", ") + ")"
}

func article(s *Scalar) string {
	switch s {
	case U32:
		return "a u32"
	}
	return "an " + s.String()
}

// number is the scalar as a float64, whatever its kind.
func (v Value) number() float64 {
	if s, ok := v.Type.(*Scalar); ok && s.Float() {
		return v.Float()
	}
	return float64(v.Int())
}

// convert is what automatic conversion makes of a value (§ 6.1.2); to must be feasible.
func convert(v Value, to Type) (Value, *fault) {
	if v.Type == to || v.Type == nil {
		return v, nil
	}
	switch t := to.(type) {
	case *Scalar:
		return materialise(v, t)
	case *Vector, *Matrix, *Array, *Struct:
		if v.list == nil {
			return ZeroValue(to), nil
		}
		parts := make([]Value, len(v.list))
		for i, part := range v.list {
			inner := partType(t)
			if s, ok := t.(*Struct); ok {
				inner = s.Members[i].Type
			}
			converted, bad := convert(part, inner)
			if bad != nil {
				return Value{}, bad
			}
			parts[i] = converted
		}
		return CompositeValue(to, parts), nil
	}
	return v, nil
}

// materialise converts an abstract number.
func materialise(v Value, to *Scalar) (Value, *fault) {
	from, ok := v.Type.(*Scalar)
	if !ok || from == to {
		return v, nil
	}
	if to.Float() {
		return toFloat(v.number(), to)
	}
	n := v.Int()
	if to == I32 && n != int64(int32(n)) || to == U32 && n != int64(uint32(n)) {
		bad := faultf("const-range", "%d does not fit %s, which holds %s.", n, article(to), rangeOf(to))
		if n < 0 {
			return Value{}, bad.try("Use an i32 for numbers below 0.")
		}
		return Value{}, bad
	}
	return IntValue(to, n), nil
}

// toFloat rounds a number to a float type; one outside its finite range is a fault (§ 15.7.6).
func toFloat(f float64, to *Scalar) (Value, *fault) {
	most := math.MaxFloat64
	switch to {
	case F32:
		most = maxF32
	case F16:
		most = maxF16
	}
	if math.Abs(f) > most {
		bad := faultf("const-range", "%v does not fit %s.", f, article(to))
		switch {
		case to == F16:
			bad.hint = "The largest f16 is 65504, the lowest -65504."
		case to == F32:
			bad.hint = "The largest f32 is 3.4028234e38, the lowest -3.4028234e38."
		}
		return Value{}, bad
	}
	return FloatValue(to, round(f, to)), nil
}

func rangeOf(s *Scalar) string {
	if s == U32 {
		return "0 to 4294967295"
	}
	return "-2147483648 to 2147483647"
}

// Operators (§ 8.6 to § 8.9).

func (op *arithmetic) scalar(args []Value, s *Scalar) (Value, *fault) {
	x, y := args[0], args[1]
	switch {
	case s.Float():
		return makeFloat(op.float(x.Float(), y.Float()), s, op.sign, args)
	case s == AbstractInt:
		n, ok := op.abstract(x.Int(), y.Int())
		if !ok {
			return Value{}, faultf("const-overflow", "%s %s %s is too large for a 64-bit integer.", x, op.sign, y)
		}
		return IntValue(s, n), nil
	}
	n, _ := op.abstract(x.Int(), y.Int())
	return makeInt(n, s), nil
}

// arithmetic is one of + - *. abstract also tells whether the result fits 64 bits; if not, it has the low ones.
type arithmetic struct {
	sign     string
	float    func(x, y float64) float64
	abstract func(x, y int64) (int64, bool)
}

var (
	addition       = &arithmetic{"+", func(x, y float64) float64 { return x + y }, addInt}
	subtraction    = &arithmetic{"-", func(x, y float64) float64 { return x - y }, subInt}
	multiplication = &arithmetic{"*", func(x, y float64) float64 { return x * y }, mulInt}
)

func addInt(x, y int64) (int64, bool) {
	n := x + y
	return n, (n > x) == (y > 0)
}

func subInt(x, y int64) (int64, bool) {
	n := x - y
	return n, (n < x) == (y > 0)
}

func mulInt(x, y int64) (int64, bool) {
	n := x * y
	if x == 0 {
		return 0, true
	}
	return n, n/x == y && (x != -1 || y != math.MinInt64)
}

func divide(args []Value, s *Scalar) (Value, *fault) {
	x, y := args[0], args[1]
	if s.Float() {
		if y.Float() == 0 {
			return Value{}, faultf("const-division-by-zero", "%s / %s divides by zero.", x, y)
		}
		return makeFloat(x.Float()/y.Float(), s, "/", args)
	}
	if bad := quotientFault(x, y, "/", s); bad != nil {
		return Value{}, bad
	}
	return IntValue(s, x.Int()/y.Int()), nil
}

func remainder(args []Value, s *Scalar) (Value, *fault) {
	x, y := args[0], args[1]
	if s.Float() {
		if y.Float() == 0 {
			return Value{}, faultf("const-division-by-zero", "%s %% %s divides by zero.", x, y)
		}
		return makeFloat(math.Mod(x.Float(), y.Float()), s, "%", args)
	}
	if bad := quotientFault(x, y, "%", s); bad != nil {
		return Value{}, bad
	}
	return IntValue(s, x.Int()%y.Int()), nil
}

func quotientFault(x, y Value, sign string, s *Scalar) *fault {
	if y.Int() == 0 {
		return faultf("const-division-by-zero", "%s %s %s divides by zero.", x, sign, y)
	}
	lowest := int64(math.MinInt64)
	if s == I32 {
		lowest = math.MinInt32
	}
	if s != U32 && y.Int() == -1 && x.Int() == lowest {
		return faultf("const-overflow", "%s %s %s is too large for %s.", x, sign, y, article(s))
	}
	return nil
}

func shiftLeft(args []Value, s *Scalar) (Value, *fault) {
	x, by := args[0].Int(), uint64(args[1].Int())
	if bad := shiftFault(by, s); bad != nil {
		return Value{}, bad
	}
	var lost bool
	switch s {
	case U32:
		lost = uint32(x)<<by>>by != uint32(x)
	case I32:
		lost = int32(x)<<by>>by != int32(x)
	default:
		lost = by >= 64 && x != 0 || by < 64 && x<<by>>by != x
	}
	if lost {
		return Value{}, faultf("const-overflow", "%s << %d pushes bits out of %s.", args[0], by, article(s))
	}
	return makeInt(x<<by, s), nil
}

func shiftRight(args []Value, s *Scalar) (Value, *fault) {
	x, by := args[0].Int(), uint64(args[1].Int())
	if bad := shiftFault(by, s); bad != nil {
		return Value{}, bad
	}
	return makeInt(x>>by, s), nil
}

func shiftFault(by uint64, s *Scalar) *fault {
	if s != AbstractInt && by >= 32 {
		return faultf("shift-range", "Shifting %s by %d moves all of its 32 bits out.", article(s), by).
			try("Shift by 0 to 31.")
	}
	return nil
}

// bitwise is & | ^ on integers and truth values: both are small enough to work on as they are.
func bitwise(f func(x, y int64) int64) constFunc {
	return componentWise(func(args []Value, s *Scalar) (Value, *fault) {
		return makeInt(f(args[0].Int(), args[1].Int()), s), nil
	})
}

// comparison: f gets -1, 0 or 1 for less, equal, greater.
func comparison(f func(order int) bool) constFunc {
	return componentWise(func(args []Value, _ *Scalar) (Value, *fault) {
		return BoolValue(f(order(args[0], args[1]))), nil
	})
}

func order(x, y Value) int {
	if s, ok := x.Type.(*Scalar); ok && s.Float() {
		switch {
		case x.Float() < y.Float():
			return -1
		case x.Float() > y.Float():
			return 1
		}
		return 0
	}
	switch {
	case x.Int() < y.Int():
		return -1
	case x.Int() > y.Int():
		return 1
	}
	return 0
}

func negate(args []Value, s *Scalar) (Value, *fault) {
	if s.Float() {
		return FloatValue(s, -args[0].Float()), nil
	}
	return makeInt(-args[0].Int(), s), nil
}

func complement(args []Value, s *Scalar) (Value, *fault) { return makeInt(^args[0].Int(), s), nil }

func not(args []Value, _ *Scalar) (Value, *fault) { return BoolValue(!args[0].Bool()), nil }

// multiply is * in all its meanings: linear algebra where a matrix meets a matrix or a vector.
func multiply(args []Value, result Type) (Value, *fault) {
	x, y := args[0], args[1]
	mx, left := x.Type.(*Matrix)
	my, right := y.Type.(*Matrix)
	_, vx := x.Type.(*Vector)
	_, vy := y.Type.(*Vector)
	switch {
	case left && vy:
		return matrixVector(mx, x, y, result)
	case right && vx:
		parts := make([]Value, my.Columns)
		for c := range parts {
			product, bad := dotProduct(x, y.At(c), my.Elem)
			if bad != nil {
				return Value{}, bad
			}
			parts[c] = product
		}
		return CompositeValue(result, parts), nil
	case left && right:
		columns := make([]Value, my.Columns)
		for c := range columns {
			column, bad := matrixVector(mx, x, y.At(c), VectorOf(mx.Rows, mx.Elem))
			if bad != nil {
				return Value{}, bad
			}
			columns[c] = column
		}
		return CompositeValue(result, columns), nil
	}
	return components(multiplication.scalar, args, result)
}

func matrixVector(m *Matrix, x, v Value, result Type) (Value, *fault) {
	parts := make([]Value, m.Rows)
	for r := range parts {
		product, bad := dotProduct(rowOf(m, x, r), v, m.Elem)
		if bad != nil {
			return Value{}, bad
		}
		parts[r] = product
	}
	return CompositeValue(result, parts), nil
}

func rowOf(m *Matrix, x Value, r int) Value {
	row := make([]Value, m.Columns)
	for c := range row {
		row[c] = x.At(c).At(r)
	}
	return CompositeValue(VectorOf(m.Columns, m.Elem), row)
}

// dotProduct adds up the products of the components, each step rounded and checked.
func dotProduct(x, y Value, s *Scalar) (Value, *fault) {
	sum := ZeroValue(s)
	for i := range x.Len() {
		product, bad := multiplication.scalar([]Value{x.At(i), y.At(i)}, s)
		if bad != nil {
			return Value{}, bad
		}
		if i == 0 {
			sum = product
			continue
		}
		if sum, bad = addition.scalar([]Value{sum, product}, s); bad != nil {
			return Value{}, bad
		}
	}
	return sum, nil
}

// Value constructors (§ 17.1).

// convertScalar is T(e): it converts any scalar to any concrete one (§ 17.1.2).
func convertScalar(args []Value, to *Scalar) (Value, *fault) {
	v := args[0]
	from := v.Type.(*Scalar)
	switch {
	case from == to:
		return v, nil
	case to == Bool:
		return BoolValue(v.number() != 0), nil
	case from.Abstract() && from.Integer() && to.Integer() || to.Abstract():
		return materialise(v, to)
	case to.Float():
		return toFloat(v.number(), to)
	case from.Float():
		return IntValue(to, truncated(v.Float(), to, from)), nil
	}
	return makeInt(v.Int(), to), nil
}

// truncated clamps to what both types can represent and cuts towards zero (§ 15.7.6).
func truncated(f float64, to, from *Scalar) int64 {
	low, high := float64(math.MinInt32), float64(math.MaxInt32)
	if to == U32 {
		low, high = 0, math.MaxUint32
	}
	if from == F32 { // the largest f32 that fits
		high = math.Floor(high/256) * 256
		if to == I32 {
			high = 2147483520
		}
	}
	return int64(math.Trunc(min(max(f, low), high)))
}

// constructVector makes a vector of scalars and smaller vectors, of one repeated scalar, or converts one.
func constructVector(args []Value, result Type) (Value, *fault) {
	t := result.(*Vector)
	parts := make([]Value, 0, t.Size)
	for _, arg := range args {
		for i := range max(arg.Len(), 1) {
			part := arg
			if arg.Len() > 0 {
				part = arg.At(i)
			}
			converted, bad := convertScalar([]Value{part}, t.Elem)
			if bad != nil {
				return Value{}, bad
			}
			parts = append(parts, converted)
		}
	}
	if len(parts) == 0 {
		return ZeroValue(result), nil
	}
	for len(parts) < t.Size {
		parts = append(parts, parts[0])
	}
	return CompositeValue(result, parts), nil
}

// constructMatrix makes a matrix of its columns, of its numbers, or converts one.
func constructMatrix(args []Value, result Type) (Value, *fault) {
	t := result.(*Matrix)
	columns := make([]Value, t.Columns)
	for c := range columns {
		var parts []Value
		switch {
		case len(args) == 1:
			parts = []Value{args[0].At(c)}
		case len(args) == t.Columns:
			parts = []Value{args[c]}
		default:
			parts = args[c*t.Rows : (c+1)*t.Rows]
		}
		column, bad := constructVector(parts, t.Column())
		if bad != nil {
			return Value{}, bad
		}
		columns[c] = column
	}
	return CompositeValue(result, columns), nil
}

// Builtin functions (§ 17.2 to § 17.10).

// float1 is a function of one float; its domain's faults are NaN or infinity of f.
func float1(name string, f func(float64) float64) constFunc {
	return componentWise(func(args []Value, s *Scalar) (Value, *fault) {
		x := args[0].Float()
		if y := f(x); !math.IsNaN(y) {
			return makeFloat(y, s, name, args)
		}
		return Value{}, faultf("const-domain", "%s(%s) is not defined.", name, args[0])
	})
}

// int1 is a function of the 32 bits of an i32 or u32.
func int1(f func(uint32) uint32) constFunc {
	return componentWise(func(args []Value, s *Scalar) (Value, *fault) {
		return makeInt(int64(f(uint32(args[0].Int()))), s), nil
	})
}

func minimum(args []Value, _ *Scalar) (Value, *fault) {
	if order(args[1], args[0]) < 0 {
		return args[1], nil
	}
	return args[0], nil
}

func maximum(args []Value, _ *Scalar) (Value, *fault) {
	if order(args[0], args[1]) < 0 {
		return args[1], nil
	}
	return args[0], nil
}

func clamp(args []Value, s *Scalar) (Value, *fault) {
	if order(args[1], args[2]) > 0 {
		return Value{}, faultf("const-domain", "clamp needs low ≤ high, and %s is larger than %s.", args[1], args[2])
	}
	low, _ := maximum(args[:2], s)
	return minimum([]Value{low, args[2]}, s)
}

func absolute(args []Value, s *Scalar) (Value, *fault) {
	if s.Float() {
		return FloatValue(s, math.Abs(args[0].Float())), nil
	}
	if n := args[0].Int(); n < 0 {
		return makeInt(-n, s), nil
	}
	return args[0], nil
}

func signOf(args []Value, s *Scalar) (Value, *fault) {
	sign := int64(order(args[0], ZeroValue(s)))
	if s.Float() {
		return FloatValue(s, float64(sign)), nil
	}
	return IntValue(s, sign), nil
}

func selectValue(args []Value, result Type) (Value, *fault) {
	if _, vector := args[2].Type.(*Vector); !vector {
		if args[2].Bool() {
			return args[1], nil
		}
		return args[0], nil
	}
	return components(func(args []Value, _ *Scalar) (Value, *fault) {
		if args[2].Bool() {
			return args[1], nil
		}
		return args[0], nil
	}, args, result)
}

func allTrue(args []Value, _ Type) (Value, *fault) {
	for i := range args[0].Len() {
		if !args[0].At(i).Bool() {
			return BoolValue(false), nil
		}
	}
	return BoolValue(args[0].Len() > 0 || args[0].Bool()), nil
}

func anyTrue(args []Value, _ Type) (Value, *fault) {
	for i := range args[0].Len() {
		if args[0].At(i).Bool() {
			return BoolValue(true), nil
		}
	}
	return BoolValue(args[0].Len() == 0 && args[0].Bool()), nil
}

func dot(args []Value, result Type) (Value, *fault) {
	return dotProduct(args[0], args[1], result.(*Scalar))
}

func length(args []Value, result Type) (Value, *fault) {
	s := result.(*Scalar)
	v := args[0]
	if v.Len() == 0 {
		return FloatValue(s, math.Abs(v.Float())), nil
	}
	squares, bad := dotProduct(v, v, s)
	if bad != nil {
		return Value{}, bad
	}
	return makeFloat(math.Sqrt(squares.Float()), s, "length", args)
}

func distance(args []Value, result Type) (Value, *fault) {
	difference, bad := components(subtraction.scalar, args, args[0].Type)
	if bad != nil {
		return Value{}, bad
	}
	return length([]Value{difference}, result)
}

func normalize(args []Value, result Type) (Value, *fault) {
	size, bad := length(args, ElemOf(result))
	if bad != nil {
		return Value{}, bad
	}
	if size.Float() == 0 {
		return Value{}, faultf("const-domain", "normalize needs a vector with a length, and %s has none.", args[0])
	}
	return components(divide, []Value{args[0], size}, result)
}

func cross(args []Value, result Type) (Value, *fault) {
	s := ElemOf(result)
	x, y := args[0], args[1]
	parts := make([]Value, 3)
	for i := range parts {
		j, k := (i+1)%3, (i+2)%3
		part, bad := difference2(x.At(j), y.At(k), x.At(k), y.At(j), s)
		if bad != nil {
			return Value{}, bad
		}
		parts[i] = part
	}
	return CompositeValue(result, parts), nil
}

// difference2 is a·b - c·d, each step rounded and checked.
func difference2(a, b, c, d Value, s *Scalar) (Value, *fault) {
	left, bad := multiplication.scalar([]Value{a, b}, s)
	if bad != nil {
		return Value{}, bad
	}
	right, bad := multiplication.scalar([]Value{c, d}, s)
	if bad != nil {
		return Value{}, bad
	}
	return subtraction.scalar([]Value{left, right}, s)
}

func determinant(args []Value, result Type) (Value, *fault) {
	m := args[0].Type.(*Matrix)
	rows := make([]int, m.Rows)
	for i := range rows {
		rows[i] = i
	}
	return minor(args[0], m.Elem, 0, rows)
}

// minor is the determinant of the columns from column on and the given rows, by Laplace expansion.
func minor(m Value, s *Scalar, column int, rows []int) (Value, *fault) {
	if len(rows) == 1 {
		return m.At(column).At(rows[0]), nil
	}
	sum := ZeroValue(s)
	for i, row := range rows {
		rest := append(append([]int{}, rows[:i]...), rows[i+1:]...)
		sub, bad := minor(m, s, column+1, rest)
		if bad != nil {
			return Value{}, bad
		}
		product, bad := multiplication.scalar([]Value{m.At(column).At(row), sub}, s)
		if bad != nil {
			return Value{}, bad
		}
		step := addition
		if i%2 == 1 {
			step = subtraction
		}
		if sum, bad = step.scalar([]Value{sum, product}, s); bad != nil {
			return Value{}, bad
		}
	}
	return sum, nil
}

func transpose(args []Value, result Type) (Value, *fault) {
	t, m := result.(*Matrix), args[0].Type.(*Matrix)
	columns := make([]Value, t.Columns)
	for c := range columns {
		columns[c] = rowOf(m, args[0], c)
	}
	return CompositeValue(result, columns), nil
}

func faceForward(args []Value, result Type) (Value, *fault) {
	along, bad := dotProduct(args[1], args[2], ElemOf(result))
	if bad != nil {
		return Value{}, bad
	}
	if along.Float() < 0 {
		return args[0], nil
	}
	return components(negate, args[:1], result)
}

// reflect is e1 - 2·dot(e2, e1)·e2 (§ 17.5.50).
func reflect(args []Value, result Type) (Value, *fault) {
	s := ElemOf(result)
	along, bad := dotProduct(args[1], args[0], s)
	if bad != nil {
		return Value{}, bad
	}
	twice, bad := multiplication.scalar([]Value{FloatValue(s, 2), along}, s)
	if bad != nil {
		return Value{}, bad
	}
	scaled, bad := components(multiplication.scalar, []Value{twice, args[1]}, result)
	if bad != nil {
		return Value{}, bad
	}
	return components(subtraction.scalar, []Value{args[0], scaled}, result)
}

// refract follows the formula of § 17.5.51.
func refract(args []Value, result Type) (Value, *fault) {
	s := ElemOf(result)
	along, bad := dotProduct(args[1], args[0], s)
	if bad != nil {
		return Value{}, bad
	}
	eta, d := args[2].Float(), along.Float()
	for _, step := range []float64{d * d, eta * eta, eta * eta * (1 - d*d)} {
		if _, bad := makeFloat(step, s, "refract", args); bad != nil {
			return Value{}, bad
		}
	}
	k := 1 - eta*eta*(1-d*d)
	if k < 0 {
		return ZeroValue(result), nil
	}
	scale, bad := makeFloat(eta*d+math.Sqrt(k), s, "refract", args)
	if bad != nil {
		return Value{}, bad
	}
	return components(func(args []Value, s *Scalar) (Value, *fault) {
		return makeFloat(args[1].Float()*args[0].Float()-args[2].Float()*args[3].Float(), s, "refract", args)
	}, []Value{args[0], args[2], scale, args[1]}, result)
}

func power(args []Value, s *Scalar) (Value, *fault) {
	x, y := args[0].Float(), args[1].Float()
	if x < 0 || x == 0 && y <= 0 {
		return Value{}, faultf("const-domain", "pow(%s, %s) is not defined: the base must be above 0.", args[0], args[1]).
			try("For a whole exponent multiply: x * x.")
	}
	return makeFloat(math.Pow(x, y), s, "pow", args)
}

func arcTangent2(args []Value, s *Scalar) (Value, *fault) {
	y, x := args[0].Float(), args[1].Float()
	if y == 0 && x == 0 {
		return Value{}, faultf("const-domain", "atan2(0, 0) is not defined.")
	}
	return makeFloat(math.Atan2(y, x), s, "atan2", args)
}

func fusedMultiplyAdd(args []Value, s *Scalar) (Value, *fault) {
	return makeFloat(math.FMA(args[0].Float(), args[1].Float(), args[2].Float()), s, "fma", args)
}

// mix is e1·(1-e3) + e2·e3, each step rounded and checked (§ 17.5.42).
func mix(args []Value, s *Scalar) (Value, *fault) {
	rest, bad := subtraction.scalar([]Value{FloatValue(s, 1), args[2]}, s)
	if bad != nil {
		return Value{}, bad
	}
	left, bad := multiplication.scalar([]Value{args[0], rest}, s)
	if bad != nil {
		return Value{}, bad
	}
	right, bad := multiplication.scalar([]Value{args[1], args[2]}, s)
	if bad != nil {
		return Value{}, bad
	}
	return addition.scalar([]Value{left, right}, s)
}

// smoothStep follows § 17.5.58, each step rounded and checked.
func smoothStep(args []Value, s *Scalar) (Value, *fault) {
	low, high, x := args[0], args[1], args[2]
	if low.Float() == high.Float() {
		return Value{}, faultf("const-domain", "smoothstep needs two different edges, and both are %s.", low)
	}
	above, bad := subtraction.scalar([]Value{x, low}, s)
	if bad != nil {
		return Value{}, bad
	}
	width, bad := subtraction.scalar([]Value{high, low}, s)
	if bad != nil {
		return Value{}, bad
	}
	ratio, bad := divide([]Value{above, width}, s)
	if bad != nil {
		return Value{}, bad
	}
	t := min(max(ratio.Float(), 0), 1)
	return makeFloat(t*t*(3-2*t), s, "smoothstep", args)
}

func stepAt(args []Value, s *Scalar) (Value, *fault) {
	if args[0].Float() <= args[1].Float() {
		return FloatValue(s, 1), nil
	}
	return FloatValue(s, 0), nil
}

func saturate(args []Value, s *Scalar) (Value, *fault) {
	return FloatValue(s, min(max(args[0].Float(), 0), 1)), nil
}

func quantize(args []Value, s *Scalar) (Value, *fault) {
	f := args[0].Float()
	if math.Abs(f) > maxF16 {
		return Value{}, faultf("const-range", "%s does not fit an f16, whose largest number is 65504.", args[0])
	}
	return FloatValue(s, RoundF16(f)), nil
}

// bias of the exponent of a float type (§ 15.7.1).
func bias(s *Scalar) int64 {
	switch s {
	case F16:
		return 15
	case F32:
		return 127
	}
	return 1023
}

func loadExponent(args []Value, s *Scalar) (Value, *fault) {
	if bad := exponentFault(args[1], s); bad != nil {
		return Value{}, bad
	}
	exponent := max(args[1].Int(), -5000)
	return makeFloat(math.Ldexp(args[0].Float(), int(exponent)), s, "ldexp", args)
}

func exponentFault(exponent Value, s *Scalar) *fault {
	if exponent.Int() > bias(s)+1 {
		return faultf("const-range", "The exponent %s is too large: for %s it is at most %d.", exponent, article(s), bias(s)+1)
	}
	return nil
}

func frexp(args []Value, result Type) (Value, *fault) {
	return splitFloat(args[0], result.(*Struct), func(f float64) (float64, float64) {
		fraction, exponent := math.Frexp(f)
		return fraction, float64(exponent)
	})
}

func modf(args []Value, result Type) (Value, *fault) {
	return splitFloat(args[0], result.(*Struct), func(f float64) (float64, float64) {
		whole := math.Trunc(f)
		return f - whole, whole
	})
}

// splitFloat makes a structure of two members, both computed from each component.
func splitFloat(v Value, result *Struct, f func(float64) (float64, float64)) (Value, *fault) {
	members := make([]Value, 2)
	for i := range members {
		member, bad := components(func(args []Value, s *Scalar) (Value, *fault) {
			first, second := f(args[0].Float())
			part := [2]float64{first, second}[i]
			if s.Integer() {
				return IntValue(s, int64(part)), nil
			}
			return makeFloat(part, s, "the fraction of ", args)
		}, []Value{v}, result.Members[i].Type)
		if bad != nil {
			return Value{}, bad
		}
		members[i] = member
	}
	return CompositeValue(result, members), nil
}

func firstLeadingBit(args []Value, s *Scalar) (Value, *fault) {
	n := uint32(args[0].Int())
	if s == I32 && int32(n) < 0 {
		n = ^n
	}
	return makeInt(int64(bits.Len32(n))-1, s), nil
}

func firstTrailingBit(args []Value, s *Scalar) (Value, *fault) {
	n := uint32(args[0].Int())
	if n == 0 {
		return makeInt(-1, s), nil
	}
	return IntValue(s, int64(bits.TrailingZeros32(n))), nil
}

func extractBits(args []Value, s *Scalar) (Value, *fault) {
	if bad := bitRangeFault(args[1], args[2]); bad != nil {
		return Value{}, bad
	}
	offset, count := args[1].Int(), args[2].Int()
	if count == 0 {
		return ZeroValue(s), nil
	}
	n := uint32(args[0].Int()) << (32 - count - offset)
	if s == I32 {
		return makeInt(int64(int32(n)>>(32-count)), s), nil
	}
	return makeInt(int64(n>>(32-count)), s), nil
}

func insertBits(args []Value, s *Scalar) (Value, *fault) {
	if bad := bitRangeFault(args[2], args[3]); bad != nil {
		return Value{}, bad
	}
	offset, count := args[2].Int(), args[3].Int()
	mask := int64(1)<<(offset+count) - int64(1)<<offset
	return makeInt(args[0].Int()&^mask|args[1].Int()<<offset&mask, s), nil
}

func bitRangeFault(offset, count Value) *fault {
	if offset.Int()+count.Int() > 32 {
		return faultf("const-range", "%d bits from bit %d on are more than the 32 there are.", count.Int(), offset.Int())
	}
	return nil
}

// bitcast reads the bits of a value as another type (§ 17.2.1).
func bitcast(args []Value, result Type) (Value, *fault) {
	v := args[0]
	if ElemOf(v.Type) == AbstractInt {
		return convert(v, result)
	}
	if ElemOf(v.Type) == ElemOf(result) {
		return v, nil
	}
	return fromWords(toWords(v), result)
}

// toWords is a numeric value as 32-bit words, two f16 to one, the first in the low half (§ 14.4.4).
func toWords(v Value) []uint32 {
	if v.Len() == 0 {
		return []uint32{v.Bits()}
	}
	words := make([]uint32, 0, 4)
	for i := range v.Len() {
		part := v.At(i).Bits()
		if ElemOf(v.Type) == F16 && i%2 == 1 {
			words[i/2] |= part << 16
			continue
		}
		words = append(words, part)
	}
	return words
}

func fromWords(words []uint32, result Type) (Value, *fault) {
	v, vector := result.(*Vector)
	if !vector {
		return scalarFromBits(words[0], result.(*Scalar))
	}
	parts := make([]Value, v.Size)
	for i := range parts {
		bits := words[0]
		if v.Elem == F16 {
			bits = words[i/2] >> (16 * (i % 2)) & 0xffff
		} else {
			bits = words[i]
		}
		part, bad := scalarFromBits(bits, v.Elem)
		if bad != nil {
			return Value{}, bad
		}
		parts[i] = part
	}
	return CompositeValue(result, parts), nil
}

func scalarFromBits(bits uint32, s *Scalar) (Value, *fault) {
	f := float64(math.Float32frombits(bits))
	if s == F16 {
		f = F16FromBits(uint16(bits))
	}
	if !s.Float() {
		return makeInt(int64(bits), s), nil
	}
	return makeFloat(f, s, "bitcast", []Value{IntValue(U32, int64(bits))})
}

// Packing (§ 17.9, § 17.10).

// pack puts the numbers that part makes of the components side by side, the first lowest.
func pack(width int, part func(v Value) (uint32, *fault)) constFunc {
	return func(args []Value, _ Type) (Value, *fault) {
		var word uint32
		for i := range args[0].Len() {
			bits, bad := part(args[0].At(i))
			if bad != nil {
				return Value{}, bad
			}
			word |= bits & (1<<width - 1) << (i * width)
		}
		return IntValue(U32, int64(word)), nil
	}
}

func packNorm(width int, lowest float64) constFunc {
	most := float64(int64(1)<<width - 1)
	if lowest < 0 {
		most = float64(int64(1)<<(width-1) - 1)
	}
	return pack(width, func(v Value) (uint32, *fault) {
		return uint32(int32(math.Floor(0.5 + most*min(1, max(lowest, v.Float()))))), nil
	})
}

func packFloat(v Value) (uint32, *fault) {
	if math.Abs(v.Float()) > maxF16 {
		return 0, faultf("const-range", "%s does not fit an f16, whose largest number is 65504.", v)
	}
	return uint32(F16Bits(v.Float())), nil
}

func packClamped(low, high int64) constFunc {
	return pack(8, func(v Value) (uint32, *fault) { return uint32(min(max(v.Int(), low), high)), nil })
}

// unpack cuts a word into parts of the width; signed extends the sign.
func unpack(width int, signed bool, part func(n int32, s *Scalar) (Value, *fault)) constFunc {
	return func(args []Value, result Type) (Value, *fault) {
		word := uint32(args[0].Int())
		v := result.(*Vector)
		parts := make([]Value, v.Size)
		for i := range parts {
			n := int32(word >> (i * width) & (1<<width - 1))
			if signed {
				n = n << (32 - width) >> (32 - width)
			}
			value, bad := part(n, v.Elem)
			if bad != nil {
				return Value{}, bad
			}
			parts[i] = value
		}
		return CompositeValue(result, parts), nil
	}
}

func unpackNorm(most float64) func(int32, *Scalar) (Value, *fault) {
	return func(n int32, s *Scalar) (Value, *fault) {
		return FloatValue(s, round(max(float64(n)/most, -1), s)), nil
	}
}

func unpackFloat(n int32, s *Scalar) (Value, *fault) {
	return makeFloat(F16FromBits(uint16(n)), s, "unpack2x16float", []Value{IntValue(U32, int64(n))})
}

func unpackInt(n int32, s *Scalar) (Value, *fault) { return makeInt(int64(n), s), nil }

// dotPacked multiplies four bytes with four others.
func dotPacked(signed bool) constFunc {
	return func(args []Value, result Type) (Value, *fault) {
		var sum int64
		for shift := 0; shift < 32; shift += 8 {
			x, y := byte(args[0].Int()>>shift), byte(args[1].Int()>>shift)
			if signed {
				sum += int64(int8(x)) * int64(int8(y))
			} else {
				sum += int64(x) * int64(y)
			}
		}
		return makeInt(sum, result.(*Scalar)), nil
	}
}

// constFuncs computes everything that builtins.txt marks const.
var constFuncs = map[BuiltinKind]map[string]constFunc{
	PrefixBuiltin: {
		"-": componentWise(negate), "~": componentWise(complement), "!": componentWise(not),
	},
	OperatorBuiltin: {
		"+": componentWise(addition.scalar), "-": componentWise(subtraction.scalar), "*": multiply,
		"/": componentWise(divide), "%": componentWise(remainder),
		"&":  bitwise(func(x, y int64) int64 { return x & y }),
		"|":  bitwise(func(x, y int64) int64 { return x | y }),
		"^":  bitwise(func(x, y int64) int64 { return x ^ y }),
		"&&": bitwise(func(x, y int64) int64 { return x & y }),
		"||": bitwise(func(x, y int64) int64 { return x | y }),
		"<<": componentWise(shiftLeft), ">>": componentWise(shiftRight),
		"==": comparison(func(order int) bool { return order == 0 }),
		"!=": comparison(func(order int) bool { return order != 0 }),
		"<":  comparison(func(order int) bool { return order < 0 }),
		"<=": comparison(func(order int) bool { return order <= 0 }),
		">":  comparison(func(order int) bool { return order > 0 }),
		">=": comparison(func(order int) bool { return order >= 0 }),
	},
	ConstructorBuiltin: {
		"bool": componentWise(convertScalar), "i32": componentWise(convertScalar), "u32": componentWise(convertScalar),
		"f32": componentWise(convertScalar), "f16": componentWise(convertScalar),
		"vec2": constructVector, "vec3": constructVector, "vec4": constructVector,
		"mat2x2": constructMatrix, "mat2x3": constructMatrix, "mat2x4": constructMatrix,
		"mat3x2": constructMatrix, "mat3x3": constructMatrix, "mat3x4": constructMatrix,
		"mat4x2": constructMatrix, "mat4x3": constructMatrix, "mat4x4": constructMatrix,
	},
	FunctionBuiltin: {
		"bitcast": bitcast, "all": allTrue, "any": anyTrue, "select": selectValue,
		"abs": componentWise(absolute), "acos": float1("acos", math.Acos), "acosh": float1("acosh", math.Acosh),
		"asin": float1("asin", math.Asin), "asinh": float1("asinh", math.Asinh), "atan": float1("atan", math.Atan),
		"atanh": float1("atanh", math.Atanh), "atan2": componentWise(arcTangent2), "ceil": float1("ceil", math.Ceil),
		"clamp": componentWise(clamp), "cos": float1("cos", math.Cos), "cosh": float1("cosh", math.Cosh),
		"countLeadingZeros":  int1(func(n uint32) uint32 { return uint32(bits.LeadingZeros32(n)) }),
		"countOneBits":       int1(func(n uint32) uint32 { return uint32(bits.OnesCount32(n)) }),
		"countTrailingZeros": int1(func(n uint32) uint32 { return uint32(bits.TrailingZeros32(n)) }),
		"cross":              cross,
		"degrees":            float1("degrees", func(x float64) float64 { return x * 180 / math.Pi }),
		"determinant":        determinant, "distance": distance, "dot": dot,
		"dot4U8Packed": dotPacked(false), "dot4I8Packed": dotPacked(true),
		"exp": float1("exp", math.Exp), "exp2": float1("exp2", math.Exp2),
		"extractBits": componentWise(extractBits), "faceForward": faceForward,
		"firstLeadingBit": componentWise(firstLeadingBit), "firstTrailingBit": componentWise(firstTrailingBit),
		"floor": float1("floor", math.Floor), "fma": componentWise(fusedMultiplyAdd),
		"fract": float1("fract", func(x float64) float64 { return x - math.Floor(x) }),
		"frexp": frexp, "insertBits": componentWise(insertBits),
		"inverseSqrt": float1("inverseSqrt", func(x float64) float64 { return 1 / math.Sqrt(x) }),
		"ldexp":       componentWise(loadExponent), "length": length,
		"log": float1("log", math.Log), "log2": float1("log2", math.Log2),
		"max": componentWise(maximum), "min": componentWise(minimum), "mix": componentWise(mix), "modf": modf,
		"normalize": normalize, "pow": componentWise(power), "quantizeToF16": componentWise(quantize),
		"radians": float1("radians", func(x float64) float64 { return x * math.Pi / 180 }),
		"reflect": reflect, "refract": refract, "reverseBits": int1(bits.Reverse32),
		"round": float1("round", math.RoundToEven), "saturate": componentWise(saturate), "sign": componentWise(signOf),
		"sin": float1("sin", math.Sin), "sinh": float1("sinh", math.Sinh), "smoothstep": componentWise(smoothStep),
		"sqrt": float1("sqrt", math.Sqrt), "step": componentWise(stepAt), "tan": float1("tan", math.Tan),
		"tanh": float1("tanh", math.Tanh), "transpose": transpose, "trunc": float1("trunc", math.Trunc),

		"pack4x8snorm": packNorm(8, -1), "pack4x8unorm": packNorm(8, 0),
		"pack2x16snorm": packNorm(16, -1), "pack2x16unorm": packNorm(16, 0), "pack2x16float": pack(16, packFloat),
		"pack4xI8": pack(8, lowBits), "pack4xU8": pack(8, lowBits),
		"pack4xI8Clamp": packClamped(-128, 127), "pack4xU8Clamp": packClamped(0, 255),
		"unpack4x8snorm": unpack(8, true, unpackNorm(127)), "unpack4x8unorm": unpack(8, false, unpackNorm(255)),
		"unpack2x16snorm": unpack(16, true, unpackNorm(32767)), "unpack2x16unorm": unpack(16, false, unpackNorm(65535)),
		"unpack2x16float": unpack(16, false, unpackFloat),
		"unpack4xI8":      unpack(8, true, unpackInt), "unpack4xU8": unpack(8, false, unpackInt),
	},
}

func lowBits(v Value) (uint32, *fault) { return uint32(v.Int()), nil }
