// goals: coalesced
// way: Five terms are written out, each through a function that gives 0 outside.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    if (id.x < params.n) {
        out[i] = k[0] * at(i - 2) + k[1] * at(i - 1) + k[2] * at(i) + k[3] * at(i + 1) + k[4] * at(i + 2);
    }
}

fn at(i: i32) -> f32 {
    if (i < 0 || i >= i32(params.n)) {
        return 0.0;
    }
    return x[i];
}
