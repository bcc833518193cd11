// goals: coalesced; writes each result once
// Four samples at once with vec4 and dot, then the rest.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

fn four(row: u32, s: u32) -> vec4<f32> {
    let at = s * dims.k + row;
    return vec4<f32>(x[at], x[at + dims.k], x[at + 2u * dims.k], x[at + 3u * dims.k]);
}

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.k || col >= dims.n) {
        return;
    }
    let whole = dims.m / 4u * 4u;
    var total = 0.0;
    for (var s = 0u; s < whole; s += 4u) {
        total += dot(four(row, s), vec4<f32>(d[s * dims.n + col], d[(s + 1u) * dims.n + col], d[(s + 2u) * dims.n + col], d[(s + 3u) * dims.n + col]));
    }
    for (var s = whole; s < dims.m; s++) {
        total += x[s * dims.k + row] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = total;
}
