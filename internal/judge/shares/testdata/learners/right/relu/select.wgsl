// relu: every element x of data becomes max(x, 0), in place
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

fn bend(v: f32) -> f32 {
    if (v > 0.0) {
        return v;
    }
    return 0.0;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) { data[i] = bend(data[i]); }
}
