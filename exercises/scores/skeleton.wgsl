// scores: for each head, the product of each query with each key, divided by the root of d;
// id.x is the key, id.y the query, id.z the head
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // t tokens, each with heads · d numbers
@group(0) @binding(2) var<storage, read> k: array<f32>; // the same for the keys
@group(0) @binding(3) var<storage, read_write> s: array<f32>; // for each head, t rows of t scores

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    // Your lines go here.
}
