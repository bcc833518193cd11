package types

import (
	"fmt"
	"math"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A fault is the reason why a constant cannot be computed. It is a shader error (§ 8.1.1) or a
// pipeline error (§ 8.1.2).
type fault struct {
	kind          findings.Kind
	message, hint string
}

func faultf(kind findings.Kind, format string, args ...any) *fault {
	return &fault{kind: kind, message: fmt.Sprintf(format, args...)}
}

func (f *fault) try(hint string) *fault {
	f.hint = hint
	return f
}

// constFunc computes a builtin. The arguments already have the types that the overload requires.
type constFunc func(args []Value, result Type) (Value, *fault)

// scalarFunc computes one component; s is the scalar type of the result.
type scalarFunc func(args []Value, s *Scalar) (Value, *fault)

// componentWise applies f to the components of vectors and matrices. It repeats scalar arguments.
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

// partType returns the type of a vector's components, a matrix's columns or an array's elements.
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

// makeInt wraps n to a concrete type (§ 6.2.3).
func makeInt(n int64, s *Scalar) Value {
	switch s {
	case I32:
		n = int64(int32(n))
	case U32:
		n = int64(uint32(n))
	}
	return IntValue(s, n)
}

// makeFloat rounds f to the type; infinity and NaN are faults (§ 15.7.3). The message quotes the
// operation and its operands.
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

// describe formats an operation and its operands: 1 + 2, sqrt(3.0).
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

// number returns the scalar as a float64, whatever its kind.
func (v Value) number() float64 {
	if s, ok := v.Type.(*Scalar); ok && s.Float() {
		return v.Float()
	}
	return float64(v.Int())
}

// convert converts a value as automatic conversion does (§ 6.1.2); the conversion must be feasible.
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
		bad := faultf("const-range", "%d does not fit in %s, which holds %s.", n, article(to), rangeOf(to))
		if n < 0 {
			return Value{}, bad.try("Use an i32 for numbers below 0.")
		}
		return Value{}, bad
	}
	return IntValue(to, n), nil
}

// toFloat rounds a number to a float type; a number outside its finite range is a fault (§ 15.7.6).
func toFloat(f float64, to *Scalar) (Value, *fault) {
	most := math.MaxFloat64
	switch to {
	case F32:
		most = maxF32
	case F16:
		most = maxF16
	}
	if math.Abs(f) > most {
		bad := faultf("const-range", "%v does not fit in %s.", f, article(to))
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
