// blur-1d: each out[i] is x[i - 2] to x[i + 2], times k[0] to k[4], added up; outside of x is 0
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

fn at(i: i32) -> f32 {
    if (i < 0 || i >= i32(params.n)) { return 0.0; }
    return x[i];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    if (i >= i32(params.n)) { return; }
    let sides = vec4(at(i - 2), at(i - 1), at(i + 1), at(i + 2));
    out[i] = fma(at(i), k[2], dot(sides, vec4(k[0], k[1], k[3], k[4])));
}
