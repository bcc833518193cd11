// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> parts: array<vec2<f32>, SIZE>;
fn merge(p: vec2<f32>, q: vec2<f32>) -> vec2<f32> {
    let m = max(p.x, q.x);
    return vec2(m, p.y * exp(p.x - m) + q.y * exp(q.x - m));
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x * dims.cols;
    let me = local.x;
    var p = vec2(-3.4028234e38, 0.0);
    for (var c = me; c < dims.cols; c += SIZE) {
        p = merge(p, vec2(data[row + c], 1.0));
    }
    parts[me] = p;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            parts[me] = merge(parts[me], parts[me + half]);
        }
    }
    workgroupBarrier();
    let all = parts[0];
    for (var c = me; c < dims.cols; c += SIZE) {
        data[row + c] = exp(data[row + c] - all.x) / all.y;
    }
}
