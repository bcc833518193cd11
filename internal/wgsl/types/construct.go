package types

import (
	"math"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// convertScalar computes T(e), which converts any scalar to any concrete one (§ 17.1.2).
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

// truncated clamps to the values that both types can represent and rounds towards zero (§ 15.7.6).
func truncated(f float64, to, from *Scalar) int64 {
	switch {
	case from == AbstractFloat && to == I32:
		return numeric.Truncate(f, math.MinInt32, math.MaxInt32)
	case from == AbstractFloat:
		return numeric.Truncate(f, 0, math.MaxUint32)
	case to == I32:
		return int64(numeric.ToI32(f))
	}
	return int64(numeric.ToU32(f))
}

// constructVector computes a vector from scalars and smaller vectors or from one repeated scalar,
// or converts a vector.
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

// constructMatrix computes a matrix from its columns or its numbers, or converts a matrix.
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
