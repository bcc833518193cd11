// goals: none
// It uses signed columns, as for a filter.
struct Dims {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let col = i32(id.x);
    let row = i32(id.y);
    if (col >= i32(dims.w) || row >= i32(dims.h)) {
        return;
    }
    let here = x[row * i32(dims.w) + col];
    var result = here;
    for (var d = -1; d <= 1; d++) {
        let c = col + d;
        if (c >= 0 && c < i32(dims.w) && x[row * i32(dims.w) + c] > here) {
            result = 0.0;
        }
    }
    out[row * i32(dims.w) + col] = result;
}
