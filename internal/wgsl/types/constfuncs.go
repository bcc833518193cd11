package types

import (
	"math"
	"math/bits"
)

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
