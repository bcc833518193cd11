// goals: none
// The place from the workgroup and from the place inside it; other names.
struct Size { height: u32, width: u32 }
@group(0) @binding(1) var<storage, read_write> numbers: array<u32>;
@group(0) @binding(0) var<uniform> size: Size;

const SIDE = 8u;

@compute @workgroup_size(SIDE, SIDE, 1)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_id) inside: vec3<u32>) {
    let x = tile.x * SIDE + inside.x;
    let y = tile.y * SIDE + inside.y;
    if (x < size.width) {
        if (y < size.height) {
            let before = y * size.width;
            numbers[before + x] = x + y * 1000u;
        }
    }
}
