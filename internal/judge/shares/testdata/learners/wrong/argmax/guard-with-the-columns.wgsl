struct Dims {
    rows: u32,
    cols: u32,
}
struct Best {
    value: f32,
    index: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.cols) {
        return;
    }
    let base = id.x * dims.cols;
    var best = Best(x[base], 0u);
    for (var c = 1u; c < dims.cols; c += 1u) {
        if (x[base + c] > best.value) {
            best = Best(x[base + c], c);
        }
    }
    out[id.x] = best.index;
}
