package sim_test

import (
	"encoding/binary"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
)

// TestSemantics runs expressions and statements whose results the specification defines. Each
// writes `i` (i32), `u` (u32) or `f` (f32), the three words of a buffer. Their initial values are
// 7, 3000000000 and 2.5.
func TestSemantics(t *testing.T) {
	for _, c := range []struct {
		name string
		body string
		i    int32
		u    uint32
		f    float32
	}{
		{"wrapping", "m.i = 2147483647 - 7 + m.i + 1; m.u = m.u * 2u;", math.MinInt32, 1705032704, 2.5},
		{"division by zero", "m.i = m.i / (m.i - 7); m.u = m.u % (m.u - 3000000000u);", 7, 0, 2.5},
		{"the lowest number by -1", "let low = -2147483641 - m.i; m.i = low / (6 - m.i);", math.MinInt32, 3000000000, 2.5},
		{"remainders have the left sign", "m.i = -m.i % 4; m.f = -m.f % 2.0;", -3, 3000000000, -0.5},
		{"shifts take five bits", "let n = u32(m.i) + 26u; m.i = -16 >> (n - 31u); m.u = m.u >> n;", -4, 1500000000, 2.5},
		{"floats to integers", "m.i = i32(m.f * 1e20); m.u = u32(-m.f);", 2147483520, 0, 2.5},
		{"bits", "m.i = i32(countOneBits(m.u)); m.u = reverseBits(m.u) ^ firstLeadingBit(m.u); m.f = bitcast<f32>(m.u - m.u + 0x3f800000u);",
			12, 0x007a0b4d ^ 31, 0},
		{"short circuit", "let no = m.i > 9 && bump(); let yes = m.i < 9 || bump(); m.f = select(1.0, 2.0, no || !yes);", 7, 3000000000, 1},
		{"a left side that is known", "let no = false && m.i > 3; if (true || m.i > 4) { m.i = 8; } if (false && (m.u > 4u)) { m.i = 9; } m.u = u32(no);", 8, 0, 2.5},
		{"both sides of |", "let x = (m.i < 9) | bump();", 8, 3000000000, 2.5},
		{"switch", "switch (m.i) { case 1, 7: { m.u = 1u; break; } case 8, default: { m.u = 2u; } } switch (m.i) { case 1: { m.i = 0; } default: { m.i = 9; } }", 9, 1, 2.5},
		{"continuing", "m.u = 0u; loop { if (m.i % 2 == 0) { continue; } m.u += 1u; continuing { m.i -= 1; break if m.i == 0; } }", 0, 4, 2.5},
		{"for and continue", "m.u = 0u; for (var k = 0; k < 10; k++) { if (k < m.i) { continue; } m.u += u32(k); }", 7, 24, 2.5},
		{"while and break", "while (true) { m.i--; if (m.i < 3) { break; } }", 2, 3000000000, 2.5},
		{"pointers", "var v = vec3(1, 2, 3); let p = &v; (*p).y = m.i; put(&v, 2); m.i = v.x + v.y * 10 + v.z * 100;", 571, 3000000000, 2.5},
		{"a value that is copied", "var v = vec2(m.i, 2); let w = v; v = v.yx; m.i = v.x + v.y * 10 + w.x * 100;", 772, 3000000000, 2.5},
		{"arrays by index", "var a = array<array<i32, 3>, 2>(); a[m.i - 6][m.i - 5] = 4; let b = a; m.i = b[1][2] + b[0][2];", 4, 3000000000, 2.5},
		{"matrices", "let a = mat2x3f(1, 2, 3, 4, 5, 6); let v = a * vec2f(1, m.f); m.f = v.z + (vec3f(1, 1, 1) * a).y + (transpose(a) * vec3f(1, 0, 0)).y;", 7, 3000000000, 18 + 15 + 4},
		{"determinant", "m.f = determinant(mat3x3f(2, 0, 0, 0, 3, 1, 0, m.f, 4));", 7, 3000000000, 19},
		{"structures", "var p = Pair(m.i, vec2f(1, m.f)); p.b.x += 1; let q = p; m.f = q.b.x * q.b.y; m.i = q.a;", 7, 3000000000, 5},
		{"arguments before the call", "m.i = add(bumped(), bumped());", 8*10 + 9, 3000000000, 2.5},
		{"a variable before the call that changes it", "var x = 1; m.i = x + setTo(&x, 5) + x;", 11, 3000000000, 2.5},
		{"private variables", "count += 1; m.i = count;", 42, 3000000000, 2.5},
		{"values that go nowhere", "_ = 5000000000; _ = array(vec2(1e300), vec2(1)); _ = modf(1e300); _ = bump(); for (_ = 1e300; m.i < 9; _ = -5000000000) { m.i++; }", 9, 3000000000, 2.5},
		{"rounded to f32", "m.f = (m.f + 16777216.0) - 16777216.0;", 7, 3000000000, 2},
		{"rounded to f16", "m.f = f32(f16(m.f) + 2048.0h);", 7, 3000000000, 2050},
		{"frexp and modf", "let e = frexp(m.f); let s = modf(-m.f); m.i = e.exp; m.f = e.fract + s.fract * 10.0 + s.whole;", 2, 3000000000, 0.625 - 5 - 2},
		{"packing", "m.u = pack4x8snorm(vec4f(-1, 1, 0, m.f)); m.f = unpack2x16float(pack2x16float(vec2f(0, m.f))).y;", 7, 0x7f007f81, 2.5},
		{"extracting and inserting bits", "m.u = insertBits(m.u, 5u, 30u, u32(m.i) - 3u); m.i = extractBits(-m.i, 1u, 3u);", -4, 3000000000&(1<<30-1) | 1<<30, 2.5},
		{"clamping and the like", "m.i = clamp(m.i, 0, 5) * 100 + min(m.i, 3) * 10 + max(m.i, 9); m.f = saturate(m.f) + sign(-m.f) + mix(1.0, 3.0, 0.5) + fract(m.f) + step(1.0, m.f);", 539, 3000000000, 3.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := mustBuild(t, `enable f16;
struct M { i: i32, u: u32, f: f32 }
struct Pair { a: i32, b: vec2f }
@group(0) @binding(0) var<storage, read_write> m: M;
var<private> count = 41;
fn bump() -> bool { m.i++; return true; }
fn bumped() -> i32 { m.i++; return m.i; }
fn add(a: i32, b: i32) -> i32 { return a * 10 + b; }
fn put(p: ptr<function, vec3i>, k: i32) { (*p)[k] = 5; }
fn setTo(p: ptr<function, i32>, v: i32) -> i32 { *p = v; return v; }
@compute @workgroup_size(1) fn main() { `+c.body+" }")
			require.NoError(t, program.Disassemble(io.Discard))
			for _, watch := range []bool{false, true} {
				memory := binary.LittleEndian.AppendUint32(nil, 7)
				memory = binary.LittleEndian.AppendUint32(memory, 3000000000)
				memory = binary.LittleEndian.AppendUint32(memory, math.Float32bits(2.5))
				require.True(t, run(t, program, [3]uint32{1, 1, 1}, sim.Options{Watch: watch}, memory).Finished)
				assert.Equal(t, c.i, int32(binary.LittleEndian.Uint32(memory)), "i")
				assert.Equal(t, c.u, binary.LittleEndian.Uint32(memory[4:]), "u")
				if c.f != 0 {
					assert.Equal(t, c.f, math.Float32frombits(binary.LittleEndian.Uint32(memory[8:])), "f")
				}
			}
		})
	}
}
