// diagnosis: last-term-only
// title: Only the last term of each sum reached the output.
// why: The sums are set to 0 inside the loop over k, so each step begins again.
// ask: What do your sums hold at the start of the second step?
// Each step has its sums.
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
    var sums: array<f32, 16>;
    for (var i = 0u; i < dims.k; i++) {
        sums = array<f32, 16>();
        for (var r = 0u; r < 4u; r++) {
            for (var c = 0u; c < 4u; c++) {
                sums[r * 4u + c] += a[min(4u * id.y + r, dims.m - 1u) * dims.k + i] * b[i * dims.n + min(4u * id.x + c, dims.n - 1u)];
            }
        }
    }
    for (var r = 0u; r < 4u; r++) {
        for (var c = 0u; c < 4u; c++) {
            let row = 4u * id.y + r;
            let column = 4u * id.x + c;
            if (row < dims.m && column < dims.n) {
                out[row * dims.n + column] = sums[r * 4u + c];
            }
        }
    }
}
