// diagnosis: first-column-only
// title: Only the first column of the output was written.
// why: The column is 0 in all invocations. In a two-dimensional dispatch, x covers the columns and
//   y the rows.
// ask: Where does your column come from?
// One invocation per row is enough.
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y >= params.dst) {
        return;
    }
    let side = params.src / params.dst;
    var total = 0.0;
    for (var y = 0u; y < side; y++) {
        for (var x = 0u; x < side; x++) {
            total += image[(id.y * side + y) * params.src + 0u * side + x];
        }
    }
    out[id.y * params.dst] = total / f32(side * side);
}
