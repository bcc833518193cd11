// goals: coalesced
// 64 columns of one row in each workgroup; a while loop from the end.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) gid: vec3u) {
    let column = gid.x;
    let row = gid.y;
    if (column >= dims.n) { return; }
    var acc = 0f;
    var i = dims.k;
    while (i > 0u) {
        i--;
        acc = fma(a[row * dims.k + i], b[i * dims.n + column], acc);
    }
    out[row * dims.n + column] = acc;
}
