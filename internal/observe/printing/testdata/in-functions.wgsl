@group(0) @binding(0) var<storage, read_write> data: array<u32>;
fn half(x: u32) -> u32 {
    let y = x / 2u; // print if x > 5u: x, y
    return y; // print: x
}
fn both(x: u32) -> u32 { return half(x) + half(x + 1u); }
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_id) l: vec3<u32>, @builtin(global_invocation_id) id: vec3<u32>) { // print: l.x, id.x
    data[id.x] = both(data[id.x]);
    // print: data[id.x]
}
