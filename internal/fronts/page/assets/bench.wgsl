// Paste any compute shader over this one, or drop a file here.
// This one adds up 64 elements in each workgroup. A barrier is missing: Run says where.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

var<workgroup> part: array<f32, 64>;

@compute @workgroup_size(64)
fn main(
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    part[i] = a[group.x * 64u + i];
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if (i < half) {
            part[i] += part[i + half];
        }
    }
    // print if i == 0u: group.x, part[0]
    if (i == 0u) {
        sums[group.x] = part[0];
    }
}
