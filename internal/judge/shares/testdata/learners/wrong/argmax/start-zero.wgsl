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
    if (id.x >= dims.rows) { return; }
    var top = 0.0;
    var index = 0u;
    var c = 0u;
    let base = id.x * dims.cols;
    while (c < dims.cols) {
        let here = x[base + c];
        if (here > top) { top = here; index = c; }
        c++;
    }
    out[id.x] = index;
}
