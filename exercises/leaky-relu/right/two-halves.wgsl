// goals: none
// way: The positive part plus slope times the negative part. One of the two is always 0.
// The positive part plus slope times the negative part.
struct P { slope: f32 }
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(1) var<storage, read_write> v: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) gid: vec3u) {
    if (gid.x >= arrayLength(&v)) { return; }
    let x = v[gid.x];
    v[gid.x] = max(x, 0.0) + p.slope * min(x, 0.0);
}
