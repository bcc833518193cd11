// diagnosis: vector-in-parts
// Four numbers fit in a vector, and each invocation has its component.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> part: array<vec4<f32>, 8>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    var mine = -3.4e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        mine = max(mine, x[row * dims.cols + c]);
    }
    part[me / 4u][me % 4u] = mine;
    workgroupBarrier();
    if (me == 0u) {
        var best = part[0];
        for (var i = 1u; i < 8u; i++) {
            best = max(best, part[i]);
        }
        out[row] = max(max(best.x, best.y), max(best.z, best.w));
    }
}
