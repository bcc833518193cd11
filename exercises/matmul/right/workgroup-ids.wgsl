// goals: none
// way: The row and the column come from the workgroup's place and the place inside it: that is how
//   `global_invocation_id` is made.
// The element from workgroup and local ids; a loop with break; other names.
struct Size { m: u32, n: u32, k: u32 }
@group(0) @binding(3) var<storage, read_write> result: array<f32>;
@group(0) @binding(1) var<storage, read> left: array<f32>;
@group(0) @binding(2) var<storage, read> right: array<f32>;
@group(0) @binding(0) var<uniform> size: Size;

const SIDE: u32 = 8u;

@compute @workgroup_size(SIDE, SIDE, 1)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_id) inside: vec3<u32>) {
    let x = tile.x * SIDE + inside.x;
    let y = tile.y * SIDE + inside.y;
    if (x >= size.n || y >= size.m) {
        return;
    }
    var product: f32;
    var step: u32;
    loop {
        if (step == size.k) { break; }
        product += left[y * size.k + step] * right[step * size.n + x];
        step++;
    }
    result[y * size.n + x] = product;
}
