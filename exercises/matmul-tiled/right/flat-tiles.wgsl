// goals: coalesced; workgroups share what they fetch; few barriers
// Flat arrays, select at the edges, the second tile transposed, a helper function for the barrier.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

const W = 16u;

var<workgroup> ta: array<f32, 256>;
var<workgroup> tb: array<f32, 256>;

fn everybody() {
    workgroupBarrier();
}

@compute @workgroup_size(W, W)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = tile.y * W + local.y;
    let col = tile.x * W + local.x;
    let last_row = min(row, dims.m - 1u);
    let last_col = min(col, dims.n - 1u);
    var sum = 0.0;
    for (var t = 0u; t < (dims.k + W - 1u) / W; t++) {
        let ka = t * W + local.x;
        let kb = t * W + local.y;
        ta[local.y * W + local.x] = select(0.0, a[last_row * dims.k + ka], ka < dims.k);
        tb[local.x * W + local.y] = select(0.0, b[kb * dims.n + last_col], kb < dims.k);
        everybody();
        for (var i = 0u; i < W; i += 4u) {
            let l = local.y * W + i;
            let r = local.x * W + i;
            sum += dot(vec4(ta[l], ta[l + 1u], ta[l + 2u], ta[l + 3u]), vec4(tb[r], tb[r + 1u], tb[r + 2u], tb[r + 3u]));
        }
        everybody();
    }
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    out[row * dims.n + col] = sum;
}
