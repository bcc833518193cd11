// goals: none
// way: The 16 elements one after another: right, but every number is fetched for every element again.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var r = 0u; r < 4u; r++) {
        for (var c = 0u; c < 4u; c++) {
            let row = 4u * id.y + r;
            let column = 4u * id.x + c;
            if (row >= dims.m || column >= dims.n) {
                continue;
            }
            var sum = 0.0;
            for (var i = 0u; i < dims.k; i++) {
                sum += a[row * dims.k + i] * b[i * dims.n + column];
            }
            out[row * dims.n + column] = sum;
        }
    }
}
