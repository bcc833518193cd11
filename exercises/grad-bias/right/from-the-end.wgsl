// goals: coalesced; writes each result once
// A while loop from the last row to the first.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&db)) {
        return;
    }
    var total = 0f;
    var left = dims.rows;
    while (left > 0u) {
        left--;
        total += d[left * dims.cols + id.x];
    }
    db[id.x] = total;
}
