// goals: no bank conflicts; few barriers
// way: Only a piece of one row of `a` is shared. Each element of `b` is used once in this
//   workgroup, so sharing it would save nothing.
// One row of 64 in each workgroup; only a is shared.
const TILE = 16u;
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

var<workgroup> piece: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_index) me: u32) {
    let row = gid.y;
    let col = gid.x;
    var sum = 0.0;
    var start = 0u;
    while (start < dims.k) {
        let n = min(64u, dims.k - start);
        if (me < n) {
            piece[me] = a[row * dims.k + start + me];
        }
        workgroupBarrier();
        if (col < dims.n) {
            for (var i = 0u; i < n; i++) {
                sum = fma(piece[i], b[(start + i) * dims.n + col], sum);
            }
        }
        workgroupBarrier();
        start += 64u;
    }
    if (col < dims.n) {
        out[row * dims.n + col] = sum;
    }
}
