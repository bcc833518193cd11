// goals: none
// way: Where relu was at 0, the invocation writes the 0 and is done. The others go through the
//   outputs.
// A zero is written first, and the invocation is done.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> hidden: array<f32>;
@group(0) @binding(4) var<storage, read_write> dh: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * dims.k + id.x;
    if (id.y >= dims.m || id.x >= dims.k) {
        return;
    }
    if (hidden[at] <= 0.0) {
        dh[at] = 0.0;
        return;
    }
    var left = dims.n;
    var total = 0.0;
    while (left > 0u) {
        left--;
        total += w[id.x * dims.n + left] * d[id.y * dims.n + left];
    }
    dh[at] = total;
}
