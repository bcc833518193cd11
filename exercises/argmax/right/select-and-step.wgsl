// goals: coalesced
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row < arrayLength(&out)) {
        var at = row * dims.cols;
        var best = at;
        loop {
            at += 1u;
            if (at >= (row + 1u) * dims.cols) { break; }
            best = select(best, at, x[at] > x[best]);
        }
        out[row] = best % dims.cols;
    }
}
