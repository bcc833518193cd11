@group(0) @binding(0) var<storage, read_write> data: array<u32>;
struct Inner { flags: vec2<bool>, m: mat2x3<f32> }
struct Outer { n: i32, inner: Inner, list: array<vec2<f32>, 2> }
const PI = 3.14159;
@compute @workgroup_size(2, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let f = f32(id.x) - 0.1;
    let m = mat2x3<f32>(f, 1.0, 2.0, 3.0, 4.0, f32(id.y)); // print: f, -f, f * 1e20, m, m[1], vec4(f, 0.0, 1.0, -2.5).zw
    var o = Outer(-3, Inner(vec2<bool>(true, id.x == 1u), m), array<vec2<f32>, 2>(vec2(f), vec2(2.0))); // print: o, o.inner
    let p = &o.list;
    let long = array<u32, 40>(); // print: long, (*p)[1]
    let split = frexp(f); // print: split, modf(1.5), 1, 2.5, PI, vec2(1, 2), i32(-7), true, id < vec3<u32>(1u), id.x < 2u, id.y > (1u)
    // print if o.inner.flags.y: id.xy /* both */ , o.inner.flags // the flags
    data[id.x] = 1u;
}
