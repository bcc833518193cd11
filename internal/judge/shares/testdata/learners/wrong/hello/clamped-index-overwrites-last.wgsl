@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let last = arrayLength(&out) - 1u;
    let i = min(id.x, last); // never past the end
    out[i] = id.x;
}
