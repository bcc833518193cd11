// diagnosis: workgroup-index
// workgroup_id counts through all the work.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) id: vec3<u32>) {

    if (id.x < arrayLength(&out)) {
        out[id.x] = id.x;
    }
}
