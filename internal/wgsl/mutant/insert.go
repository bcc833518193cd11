package mutant

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// lines returns the lines of a list.
func lines(list string) []string { return strings.Split(strings.TrimSpace(list), "\n") }

var declarations = lines(`
const LEFT = 0u;
const LEFT = 0x0u;
const LEFT = -1;
const LEFT = 9223372036854775807;
const LEFT = 4294967295u;
const LEFT = 1e38f;
const NONE = vec2f();
const ALL = array(1u, 2u, 3u);
override SIZE = 64u;
override SIZE: u32;
@id(7) override on: bool = true;
alias Row = array<f32, 4>;
alias Self = Self;
var<workgroup> tile: array<f32, 64>;
var<workgroup> tile: array<array<vec4f, 16>, 16>;
var<workgroup> count: atomic<u32>;
var<private> seen: u32 = 3u;
var<workgroup> huge: array<u32, 1000000000>;
@group(0) @binding(0) var<storage, read_write> more: array<u32>;
@group(0) @binding(9) var<uniform> more: vec4f;
@group(1) @binding(0) var<storage> other: array<atomic<u32>>;
struct Pair { a: f32, b: vec3f, }
struct Tail { n: u32, rest: array<f32>, }
struct Own { own: Own, }
struct None {}
fn twice(a: f32) -> f32 { return a * 2.0; }
fn again(n: u32) -> u32 { return again(n); }
fn nothing() {}
fn at(p: ptr<function, u32>) { *p = 1u; }
@compute @workgroup_size(1) fn other() {}
@compute @workgroup_size(0) fn none() {}
@compute @workgroup_size(64, 64, 64) fn wide() {}
@fragment fn shade() {}
enable f16;
enable subgroups;
requires readonly_and_readwrite_storage_textures;
diagnostic(off, derivative_uniformity);
const_assert 1 > 2;
const_assert true;
`)

// declare adds a declaration before or after everything, or at a line.
func (m *maker) declare() string {
	at := m.line().At()
	switch m.rng.IntN(4) {
	case 0:
		at = syntax.Span{}
	case 1:
		at = syntax.Span{Start: int32(len(m.text)), End: int32(len(m.text))}
	}
	return m.replace(at, pick(m.rng, declarations)+"\n")
}

var statements = lines(`
workgroupBarrier();
storageBarrier();
return;
break;
continue;
{}
;
let a = 1u;
var i = 0u;
let id = 3;
loop {}
while true {}
loop { break; }
for (;;) {}
for (var i = 0u; i < 4u; i++) {}
for (var n = 10u; n >= 0u; n--) { let a = n; }
if true { return; }
if false {} else if true {} else {}
switch 1 { default {} }
switch 2u { case 1u, 2u: { } default: { return; } }
loop { continuing { break if true; } }
_ = 1 / 0;
let z = 0u; _ = 1u / z;
var p: array<u32, 4>; p[9] = 1u;
var q: array<u32, 4>; let r = &q[2]; *r += 1u;
const c = 1 << 31;
let s = vec4f().xyz.zy;
var v: vec3f; v.x = 1.0; v[2] = v.x;
// print: i
// debug: break
// print if x:
discard;
`)

// state adds a statement at a line, or where another ends.
func (m *maker) state() string {
	at := m.line()
	ends := func(token string) bool { return token == "{" || token == ";" }
	if end, ok := m.where(ends); ok && m.rng.IntN(3) > 0 {
		at = end
	}
	return m.replace(at.At(), " "+pick(m.rng, statements)+"\n")
}

// wrappers have a value in place of each $.
var wrappers = lines(`
($)
-$
!$
~$
($ + 1)
($ - 1u)
$ * $
u32($)
f32($)
i32($)
bool($)
vec2($)
vec3f(f32($))
abs($)
max($, $)
select($, $, true)
$.x
$.y
$.xy
$[0]
$[$]
&$
*$
*&$
bitcast<u32>($)
array($, $)[0]
array<f32, $>()
$()
$($)
arrayLength(&$)
atomicLoad(&$)
$ % 0
$ / 0u
$ << 33u
`)

// wrap puts an expression around a name or a number.
func (m *maker) wrap() string {
	at, ok := m.where(func(token string) bool { return isName(token) || isNumber(token) })
	if !ok {
		return m.text
	}
	return m.replace(at, strings.ReplaceAll(pick(m.rng, wrappers), "$", m.slice(at)))
}

// cut takes the end of the text, the start or a part of it, at any byte.
func (m *maker) cut() string {
	a, b := m.rng.IntN(len(m.text)+1), m.rng.IntN(len(m.text)+1)
	switch m.rng.IntN(3) {
	case 0:
		return m.text[:a]
	case 1:
		return m.text[a:]
	}
	return m.text[:min(a, b)] + m.text[max(a, b):]
}

var odd = []string{
	"\x00", "\uFEFF", "\u200b", "\u202e", "\u2028", "\u0085", "\r", "\r\n", "\t", "\v", "é", "𝄞",
	"\xff", "\xed\xa0\x80", "\"", "'", "`", "#", "$", "\\", "?", "@", "@@",
	"/*", "*/", "//", "{", "}", "(", ")",
	"<", ">", "[", "]", "::", ";;", "->",
	"0x", "1e", "e\u0301", "\x1b[2J", "<b>&amp;</b>", "%s%d%!", "\x7f",
}

// insertOdd inserts characters at any byte: mostly a few, and sometimes about as many as there are
// mistakes that the front end reports.
func (m *maker) insertOdd() string {
	at := int32(m.rng.IntN(len(m.text) + 1))
	times := 1 + m.rng.IntN(3)
	if m.rng.IntN(4) == 0 {
		times = syntax.MaxDiagnostics - m.rng.IntN(10)
	}
	return m.replace(syntax.Span{Start: at, End: at}, strings.Repeat(pick(m.rng, odd), times))
}

// nests have a value in place of the $.
var nests = lines(`
($)
-$
!$
f32($)
vec2($).x
array($)[0]
($ + 1)
select($, 0, true)
{$}
if true {$}
loop {$}
`)

// mostNested is how often nest nests at most: a little more often than the front end follows.
const mostNested = syntax.MaxNesting + 20

// nest puts an expression or a statement around a name or a number, again and again.
func (m *maker) nest() string {
	at, ok := m.where(func(token string) bool { return isName(token) || isNumber(token) })
	if !ok {
		return m.text
	}
	before, after, _ := strings.Cut(pick(m.rng, nests), "$")
	times := 1 + m.rng.IntN(mostNested)
	return m.replace(at, strings.Repeat(before, times)+m.slice(at)+strings.Repeat(after, times))
}
