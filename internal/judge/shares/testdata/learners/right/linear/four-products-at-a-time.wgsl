struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let col = id.x;
    let row = id.y;
    if (!(col < dims.n && row < dims.m)) {
        return;
    }
    var sum = bias[col];
    let xs = row * dims.k;
    var i = 0u;
    while (i + 4u <= dims.k) {
        let p = vec4<f32>(x[xs + i], x[xs + i + 1u], x[xs + i + 2u], x[xs + i + 3u]);
        let q = vec4<f32>(w[i * dims.n + col], w[(i + 1u) * dims.n + col],
                          w[(i + 2u) * dims.n + col], w[(i + 3u) * dims.n + col]);
        sum += dot(p, q);
        i += 4u;
    }
    // what is left over
    while (i < dims.k) {
        sum += x[xs + i] * w[i * dims.n + col];
        i += 1u;
    }
    out[row * dims.n + col] = sum;
}
