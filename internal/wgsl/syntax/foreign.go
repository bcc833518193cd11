package syntax

import (
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// An Advice is WGSL's replacement for a word of another language.
type Advice struct {
	From  string // the language it comes from, such as "GLSL"
	Write string // the word or call to write instead, if it can replace the word directly; else empty
	Hint  string // one sentence: what to try
}

// Finding returns a finding for the word at span.
func (a Advice) Finding(word string, span Span) *findings.Finding {
	kind := findings.ForeignWord
	if typeName.MatchString(a.Write) {
		kind = findings.ForeignType
	}
	d := findings.Errorf(kind, span, "`%s` is %s, not WGSL.", word, a.From)
	d.Hint = a.Hint
	if a.Write != "" {
		d.Replace(span, a.Write, "write `"+a.Write+"`")
	}
	return d
}

// typeName matches the beginning of the replacements that are types.
var typeName = regexp.MustCompile(`^([fiu]32|f16|bool|vec[234]|mat[234]x[234])`)

// Foreign looks up a name that people write by habit from another shading or programming language.
// Use it only for undeclared names: a learner's own variable may have any of these names.
func Foreign(name string) (Advice, bool) {
	if a, ok := foreignWords[name]; ok {
		return a, true
	}
	return foreignShape(name)
}

func use(from, write string) Advice {
	return Advice{From: from, Write: write, Hint: "Write `" + write + "`."}
}

func tell(from, hint string) Advice { return Advice{From: from, Hint: hint} }

const (
	byC      = "C"
	byGLSL   = "GLSL"
	byHLSL   = "HLSL"
	byCUDA   = "CUDA"
	byGo     = "Go"
	byRust   = "Rust"
	byMetal  = "Metal"
	byPython = "Python"
	byJS     = "JavaScript"
)

func builtin(from, name, typ string) Advice {
	return tell(from, "Give the entry point a parameter such as `@builtin("+name+") id: "+typ+"` and use `id`.")
}

var foreignWords = map[string]Advice{
	"float": use(byC, "f32"), "int": use(byC, "i32"), "uint": use(byGLSL, "u32"), "half": use(byHLSL, "f16"),
	"unsigned": use(byC, "u32"), "signed": use(byC, "i32"), "short": use(byC, "i32"), "char": use(byC, "u32"),
	"uchar": use(byC, "u32"), "size_t": use(byC, "u32"), "uint32_t": use(byC, "u32"), "int32_t": use(byC, "i32"),
	"double":  tell(byC, "WGSL has no 64-bit floats; write `f32`."),
	"long":    tell(byC, "WGSL has no 64-bit integers; write `i32` or `u32`."),
	"void":    tell(byC, "A function that returns nothing is written `fn name() { … }`."),
	"float32": use(byGo, "f32"), "int32": use(byGo, "i32"), "uint32": use(byGo, "u32"), "byte": use(byGo, "u32"),
	"uint8": use(byGo, "u32"), "rune": use(byGo, "u32"), "boolean": use(byJS, "bool"), "Bool": use("Swift", "bool"),
	"float64": tell(byGo, "WGSL has no 64-bit floats; write `f32`."),
	"int64":   tell(byGo, "WGSL has no 64-bit integers; write `i32`."),
	"uint64":  tell(byGo, "WGSL has no 64-bit integers; write `u32`."),
	"f64":     tell(byRust, "WGSL has no 64-bit floats; write `f32`."),
	"i64":     tell(byRust, "WGSL has no 64-bit integers; write `i32`."),
	"u64":     tell(byRust, "WGSL has no 64-bit integers; write `u32`."),
	"usize":   use(byRust, "u32"), "isize": use(byRust, "i32"),
	"u8": use(byRust, "u32"), "i8": use(byRust, "i32"), "u16": use(byRust, "u32"), "i16": use(byRust, "i32"),
	"string": tell("another language's", "WGSL has no strings."), "String": tell("another language's", "WGSL has no strings."),
	"True": use(byPython, "true"), "False": use(byPython, "false"), "TRUE": use(byC, "true"), "FALSE": use(byC, "false"),
	"len":    tell(byGo, "Write `arrayLength(&name)` for an array in a buffer."),
	"append": tell(byGo, "Arrays in WGSL keep their length; write to an index."),
	"make":   tell(byGo, "Declare an array of fixed length: `var a: array<f32, 4>`."),

	"gl_GlobalInvocationID":           builtin(byGLSL, "global_invocation_id", "vec3u"),
	"gl_LocalInvocationID":            builtin(byGLSL, "local_invocation_id", "vec3u"),
	"gl_LocalInvocationIndex":         builtin(byGLSL, "local_invocation_index", "u32"),
	"gl_WorkGroupID":                  builtin(byGLSL, "workgroup_id", "vec3u"),
	"gl_NumWorkGroups":                builtin(byGLSL, "num_workgroups", "vec3u"),
	"gl_WorkGroupSize":                tell(byGLSL, "Write the number from `@workgroup_size`, or use a `const` in both places."),
	"gl_Position":                     tell(byGLSL, "Return it from the vertex entry point: `-> @builtin(position) vec4f`."),
	"gl_FragColor":                    tell(byGLSL, "Return it from the fragment entry point: `-> @location(0) vec4f`."),
	"gl_FragCoord":                    builtin(byGLSL, "position", "vec4f"),
	"gl_VertexID":                     builtin(byGLSL, "vertex_index", "u32"),
	"gl_VertexIndex":                  builtin(byGLSL, "vertex_index", "u32"),
	"gl_InstanceID":                   builtin(byGLSL, "instance_index", "u32"),
	"gl_InstanceIndex":                builtin(byGLSL, "instance_index", "u32"),
	"gl_FrontFacing":                  builtin(byGLSL, "front_facing", "bool"),
	"gl_SubgroupSize":                 builtin(byGLSL, "subgroup_size", "u32"),
	"gl_SubgroupInvocationID":         builtin(byGLSL, "subgroup_invocation_id", "u32"),
	"SV_DispatchThreadID":             builtin(byHLSL, "global_invocation_id", "vec3u"),
	"SV_GroupThreadID":                builtin(byHLSL, "local_invocation_id", "vec3u"),
	"SV_GroupID":                      builtin(byHLSL, "workgroup_id", "vec3u"),
	"SV_GroupIndex":                   builtin(byHLSL, "local_invocation_index", "u32"),
	"threadIdx":                       builtin(byCUDA, "local_invocation_id", "vec3u"),
	"blockIdx":                        builtin(byCUDA, "workgroup_id", "vec3u"),
	"gridDim":                         builtin(byCUDA, "num_workgroups", "vec3u"),
	"blockDim":                        tell(byCUDA, "Write the number from `@workgroup_size`, or use a `const` in both places."),
	"warpSize":                        builtin(byCUDA, "subgroup_size", "u32"),
	"get_global_id":                   builtin("OpenCL", "global_invocation_id", "vec3u"),
	"get_local_id":                    builtin("OpenCL", "local_invocation_id", "vec3u"),
	"get_group_id":                    builtin("OpenCL", "workgroup_id", "vec3u"),
	"thread_position_in_grid":         builtin(byMetal, "global_invocation_id", "vec3u"),
	"globalInvocationID":              builtin("another language's", "global_invocation_id", "vec3u"),
	"globalInvocationId":              builtin("another language's", "global_invocation_id", "vec3u"),
	"__global__":                      tell(byCUDA, "Write `@compute @workgroup_size(64) fn name(…)`."),
	"__device__":                      tell(byCUDA, "Delete it; a function is `fn name(…)`."),
	"__kernel":                        tell("OpenCL", "Write `@compute @workgroup_size(64) fn name(…)`."),
	"__global":                        tell("OpenCL", "Declare a buffer: `@group(0) @binding(0) var<storage, read_write> name: array<f32>;`."),
	"__shared__":                      tell(byCUDA, "Declare it outside of functions: `var<workgroup> name: array<f32, 64>;`."),
	"__local":                         tell("OpenCL", "Declare it outside of functions: `var<workgroup> name: array<f32, 64>;`."),
	"__constant__":                    tell(byCUDA, "Write `const name = value;` outside of functions."),
	"__restrict__":                    tell(byCUDA, "Delete it."),
	"__syncthreads":                   use(byCUDA, "workgroupBarrier"),
	"__syncwarp":                      tell(byCUDA, "WGSL's `workgroupBarrier()` waits for the whole workgroup."),
	"__threadfence":                   use(byCUDA, "storageBarrier"),
	"barrier":                         use(byGLSL, "workgroupBarrier"),
	"groupMemoryBarrier":              use(byGLSL, "workgroupBarrier"),
	"memoryBarrierShared":             use(byGLSL, "workgroupBarrier"),
	"memoryBarrier":                   use(byGLSL, "storageBarrier"),
	"memoryBarrierBuffer":             use(byGLSL, "storageBarrier"),
	"threadgroup_barrier":             use(byMetal, "workgroupBarrier"),
	"syncthreads":                     use(byCUDA, "workgroupBarrier"),
	"GroupMemoryBarrierWithGroupSync": use(byHLSL, "workgroupBarrier"),
	"AllMemoryBarrierWithGroupSync":   use(byHLSL, "storageBarrier"),

	"lerp": use(byHLSL, "mix"), "frac": use(byHLSL, "fract"), "rsqrt": use(byHLSL, "inverseSqrt"),
	"inversesqrt": use(byGLSL, "inverseSqrt"), "rsqrtf": use(byCUDA, "inverseSqrt"), "atan2f": use(byC, "atan2"),
	"ddx": use(byHLSL, "dpdx"), "ddy": use(byHLSL, "dpdy"), "dFdx": use(byGLSL, "dpdx"), "dFdy": use(byGLSL, "dpdy"),
	"sqrtf": use(byC, "sqrt"), "expf": use(byC, "exp"), "logf": use(byC, "log"), "powf": use(byC, "pow"),
	"sinf": use(byC, "sin"), "cosf": use(byC, "cos"), "tanhf": use(byC, "tanh"), "fabs": use(byC, "abs"),
	"fabsf": use(byC, "abs"), "fmax": use(byC, "max"), "fmin": use(byC, "min"), "fmaxf": use(byC, "max"),
	"fminf": use(byC, "min"), "floorf": use(byC, "floor"), "ceilf": use(byC, "ceil"), "roundf": use(byC, "round"),
	"__expf": use(byCUDA, "exp"), "mad": use(byHLSL, "fma"), "fmaf": use(byC, "fma"),
	"fmod":    tell(byHLSL, "Write `a % b`."),
	"modulo":  tell("another language's", "Write `a % b`."),
	"mul":     tell(byHLSL, "Write `a * b`; `*` also multiplies matrices and vectors."),
	"asfloat": tell(byHLSL, "Write `bitcast<f32>(x)`."), "asuint": tell(byHLSL, "Write `bitcast<u32>(x)`."),
	"asint": tell(byHLSL, "Write `bitcast<i32>(x)`."), "floatBitsToUint": tell(byGLSL, "Write `bitcast<u32>(x)`."),
	"uintBitsToFloat": tell(byGLSL, "Write `bitcast<f32>(x)`."), "floatBitsToInt": tell(byGLSL, "Write `bitcast<i32>(x)`."),
	"intBitsToFloat": tell(byGLSL, "Write `bitcast<f32>(x)`."),
	"texture":        tell(byGLSL, "Write `textureSample(texture, sampler, uv)`."),
	"texture2D":      tell(byGLSL, "Write `textureSample(texture, sampler, uv)`."),
	"imageLoad":      use(byGLSL, "textureLoad"), "imageStore": use(byGLSL, "textureStore"),
	"sampler2D": tell(byGLSL, "Declare a `texture_2d<f32>` and a `sampler`, each with its own binding."),
	"bitCount":  use(byGLSL, "countOneBits"), "countbits": use(byHLSL, "countOneBits"), "popcount": use(byCUDA, "countOneBits"),
	"__popc": use(byCUDA, "countOneBits"), "findMSB": use(byGLSL, "firstLeadingBit"), "findLSB": use(byGLSL, "firstTrailingBit"),
	"bitfieldReverse": use(byGLSL, "reverseBits"), "InterlockedAdd": use(byHLSL, "atomicAdd"),
	"atomic_fetch_add": use("C", "atomicAdd"), "atomicCAS": use(byCUDA, "atomicCompareExchangeWeak"),
	"atomicCompSwap": use(byGLSL, "atomicCompareExchangeWeak"), "atomicExch": use(byCUDA, "atomicExchange"),
	"printf":   tell(byC, "A shader cannot print; write what you want to see into a buffer."),
	"print":    tell("another language's", "A shader cannot print; write what you want to see into a buffer."),
	"INFINITY": tell(byC, "WGSL has no infinity; write the largest f32, `3.4028234e38`."),
	"NAN":      tell(byC, "WGSL has no name for NaN, and a GPU may assume that it never occurs."),
	"FLT_MAX":  tell(byC, "Write the largest f32: `3.4028234e38`."),
	"INT_MAX":  use(byC, "2147483647"), "UINT_MAX": use(byC, "4294967295u"), "M_PI": use(byC, "3.14159265"),
	"Math": tell(byJS, "Call the function by its name alone, such as `sqrt(x)`."),
	"math": tell(byGo, "Call the function by its name alone, such as `sqrt(x)`."),
	"and":  tell(byPython, "Write `&&`."), "or": tell(byPython, "Write `||`."), "not": tell(byPython, "Write `!`."),
	"None": tell(byPython, "WGSL has no such value."),
	"elif": tell(byPython, "Write `else if`."),
}

// foreignShape recognizes families of names: float4, uint3, mat4, ivec2, float4x4, gl_… and …f of
// C's math library.
func foreignShape(name string) (Advice, bool) {
	for prefix, scalar := range map[string]string{"float": "f", "int": "i", "uint": "u", "half": "h", "bool": "b", "double": "d"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok || rest == "" {
			continue
		}
		switch {
		case len(rest) == 1 && '2' <= rest[0] && rest[0] <= '4':
			return vectorAdvice(byHLSL, rest, scalar), true
		case len(rest) == 3 && rest[1] == 'x' && strings.Trim(rest, "234x") == "" && (scalar == "f" || scalar == "h"):
			return use(byHLSL, "mat"+rest[2:]+"x"+rest[:1]+scalar), true
		}
	}
	for prefix, scalar := range map[string]string{"ivec": "i", "uvec": "u", "bvec": "b", "dvec": "d"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && len(rest) == 1 && '2' <= rest[0] && rest[0] <= '4' {
			return vectorAdvice(byGLSL, rest, scalar), true
		}
	}
	if rest, ok := strings.CutPrefix(name, "mat"); ok && len(rest) == 1 && '2' <= rest[0] && rest[0] <= '4' {
		return use(byGLSL, "mat"+rest+"x"+rest+"f"), true
	}
	if strings.HasPrefix(name, "gl_") {
		return tell(byGLSL, "The entry point gets such values as parameters: `@builtin(name) x: type`."), true
	}
	return Advice{}, false
}

func vectorAdvice(from, width, scalar string) Advice {
	switch scalar {
	case "b":
		return use(from, "vec"+width+"<bool>")
	case "d":
		return tell(from, "WGSL has no 64-bit floats; write `vec"+width+"f`.")
	}
	return use(from, "vec"+width+scalar)
}
