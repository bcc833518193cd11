struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn line_mean(first: u32, count: u32) -> f32 {
    var sum = 0.0;
    for (var i = first; i < first + count; i++) {
        sum += image[i];
    }
    return sum / f32(count);
}

@compute @workgroup_size(5, 3)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (max(id.x, id.y) >= params.dst) {
        return;
    }
    let side = params.src / params.dst;
    // top left corner of my block; the next line is src further on
    var at = side * (id.y * params.src + id.x);
    var mean = 0.0;
    for (var line = 0u; line < side; line++) {
        mean += line_mean(at, side) / f32(side);
        at += params.src;
    }
    out[id.y * params.dst + id.x] = mean;
}
