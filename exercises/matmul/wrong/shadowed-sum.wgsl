// diagnosis: zero
// title: Every element is 0.
// why: Each element was written, but no input reached it. Either you wrote a different variable
//   from the one you summed up in, or the loop never ran.
// ask: Follow one value from the input to the output: where does it get lost?
// The sum needs a type, so it is declared again.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y >= dims.m || id.x >= dims.n) { return; }
    var sum: f32 = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        var sum: f32 = 0.0;
        sum += a[id.y * dims.k + i] * b[i * dims.n + id.x];
    }
    out[id.y * dims.n + id.x] = sum;
}
