// goals: coalesced; writes each result once
// way: Four sums grow side by side, so that no addition has to wait for the one before it.
// Four sums at once, added up at the end.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

fn at(row: u32, col: u32) -> f32 {
    return d[row * dims.cols + col];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.cols) {
        return;
    }
    var sums = vec4<f32>(0.0);
    var row = 0u;
    for (; row + 4u <= dims.rows; row += 4u) {
        sums += vec4<f32>(at(row, id.x), at(row + 1u, id.x), at(row + 2u, id.x), at(row + 3u, id.x));
    }
    for (; row < dims.rows; row++) {
        sums.x += at(row, id.x);
    }
    db[id.x] = dot(sums, vec4<f32>(1.0));
}
