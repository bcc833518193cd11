// roof/fma: it only multiplies and adds.
//
// It shows how fast a device can compute. Each invocation has 8 vec4s, and multiplies
// and adds to all of their 32 numbers STEPS times. None of the 8 waits for another, so
// the device always has something to do. The shader stores the result; without that,
// the compiler would leave everything out.

const STEPS = 512u;

@group(0) @binding(0) var<uniform> seed: vec4<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = seed;
    let y = seed.wzyx;
    var a = seed * f32(id.x);
    var b = a + 1.0;
    var c = a + 2.0;
    var d = a + 3.0;
    var e = a + 4.0;
    var f = a + 5.0;
    var g = a + 6.0;
    var h = a + 7.0;
    for (var i = 0u; i < STEPS; i += 4u) {
        for (var j = 0u; j < 4u; j++) {
            a = fma(a, x, y);
            b = fma(b, x, y);
            c = fma(c, x, y);
            d = fma(d, x, y);
            e = fma(e, x, y);
            f = fma(f, x, y);
            g = fma(g, x, y);
            h = fma(h, x, y);
        }
    }
    let all = a + b + c + d + e + f + g + h;
    out[id.x] = all.x + all.y + all.z + all.w;
}
