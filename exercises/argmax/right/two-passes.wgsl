// goals: coalesced
// way: The first walk finds the largest number, the second its place.
struct Dims { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

const LOWEST = -3.4028234e38;

fn largest(start: u32, end: u32) -> f32 {
    var value = LOWEST;
    for (var i = start; i < end; i++) { value = max(value, x[i]); }
    return value;
}

@compute @workgroup_size(100)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.rows) { return; }
    let start = id.x * dims.cols;
    let wanted = largest(start, start + dims.cols);
    var i = start;
    while (x[i] != wanted) {
        i += 1u;
    }
    out[id.x] = i - start;
}
