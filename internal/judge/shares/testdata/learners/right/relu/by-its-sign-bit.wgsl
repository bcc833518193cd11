@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(96)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&data)) {
        return;
    }
    let p = &data[id.x];
    let bits = bitcast<u32>(*p);
    // the highest bit is the sign
    *p = bitcast<f32>(select(bits, 0u, (bits >> 31u) == 1u));
}
