// diagnosis: workgroup-start
// Workgroup times 64 is my index.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>) {

    let i = group.x * 64u;
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
