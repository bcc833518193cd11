// goals: coalesced
// way: A workgroup shares a piece of d in workgroup memory, since all hidden numbers of a sample
//   need the same outputs.
// A workgroup shares a piece of d of its rows, 16 outputs at a time.
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

var<workgroup> piece: array<f32, 256>;

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.y * 16u + local.y;
    let col = group.x * 16u + local.x;
    var total = 0.0;
    for (var first = 0u; first < dims.n; first += 16u) {
        var mine = 0.0;
        if (row < dims.m && first + local.x < dims.n) {
            mine = d[row * dims.n + first + local.x];
        }
        piece[local.y * 16u + local.x] = mine;
        workgroupBarrier();
        for (var i = 0u; i < min(16u, dims.n - first); i++) {
            if (col < dims.k) {
                total += piece[local.y * 16u + i] * w[col * dims.n + first + i];
            }
        }
        workgroupBarrier();
    }
    if (row < dims.m && col < dims.k) {
        dh[row * dims.k + col] = select(total, 0.0, hidden[row * dims.k + col] == 0.0);
    }
}
