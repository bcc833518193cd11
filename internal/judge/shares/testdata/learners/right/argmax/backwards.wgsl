// argmax: for each row the index of its largest value; the lowest index wins a tie
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < dims.rows) {
        let last = (id.x + 1u) * dims.cols - 1u;
        var best = x[last];
        var at = dims.cols - 1u;
        for (var back = 1u; back < dims.cols; back++) {
            let v = x[last - back];
            if (v >= best) {
                best = v;
                at = dims.cols - 1u - back;
            }
        }
        out[id.x] = at;
    }
}
