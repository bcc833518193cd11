// goals: coalesced; no bank conflicts; few barriers
// way: One walk, but the squares are those of the differences from the first number.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read> gain: array<f32>; // one for each column
@group(0) @binding(3) var<storage, read> bias: array<f32>; // one for each column
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // rows × cols

var<workgroup> partial: array<vec2<f32>, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;
    let first = x[start];
    var mine = vec2<f32>();
    for (var c = me; c < dims.cols; c += SIZE) {
        let off = x[start + c] - first;
        mine += vec2(off, off * off);
    }
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    let means = partial[0] / f32(dims.cols);
    let scale = inverseSqrt(max(means.y - means.x * means.x, 0.0) + 1e-5);
    for (var c = me; c < dims.cols; c += SIZE) {
        out[start + c] = (x[start + c] - first - means.x) * scale * gain[c] + bias[c];
    }
}
