// clamp-whole: keep every number between low and high
struct Limits { low: i32, high: i32 }
@group(0) @binding(0) var<uniform> limits: Limits;
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Your line goes here.
}
