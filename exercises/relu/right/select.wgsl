// goals: coalesced
// select, a helper function, other names.
@group(0) @binding(0) var<storage, read_write> values: array<f32>;

fn rectify(x: f32) -> f32 {
    return select(x, 0.0, x < 0.0);
}

@compute @workgroup_size(32, 2)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
    let place = group.x * 32u + local.x;
    if (local.y == 0u && place < arrayLength(&values)) {
        values[place] = rectify(values[place]);
    }
}
