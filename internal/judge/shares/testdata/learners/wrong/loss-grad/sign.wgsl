// loss-grad: each sample's cross-entropy, and the gradient of their mean with respect to the scores
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> prob: array<f32>;
@group(0) @binding(2) var<storage, read> label: array<u32>;
@group(0) @binding(3) var<storage, read_write> loss: array<f32>;
@group(0) @binding(4) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let r = id.x;
    if (r < dims.rows) {
        let base = r * dims.cols;
        loss[r] = log(prob[base + label[r]]);
        for (var c = 0u; c < dims.cols; c++) {
            let hot = select(0.0, 1.0, c == label[r]);
            d[base + c] = (prob[base + c] - hot) / f32(dims.rows);
        }
    }
}
