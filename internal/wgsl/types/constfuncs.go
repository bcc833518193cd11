package types

import "github.com/wgslab/wgslab/internal/wgsl/numeric"

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
	FunctionBuiltin: withNumeric(map[string]constFunc{
		"bitcast": bitcast, "all": allTrue, "any": anyTrue, "select": selectValue, "abs": componentWise(absolute),
		"atan2": componentWise(arcTangent2), "clamp": componentWise(clamp), "cross": cross, "determinant": determinant,
		"distance": distance, "dot": dot, "dot4U8Packed": dotPacked(numeric.Dot4U8), "dot4I8Packed": dotPacked(numeric.Dot4I8),
		"extractBits": componentWise(extractBits), "faceForward": faceForward, "firstLeadingBit": componentWise(firstLeadingBit),
		"fma": componentWise(fusedMultiplyAdd), "frexp": frexp, "insertBits": componentWise(insertBits),
		"ldexp": componentWise(loadExponent), "length": length, "max": componentWise(maximum), "min": componentWise(minimum),
		"mix": componentWise(mix), "modf": modf, "normalize": normalize, "pow": componentWise(power),
		"quantizeToF16": componentWise(quantize), "reflect": reflect, "refract": refract, "saturate": componentWise(saturate),
		"sign": componentWise(signOf), "smoothstep": componentWise(smoothStep), "step": componentWise(stepAt), "transpose": transpose,

		"pack4x8snorm": packNorm(8, numeric.PackSnorm), "pack4x8unorm": packNorm(8, numeric.PackUnorm),
		"pack2x16snorm": packNorm(16, numeric.PackSnorm), "pack2x16unorm": packNorm(16, numeric.PackUnorm),
		"pack2x16float": pack(16, packFloat), "pack4xI8": packInt(lowBits), "pack4xU8": packInt(lowBits),
		"pack4xI8Clamp": packInt(numeric.PackI8Clamp), "pack4xU8Clamp": packInt(numeric.PackU8Clamp),
		"unpack4x8snorm": unpack(8, unpackNorm(8, numeric.UnpackSnorm)), "unpack4x8unorm": unpack(8, unpackNorm(8, numeric.UnpackUnorm)),
		"unpack2x16snorm": unpack(16, unpackNorm(16, numeric.UnpackSnorm)), "unpack2x16unorm": unpack(16, unpackNorm(16, numeric.UnpackUnorm)),
		"unpack2x16float": unpack(16, unpackFloat), "unpack4xI8": unpack(8, unpackInt(numeric.UnpackI8)), "unpack4xU8": unpack(8, unpackInt(lowBits)),
	}),
}

// withNumeric adds the functions of one scalar that package numeric computes.
func withNumeric(funcs map[string]constFunc) map[string]constFunc {
	for name, f := range numeric.Float1 {
		funcs[name] = float1(name, f)
	}
	for name, f := range numeric.Bits1 {
		funcs[name] = int1(f)
	}
	return funcs
}
