struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (any(id.xy >= vec2<u32>(dims.n, dims.m))) {
        return;
    }
    var left = dims.k;
    var ia = (id.y + 1u) * dims.k;         // one past the end of my row
    var ib = dims.k * dims.n + id.x;       // one row below my column
    var acc = 0.0;
    loop {
        if (left == 0u) { break; }
        left -= 1u;
        ia -= 1u;
        ib -= dims.n;
        acc = fma(a[ia], b[ib], acc);
    }
    out[id.x + dims.n * id.y] = acc;
}
