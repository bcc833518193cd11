package types

import (
	"math"
)

// arithmetic is one of + - *. abstract also reports whether the result fits 64 bits; if not, it
// returns the low ones.
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
	switch bad := quotientFault(x, y, "/", s); {
	case bad != nil:
		return Value{}, bad
	case s.Float():
		return makeFloat(x.Float()/y.Float(), s, "/", args)
	}
	return IntValue(s, x.Int()/y.Int()), nil
}

func remainder(args []Value, s *Scalar) (Value, *fault) {
	x, y := args[0], args[1]
	switch bad := quotientFault(x, y, "%", s); {
	case bad != nil:
		return Value{}, bad
	case s.Float():
		return makeFloat(math.Mod(x.Float(), y.Float()), s, "%", args)
	}
	return IntValue(s, x.Int()%y.Int()), nil
}

func quotientFault(x, y Value, sign string, s *Scalar) *fault {
	if s.Float() && y.Float() == 0 || !s.Float() && y.Int() == 0 {
		return faultf("const-division-by-zero", "%s %s %s divides by zero.", x, sign, y)
	}
	if s.Float() {
		return nil
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

// bitwise returns one of & | ^ on integers and bools. Both fit an int64, so f can work on
// them directly.
func bitwise(f func(x, y int64) int64) constFunc {
	return componentWise(func(args []Value, s *Scalar) (Value, *fault) {
		return makeInt(f(args[0].Int(), args[1].Int()), s), nil
	})
}

// comparison returns a comparison; f gets -1, 0 or 1 for less, equal, greater.
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

// multiply computes * with all its meanings: linear algebra if a matrix meets a matrix or a vector.
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

// dotProduct adds up the products of the components. It rounds and checks each step.
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
