// diagnosis: shifted
// title: Each element holds its right-hand neighbour's sum.
// why: You read the inputs one element further on than you write the output.
// ask: Do indices start at 0 or at 1?
// Element 1 is the first one.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[i + 1u] + b[i + 1u];
    }
}
