package types_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// frame is a shader around a learner's lines, which replace `…`.
const frame = `struct Params { alpha: f32, n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> count: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  var f = 1.0;
  …
}
`

// A message is one mistake: the line, the message about it, and the line after the fix. If there is
// a fix, it makes the shader valid.
type message struct{ line, code, text, hint, fixed string }

var messages = []message{
	{"f = i;", "type-mismatch", "`i` is u32, but f32 is needed here: WGSL never converts between them by itself.",
		"Write `f32(i)`.", "f = f32(i);"},
	{"f = f * i;", "bad-operands", "`f` is f32 and `i` is u32: WGSL never converts between them by itself.",
		"Write `f32(i)`.", "f = f * f32(i);"},
	{"let a = i + 1.5;", "bad-operands", "`i` is u32 and `1.5` is a float: WGSL never converts between them by itself.",
		"Write `f32(i)`.", "let a = f32(i) + 1.5;"},
	{"let a = i + 1i;", "bad-operands", "`i` is u32 and `1i` is i32: WGSL never converts between them by itself.",
		"Write `1u`.", "let a = i + 1u;"},
	{"for (var k = 0; k < params.n; k++) {}", "bad-operands",
		"`k` became an i32 on line 10, but `params.n` is u32.",
		"Start it at `0u`.", "for (var k = 0u; k < params.n; k++) {}"},
	{"var sum = 0; sum += x[i] * x[i];", "bad-operands", "`sum` became an i32 on line 10, but `x[i] * x[i]` is f32.",
		"Start it at `0.0`.", "var sum = 0.0; sum += x[i] * x[i];"},
	{"var most = 1; most = i;", "type-mismatch", "`most` became an i32 on line 10, but `i` is u32.",
		"Start it at `1u`.", "var most = 1u; most = i;"},
	{"var most = 0; most = max(most, f);", "bad-arguments", "`most` became an i32 on line 10, but `f` is f32.",
		"Start it at `0.0`.", "var most = 0.0; most = max(most, f);"},
	{"let sum = 0; f = sum;", "type-mismatch", "`sum` became an i32 on line 10, but f32 is needed here.", "Start it at `0.0`.", "let sum = 0.0; f = sum;"},
	{"var sum = 0i; sum = f;", "type-mismatch", "`f` is f32, but i32 is needed here: WGSL never converts between them by itself.", "Write `i32(f)`.", "sum = i32(f);"},
	{"var bits = 0; bits <<= f;", "bad-operands", "`bits` is i32 and `f` is f32: `<<=` does not go with these two: WGSL never converts between them by itself.",
		"Write `u32(f)`.", "bits <<= u32(f);"},
	{"var sum: i32 = 0; sum += f;", "bad-operands", "`sum` is i32 and `f` is f32: `+=` does not go with these two: WGSL never converts between them by itself.",
		"Write `i32(f)`.", "sum += i32(f);"},
	{"f = max(f, 0u);", "bad-arguments", "`f` is f32 and `0u` is u32: WGSL never converts between them by itself.", "Write `0.0`.", "f = max(f, 0.0);"},
	{"let a = min(1i, i);", "bad-arguments", "`1i` is i32 and `i` is u32: WGSL never converts between them by itself.", "Write `1u`.", "let a = min(1u, i);"},
	{"let a = max(i, 1.5);", "bad-arguments", "`i` is u32 and `1.5` is a float: WGSL never converts between them by itself.", "Write `f32(i)`.", "let a = max(f32(i), 1.5);"},
	{"var word = 0u; word |= 1 << i;", "bad-operands", "`word` is u32 and `1 << i` is i32: `|=` does not go with these two: WGSL never converts between them by itself.",
		"Write `1u << i`.", "var word = 0u; word |= 1u << i;"},
	{"var all = 0u; all += 1 << i;", "bad-operands", "`all` is u32 and `1 << i` is i32: `+=` does not go with these two: WGSL never converts between them by itself.",
		"Write `1u << i`.", "var all = 0u; all += 1u << i;"},
	{"let a = i & (1 << i);", "bad-operands", "`i` is u32 and `(1 << i)` is i32: WGSL never converts between them by itself.", "Write `1u << i`.", "let a = i & (1u << i);"},
	{"var word = 0u; word = 0xff << i;", "type-mismatch", "`0xff << i` is i32, but u32 is needed here: WGSL never converts between them by itself.", "Write `u32(0xff << i)`.", "word = u32(0xff << i);"},
	{"if i < arrayLength(out) {}", "address-needed", "`arrayLength` takes the address of a variable, but `out` is array<f32>.",
		"Write `&out`.", "if i < arrayLength(&out) {}"},
	{"if id < arrayLength(&out) {}", "bad-operands", "`id` is vec3u, so it has 3 numbers, and the other side of `<` is one number.",
		"Take one of them: `id.x`.", "if id.x < arrayLength(&out) {}"},
	{"if i < out.length {}", "no-members", "`out` has no members, so `.length` means nothing here: it is array<f32>.",
		"Write `arrayLength(&out)`.", "if i < arrayLength(&out) {}"},
	{"if i < len(out) {}", "foreign-word", "`len` is Go, not WGSL.", "Write `arrayLength(&out)`.", "if i < arrayLength(&out) {}"},
	{"i = 2;", "not-assignable", "`i` is a `let` and never changes.", "Declare it with `var` to change it.", ""},
	{"id.x = 2;", "not-assignable", "`id` is a parameter, and parameters never change.", "Copy it first: `var my_id = id;`.", ""},
	{"x[i] = 2;", "read-only", "`x` is declared read-only.", "Declare it `var<storage, read_write>`.", ""},
	{"params.n = 2;", "read-only", "`params` is in uniform memory that can only be read.", "", ""},
	{"out[id] = 1;", "bad-index", "An index must be a whole number, i32 or u32, but `id` is vec3u.",
		"Compute the index from its components, such as `id.x`.", "out[id.x] = 1;"},
	{"out[f] = 1;", "bad-index", "An index must be a whole number, i32 or u32, but `f` is f32.", "Write `u32(f)`.", "out[u32(f)] = 1;"},
	{"out = x;", "array-as-value", "`out` is array<f32> and cannot be assigned as a whole.", "Say which element: `out[i] = …`.", ""},
	{"let a = x;", "unsized-value", "`x` is array<f32>, which has no size of its own and cannot be copied as a whole.",
		"Take an element, `x[i]`, or its address, `&x`.", ""},
	{"for (var k = 0; k < 2; k++) { var sum = 0.0; sum += x[i]; } f = sum;", "unknown-name", "`sum` (line 10) exists only inside the loop's braces.",
		"Declare it before the loop.", ""},
	{"for (var k = 0; k < 2; k++) {} f = x[k];", "unknown-name", "`k` (line 10) exists only inside the `for` loop.", "Declare it before the loop.", ""},
	{"while f < 2 { let y = f; f *= 2; } f = y;", "unknown-name", "`y` (line 10) exists only inside the loop's braces.", "Declare it before the loop.", ""},
	{"loop { var y = f; if y > 2 { break; } } f = y;", "unknown-name", "`y` (line 10) exists only inside the loop's braces.", "Declare it before the loop.", ""},
	{"if f > 2 { f = 1; } else { let y = 2.0; f = y; } f = y;", "unknown-name", "`y` (line 10) exists only inside its branch of the `if`.",
		"Declare it before the `if`.", ""},
	{"switch i { case 1: { let y = 2.0; f = y; } default: { f = y; } }", "unknown-name", "`y` (line 10) exists only inside its `case` of the `switch`.",
		"Declare it before the `switch`.", ""},
	{"{ let y = 2.0; f = y; } f = y;", "unknown-name", "`y` (line 10) exists only inside its braces.", "Declare it before them.", ""},
	{"for (var k = 0; k < 2; k++) { let y = x[k]; f += y; } for (var k = 0; k < 2; k++) { f += y; }", "unknown-name",
		"`y` (line 10) exists only inside the loop's braces.", "Declare it before the loop.", ""},
	{"f = alpha;", "unknown-name", "`alpha` alone is not declared; it is a member of `params`.",
		"Write `params.alpha`.", "f = params.alpha;"},
	{"f = params.alhpa;", "unknown-member", "`Params` has no member `alhpa`.", "Did you mean `alpha`?", "f = params.alpha;"},
	{"f = param.alpha;", "unknown-name", "`param` is not declared.", "Did you mean `params`?", "f = params.alpha;"},
	{"let a = lid.x;", "missing-input", "`lid` is not declared: the entry point `main` must ask for it.",
		"Give `main` the parameter `@builtin(local_invocation_id) lid: vec3u`.", "let a = lid.x;"},
	{"f = lerp(f, 1, 0.5);", "foreign-word", "`lerp` is HLSL, not WGSL.", "Write `mix`.", "f = mix(f, 1, 0.5);"},
	{"let v: float4 = vec4f();", "foreign-type", "`float4` is HLSL, not WGSL.", "Write `vec4f`.", "let v: vec4f = vec4f();"},
	{"f = mul(f, f);", "foreign-word", "`mul` is HLSL, not WGSL.", "Write `f * f`.", "f = f * f;"},
	{"__syncthreads();", "foreign-word", "`__syncthreads` is CUDA, not WGSL.", "", ""},
	{"barrier();", "foreign-word", "`barrier` is GLSL, not WGSL.", "Write `workgroupBarrier`.", "workgroupBarrier();"},
	{"let b = vec2(true) && vec2(false);", "bad-operands", "`&&` takes two bools, but these are vectors of bools.",
		"Write `&`, which works component by component; or `all(…)` and `any(…)` to turn each into one bool.",
		"let b = vec2(true) & vec2(false);"},
	{"if i {}", "condition", "The condition of `if` must be a bool, but `i` is u32.", "Write `i != 0`.", ""},
	{"if vec2(1) == vec2(2) {}", "condition", "The condition of `if` must be a bool, but `vec2(1) == vec2(2)` is vec2<bool>.",
		"Write `all(vec2(1) == vec2(2))` or `any(vec2(1) == vec2(2))`.", ""},
	{"f = f ** 2;", "no-power", "`**` is not a WGSL operator.", "Write `pow(x, 2)`, or multiply.", ""},
	{"let p = *f;", "no-pointer", "`*` dereferences a pointer, but `f` is f32.", "Delete the `*`.", ""},
	{"f++;", "type-mismatch", "`++` and `--` work on i32 and u32, but `f` is f32.", "Write `f += 1`.", "f += 1;"},
	{"max(f, 1);", "unused-result", "The result of `max` is not used, and the call does nothing else.",
		"Assign it, or write `_ = max(…);` if it is really not needed.", ""},
	{"f = max(f, i);", "bad-arguments", "`f` is f32 and `i` is u32: WGSL never converts between them by itself.",
		"Write `f32(i)`.", "f = max(f, f32(i));"},
	{"f = i / 255 - f;", "bad-operands", "`i / 255` is u32 and `f` is f32: WGSL never converts between them by itself.",
		"Write `f32(i) / 255.0`, or `f32(i / 255)` for a quotient without its fraction.", "f = f32(i) / 255.0 - f;"},
	{"f = f * (i / i);", "bad-operands", "`f` is f32 and `(i / i)` is u32: WGSL never converts between them by itself.",
		"Write `f32(i) / f32(i)`, or `f32(i / i)` for a quotient without its fraction.", "f = f * (f32(i) / f32(i));"},
	{"f = (i + 1) / 4;", "type-mismatch", "`(i + 1) / 4` is u32, but f32 is needed here: WGSL never converts between them by itself.",
		"Write `f32(i + 1) / 4.0`, or `f32((i + 1) / 4)` for a quotient without its fraction.", "f = f32(i + 1) / 4.0;"},
	{"f = sqrt(i / 4u);", "bad-arguments", "`sqrt` takes floats for `e`, but `i / 4u` is u32.",
		"Write `f32(i) / 4.0`, or `f32(i / 4u)` for a quotient without its fraction.", "f = sqrt(f32(i) / 4.0);"},
	{"f = sqrt(i);", "bad-arguments", "`sqrt` takes floats for `e`, but `i` is u32.", "Write `f32(i)`.", "f = sqrt(f32(i));"},
	{"let a = countOneBits(f);", "bad-arguments", "`countOneBits` takes whole numbers (i32 or u32) for `e`, but `f` is f32.",
		"Write `u32(f)`.", "let a = countOneBits(u32(f));"},
	{"f = dot(id, 1.0);", "bad-arguments", "`dot` cannot take vec3u and a float.",
		"`dot(e1, e2)`: The dot product: the products of the components, added up.", ""},
	{"f = select(i == 0, 1.0, 2.0);", "bad-arguments", "`select` takes bools for `cond`, but `2.0` is a float.", "", ""},
	{"f = sqrt();", "argument-count", "`sqrt` takes 1 argument, not 0.", "`sqrt(e)`: The square root.", ""},
	{"count = 1;", "atomic-access", "`count` is atomic<u32>, which only the atomic functions may access.",
		"Write `atomicStore(&count, …);`.", ""},
	{"count += 1;", "atomic-access", "`count` is atomic<u32>, which only the atomic functions may access.",
		"Write `atomicAdd(&count, 1);`: it reads, changes and writes in one step.", "atomicAdd(&count, 1);"},
	{"count = count - i;", "atomic-access", "`count` is atomic<u32>, which only the atomic functions may access.",
		"Write `atomicSub(&count, i);`: it reads, changes and writes in one step.", "atomicSub(&count, i);"},
	{"count = max(i, count);", "atomic-access", "`count` is atomic<u32>, which only the atomic functions may access.",
		"Write `atomicMax(&count, i);`: it reads, changes and writes in one step.", "atomicMax(&count, i);"},
	{"count++;", "atomic-access", "`count` is atomic<u32>, which only the atomic functions may access.",
		"Write `atomicAdd(&count, 1);`: it reads, changes and writes in one step.", "atomicAdd(&count, 1);"},
	{"count *= 2;", "atomic-access", "`count` is atomic<u32>, which only the atomic functions may access.",
		"No atomic function does `*` in one step; `atomicCompareExchangeWeak` in a loop can.", ""},
	{"f = math.Tanh(f);", "method", "WGSL has no methods: `math.Tanh(…)` does not work.", "Write `tanh(…)` alone.", "f = tanh(f);"},
	{"f = 2 * f^3;", "no-power", "`^` is xor in WGSL, not a power: it compares two numbers bit by bit.",
		"For a power, write `f * f * f`. For xor, put parentheses around it.", "f = 2 * f * f * f;"},
	{"f = 1 / f^2;", "no-power", "`^` is xor in WGSL, not a power: it compares two numbers bit by bit.", "", "f = 1 / (f * f);"},
	{"f = f^3.0;", "no-power", "`^` is xor in WGSL, not a power: it compares two whole numbers bit by bit.", "For a power, write `f * f * f`.", "f = f * f * f;"},
	{"for (var j = -2; j < 2; j++) { let k = i + j; }", "bad-operands", "`i` is u32 and `j` is i32: WGSL never converts between them by itself.",
		"Write `i32(i)`.", "let k = i32(i) + j;"},
	{"let n = 0u; var j = 4; for (; j >= -2; j--) { let k = n + j; }", "bad-operands", "`n` is u32 and `j` is i32: WGSL never converts between them by itself.",
		"Write `i32(n)`.", "let k = i32(n) + j;"},
	{"var sum = 0u; sum += i32(f);", "bad-operands", "`sum` is u32 and `i32(f)` is i32: `+=` does not go with these two: WGSL never converts between them by itself.",
		"Make `sum` an i32 on line 10: a u32 can't be negative.", "var sum = 0; sum += i32(f);"},
	{"if i32(f) >= 0.0 {}", "bad-operands", "`i32(f)` is i32 and `0.0` is a float: WGSL never converts between them by itself.", "Write `0`.", "if i32(f) >= 0 {}"},
	{"let c = count;", "atomic-access", "`count` is atomic<u32>, which only the atomic functions may access.",
		"Write `atomicLoad(&count)`.", "let c = atomicLoad(&count);"},
	{"atomicAdd(count, 1);", "address-needed", "`atomicAdd` takes the address of a variable, but `count` is atomic<u32>.",
		"Write `&count`.", "atomicAdd(&count, 1);"},
	{"let v = vec2f(f, i);", "bad-arguments", "`vec2f` is made of f32, but `i` is u32.", "Write `f32(i)`.", "let v = vec2f(f, f32(i));"},
	{"f = f32(id);", "bad-arguments", "`f32` cannot be made from vec3u.", "Take one component, `id.x`, or convert all of them: `vec3f(id)`.", ""},
	{"let v: vec3f = 1.0;", "type-mismatch", "`1.0` is a float, but vec3f is needed here.",
		"Write `vec3f(1.0)` for the same number in every component.", "let v: vec3f = vec3f(1.0);"},
	{"let u: u32 = id;", "type-mismatch", "`id` is vec3u, but u32 is needed here.", "Take one component: `id.x`.", ""},
	{"let v = vec3f(1, 2);", "bad-arguments", "`vec3f` cannot be made from a whole number and a whole number.",
		"It has 3 components, but these are 2.", ""},
	{"let v = id.xyzz.q;", "bad-swizzle", "`id.xyzz` is vec4u, which has no `.q`.",
		"Its components are called x, y, z, w (or r, g, b, a), and you can combine up to four.", ""},
	{"let v: vec3 = id;", "missing-template", "`vec3` alone is not a type: it needs arguments in angle brackets.",
		"Write `vec3f`, which is `vec3<f32>`.", ""},
	{"let a = -i;", "bad-operand", "`i` is u32, and a u32 has no sign.", "Use an i32: `-i32(i)`.", ""},
	{"let a = array(1, 2)[2];", "index-range", "The index 2 is past the end: array<abstract-int, 2> has 2 elements, so the last is 1.", "", ""},
	{"let a = 1u << 33u;", "shift-range", "Shifting a u32 by 33 moves all of its 32 bits out.", "Shift by 0 to 31.", ""},
	{"return f;", "unexpected-result", "`main` declares no return type, but this `return` has a value.", "", ""},
	{"break;", "misplaced-break", "`break` leaves a loop or a `switch`, but there is none around it.", "", ""},
	{"switch i { case 1: {} }", "missing-default", "This `switch` has no `default`.", "Add `default: {}` as its last case.", ""},
	{"let i = 3;", "redeclared", "`i` is declared twice in the same scope.", "Give one of them another name.", ""},
	{"const c = i;", "not-constant", "`c` is a `const`, so its value must be known before the shader runs, and `i` is not.", "Use `let` instead.", ""},
	{"var a: array<f32, i>;", "array-length", "An array's length must be known before the shader runs, and `i` is not.",
		"Use a `const`, or omit the length in a storage buffer: `array<f32>`.", ""},
	{"let t = textureSample;", "not-a-value", "`textureSample` is a function, not a value.",
		"To call it, write parentheses after it: `textureSample(…)`.", ""},
	{"main();", "entry-call", "`main` is an entry point: only the host starts it.", "Move the shared code into its own function.", ""},
	{"discard;", "wrong-stage", "`discard` cannot be used in a compute shader.", "", ""},
	{"let h = f16(1);", "extension-not-enabled", "`f16` needs the extension `f16`.",
		"Write `enable f16;` on the first line, if the device has it.", "let h = f16(1);"},
}

func TestMessages(t *testing.T) {
	for _, m := range messages {
		t.Run(m.line, func(t *testing.T) {
			text := strings.Replace(frame, "…", m.line, 1)
			file, diagnostics := syntax.Parse(syntax.NewSource("", text))
			if len(diagnostics) == 0 {
				_, diagnostics = check(t, text)
			}
			_ = file
			require.Len(t, diagnostics, 1, "%v", texts(diagnostics))
			d := diagnostics[0]
			assert.EqualValues(t, m.code, d.Kind)
			assert.Equal(t, m.text, d.Message)
			if m.hint != "" {
				assert.Equal(t, m.hint, d.Hint)
			}
			if m.fixed == "" {
				return
			}
			require.NotEmpty(t, d.Fixes)
			fixed, err := findings.Apply(text, d.Fixes[0].Edits)
			require.NoError(t, err)
			assert.Contains(t, fixed, m.fixed)
			accept(t, fixed)
		})
	}
}

// Mistakes outside of functions, as whole shaders.
func TestMessagesOfDeclarations(t *testing.T) {
	for _, m := range []message{
		{"var x: i32;", "missing-space", "`x` is declared outside of functions, so it must say which memory it is in.", "", ""},
		{"@group(0) var<storage> a: array<f32>;", "missing-binding",
			"`a` comes from the host and needs @binding, so that the host knows where to bind it.", "Write `@binding(0)` before `var`.",
			"@binding(0) @group(0) var<storage> a: array<f32>;"},
		{"var<local> a: array<f32, 4>;", "not-an-enumerant", "`local` is not an address space.", "Write `workgroup`.", "var<workgroup> a: array<f32, 4>;"},
		{"const N = 4; var<workgroup> a: array<f32, N, N>;", "template-count", "An array has one length, but here are 2.",
			"Write `array<array<f32, N>, N>`: an array of arrays.", "var<workgroup> a: array<array<f32, N>, N>;"},
		{"var<private> a: array<vec2f, 2, 3, 4>;", "template-count", "An array has one length, but here are 3.", "",
			"var<private> a: array<array<array<vec2f, 4>, 3>, 2>;"},
		{"fn f() { var<workgroup> tile: array<f32, 64>; }", "bad-space", "`tile` is in workgroup memory, so declare it outside of the function.", "", ""},
		{"@group(0) @binding(0) var<storage, write> a: f32;", "access-mode", "A storage buffer cannot be write-only.", "Write `read_write`.",
			"@group(0) @binding(0) var<storage, read_write> a: f32;"},
		{"var<workgroup> a: array<f32>;", "bad-store-type",
			"A variable in workgroup memory cannot hold array<f32>: its length is known only when a buffer is bound.", "", ""},
		{"struct S { a: array<f32>, b: f32 }", "bad-element",
			"Only the last member may be an array without a length, and `a` is not the last of `S`.", "Move it to the end, or give it a length.", ""},
		{"struct S { a: f32, a: u32 }", "redeclared", "`S` has two members `a`.", "", ""},
		{"const a = b; const b = a;", "cycle", "`a` depends on itself.", "", ""},
		{"fn f() { g(); } fn g() { f(); }", "recursion", "`f` calls itself, directly or through others, and WGSL has no recursion.", "Write a loop.", ""},
		{"@compute fn f() {}", "missing-workgroup-size", "A compute entry point needs a workgroup size: how many invocations work together.",
			"Write `@workgroup_size(64)` after `@compute`.", "@compute @workgroup_size(64) fn f() {}"},
		{"@compute @workgroup_size(1) fn f(id: vec3u) {}", "missing-io",
			"`id` is an input of the entry point `f`, but nothing says where it comes from.", "", "fn f(@builtin(global_invocation_id) id: vec3u)"},
		{"@compute @workgroup_size(1) fn f(@builtin(global_id) id: vec3u) {}", "unknown-builtin", "There is no builtin value `global_id`.",
			"Write `global_invocation_id`.", "fn f(@builtin(global_invocation_id) id: vec3u)"},
		{"@compute @workgroup_size(1) fn f() -> f32 { return 1; }", "compute-result",
			"A compute entry point returns nothing: it writes to buffers.", "", ""},
		{"fn f() { return 1.5; }", "unexpected-result", "`f` declares no return type, but this `return` has a value.",
			"Write `-> f32` before the `{` of the function.", "fn f() -> f32 { return 1.5; }"},
		{"fn g() {}\nfn f() {\n  return\n  g();\n}", "unexpected-result",
			"`f` declares no return type, but line 4 is the value of this `return`.", "Write `;` after `return`.", "return;\n  g();"},
		{"fn f() -> f32 { return; }", "missing-result", "`f` returns f32, but this `return` has no value.", "", ""},
		{"fn f(row: u32) -> u32 { return row; } fn g() -> u32 { return f(row); }", "unknown-name", "`row` (line 1) exists only inside the function `f`.",
			"Give `g` a parameter for it.", ""},
		{"enable f61;", "unknown-extension", "There is no extension `f61`.", "Did you mean `f16`?", "enable f16;"},
		{"const_assert 1 > 2;", "assertion-failed", "`1 > 2` is false.", "", ""},
	} {
		t.Run(m.line, func(t *testing.T) {
			_, diagnostics := check(t, m.line)
			require.Len(t, diagnostics, 1, "%v", texts(diagnostics))
			d := diagnostics[0]
			assert.EqualValues(t, m.code, d.Kind)
			assert.Equal(t, m.text, d.Message)
			if m.hint != "" {
				assert.Equal(t, m.hint, d.Hint)
			}
			if m.fixed != "" {
				require.NotEmpty(t, d.Fixes)
				fixed, err := findings.Apply(m.line, d.Fixes[0].Edits)
				require.NoError(t, err)
				assert.Contains(t, fixed, m.fixed)
				accept(t, fixed)
			}
		})
	}
}

// A feature that exists, but not here, is no misspelling: one error names it and says where it is.
func TestLaterFeatures(t *testing.T) {
	const texels = "; Chrome has it behind a flag."
	for text, want := range map[string][]string{
		"requires texel_buffers, texel_buffer;\n@group(0) @binding(0) var t: texel_buffer<r32uint, read>;": {
			"`texel_buffers` is a language feature that this program doesn't know yet" + texels,
			"`texel_buffer` is a language feature that this program doesn't know yet" + texels,
		},
		"@group(0) @binding(0) var t: texel_buffer<r32uint, read>;": {
			"`texel_buffer` needs the language feature `texel_buffers`, which this program doesn't know yet" + texels,
		},
		"requires sized_binding_array;": {"`sized_binding_array` is a language feature that this program doesn't know yet" + texels},
		"enable chromium_experimental_pixel_local;": {
			"`chromium_experimental_pixel_local` is an experiment of Chromium, and this program doesn't know it.",
		},
		"fn f() -> u32 { return buffer[0]; }":                               {"`buffer` is not declared."},
		"struct buffer { a: u32 }\nfn f(bufferLength: buffer) {}":           nil,
		"alias binding_array = u32;\nfn f() -> binding_array { return 1; }": nil,
	} {
		_, diagnostics := check(t, text)
		var got []string
		for _, d := range diagnostics {
			got = append(got, d.Message)
		}
		require.Equal(t, want, got, text)
	}
}

// The advice for an unknown name is a declaration of what it must be at its place.
func TestAnUnknownFunctionOrType(t *testing.T) {
	const asStruct, asFunction = "Declare it, outside functions: `struct Ray { … }`.", "Declare it, outside functions: `fn init_rand(…) { … }`."
	for text, want := range map[string]string{
		"fn f() { init_rand(1); }":                            asFunction,
		"fn f() { let a = 1 + init_rand(1); }":                asFunction,
		"const a = init_rand(1);":                             asFunction,
		"fn f() -> Ray { }":                                   asStruct,
		"fn f(r: ptr<function, Ray>) { }":                     asStruct,
		"var<private> r: array<Ray, 4>;":                      asStruct,
		"struct A { r: Ray }":                                 asStruct,
		"alias A = Ray;":                                      asStruct,
		"fn f() { let ray = 1; var r: Ray; }":                 asStruct,
		"fn f() { let r = Ray(1, 2); }":                       asStruct,
		"struct Rays { a: u32 }\nfn f() -> Ray { }":           "Did you mean `Rays`?",
		"fn init_rang(a: u32) { }\nfn f() { init_rand(1); }":  "Did you mean `init_rang`?",
		"fn f() { let init_rang = 1; init_rand(init_rang); }": asFunction,
	} {
		_, diagnostics := check(t, text)
		require.NotEmpty(t, diagnostics, text)
		require.Equal(t, want, diagnostics[0].Hint, text)
	}
}

// Where only a constant may be, the advice for an unknown name is a const.
func TestAnUnknownConstant(t *testing.T) {
	const asConst, asLet = "Declare it first, outside functions: `const SIZE = …;`.", "Declare it first: `let SIZE = …;` or `var SIZE = …;`."
	for text, want := range map[string]string{
		"var<workgroup> a: array<f32, SIZE>;":                         asConst,
		"var<workgroup> a: array<f32, SIZE * 2>;":                     asConst,
		"const N = SIZE + 1;":                                         asConst,
		"@compute @workgroup_size(SIZE) fn main() {}":                 asConst,
		"fn f() { var a: array<f32, SIZE>; }":                         asConst,
		"fn f() { var a: array<f32, 2>; a[SIZE] = 1; }":               asLet,
		"fn f() { let n = SIZE; }":                                    asLet,
		"fn f() { var a: array<array<f32, 2>, 2>; let b = a[SIZE]; }": asLet,
	} {
		_, diagnostics := check(t, text)
		require.Len(t, diagnostics, 1, text)
		require.Equal(t, want, diagnostics[0].Hint, text)
	}
}
