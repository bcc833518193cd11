@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<uniform> scale: vec4<u32>;
fn twice(x: u32) -> u32 { return 2u * x; // print: x
}
fn once(x: u32) -> u32 {
    // print: x
    return x;
}
@compute @workgroup_size(2) fn first(@builtin(global_invocation_id) id: vec3<u32>) {
    data[id.x] = twice(data[id.x]) + scale.y; // print: data[id.x], scale
}
@compute @workgroup_size(4) fn second(@builtin(global_invocation_id) id: vec3<u32>) {
    data[id.x] = once(data[id.x]);
    // print: data[id.x]
    // print: twice(1u)
}
