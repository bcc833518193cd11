// goals: none
// way: Each invocation adds four neighbours at once, in a vector. At the end it repeats the last
//   element so that none is out of bounds.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn four(first: u32, last: u32) -> vec4<u32> {
    return min(vec4<u32>(first, first + 1u, first + 2u, first + 3u), vec4<u32>(last));
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&out);
    let i = id.x * 4u;
    if (i >= n) { return; }
    let at = four(i, n - 1u);
    let sum = vec4<f32>(a[at.x], a[at.y], a[at.z], a[at.w]) + vec4<f32>(b[at.x], b[at.y], b[at.z], b[at.w]);
    out[at.x] = sum.x;
    out[at.y] = sum.y;
    out[at.z] = sum.z;
    out[at.w] = sum.w;
}
