// goals: reads each pixel once
// way: The average of each row of the block, and then the average of those.
// The average of each row of the block, and the average of those; helper functions, other names.
struct Sizes { large: u32, small: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage> drawing: array<f32>;
@group(0) @binding(2) var<storage, read_write> framed: array<f32>;

fn pixel(x: u32, y: u32) -> f32 {
    return drawing[y * sizes.large + x];
}

fn row_average(x: u32, y: u32, n: u32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < n; i++) {
        sum += pixel(x + i, y);
    }
    return sum / f32(n);
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
    let inside = gid.x < sizes.small && gid.y < sizes.small;
    if (!inside) {
        return;
    }
    let n = sizes.large / sizes.small;
    var sum: f32;
    for (var j = 0u; j < n; j++) {
        sum += row_average(gid.x * n, gid.y * n + j, n);
    }
    framed[gid.y * sizes.small + gid.x] = sum / f32(n);
}
