// goals: none
struct Scaling { factor: f32, count: i32, unused: vec2<f32> }
@group(0) @binding(0) var<uniform> how: Scaling;
@group(0) @binding(1) var<storage, read_write> add_me: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;

fn scaled(value: f32) -> f32 { return how.factor * value; }

@compute @workgroup_size(100)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    if i < how.count {
        sums[i] = scaled(add_me[i]) + sums[i];
    }
}
