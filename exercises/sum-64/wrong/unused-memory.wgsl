// diagnosis: serial-reduction
// Declaring workgroup memory is enough.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    partial[local.x] = 0.0;
    var sum = 0.0;
    for (var i = 0u; i < 64u; i++) {
        sum += x[group.x * 64u + i];
    }
    if (local.x == 0u) {
        out[group.x] = sum;
    }
}
