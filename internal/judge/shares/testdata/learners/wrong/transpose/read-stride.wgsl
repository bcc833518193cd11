// transpose: out is x (rows × cols) with rows and columns exchanged; the host covers out
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn at(row: u32, col: u32, width: u32) -> u32 {
    return row * width + col;
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y < dims.cols && id.x < dims.rows) {
        let v = x[at(id.x, id.y, dims.rows)];
        out[at(id.y, id.x, dims.rows)] = v;
    }
}
