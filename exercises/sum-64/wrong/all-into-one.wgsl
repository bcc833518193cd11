// diagnosis: missing-barrier
// All of them add to one number.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: f32;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial += x[group.x * SIZE + me];
    workgroupBarrier();
    if (me == 0u) {
        out[group.x] = partial;
    }
}
