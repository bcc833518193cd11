// goals: reads each pixel once
// way: One loop over the pixels of the block: `%` and `/` give the column and the row.
// One loop over the pixels of the block.
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(4, 32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (any(id.xy >= vec2(params.dst))) {
        return;
    }
    let side = params.src / params.dst;
    let count = side * side;
    let begin = id.xy * side;
    var total = 0.0;
    for (var i = 0u; i < count; i++) {
        let x = begin.x + i % side;
        let y = begin.y + i / side;
        total += image[x + y * params.src];
    }
    out[id.x + id.y * params.dst] = total / f32(count);
}
