// goals: writes each result once
// way: 64 scores at a time go through workgroup memory.
struct Params {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // n

const SIZE = 64u;

var<workgroup> tile: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let score = scores[min(id.x, params.n - 1u)];
    var ahead = 0u;
    for (var first = 0u; first < params.n; first += SIZE) {
        if (first + me < params.n) {
            tile[me] = scores[first + me];
        }
        workgroupBarrier();
        for (var j = 0u; j < min(SIZE, params.n - first); j++) {
            let other = tile[j];
            ahead += u32(other > score || (other == score && first + j < id.x));
        }
        workgroupBarrier();
    }
    if (id.x < params.n) {
        out[id.x] = select(-1e30, score, ahead < params.k);
    }
}
