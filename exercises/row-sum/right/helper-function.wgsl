// goals: writes each result once
// The sum in a function; a loop with break; the length from arrayLength.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn sum_from(begin: u32) -> f32 {
    var sum = 0.0;
    var i = begin;
    loop {
        if (i == begin + dims.cols) { break; }
        sum += x[i];
        i++;
    }
    return sum;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&out)) {
        return;
    }
    out[id.x] = sum_from(id.x * dims.cols);
}
