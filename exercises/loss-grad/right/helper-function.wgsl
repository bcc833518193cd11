// goals: coalesced
// The gradient of one element in a function; a loop from the end; log2 and a factor.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> prob: array<f32>;
@group(0) @binding(2) var<storage, read> label: array<u32>;
@group(0) @binding(3) var<storage, read_write> loss: array<f32>;
@group(0) @binding(4) var<storage, read_write> d: array<f32>;

fn slope(row: u32, c: u32) -> f32 {
    let p = prob[row * dims.cols + c];
    return (p - f32(c == label[row])) / f32(dims.rows);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&loss)) {
        return;
    }
    var c = dims.cols;
    while (c > 0u) {
        c--;
        d[id.x * dims.cols + c] = slope(id.x, c);
    }
    loss[id.x] = -0.69314718056 * log2(prob[id.x * dims.cols + label[id.x]]);
}
