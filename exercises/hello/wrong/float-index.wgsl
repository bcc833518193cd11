// diagnosis: no-implicit-conversion
// Numbers are numbers.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = f32(id.x);
    if (id.x < arrayLength(&out)) {
        out[id.x] = i;
    }
}
