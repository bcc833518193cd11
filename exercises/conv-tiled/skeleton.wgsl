// conv-tiled: one filter of 3 × 3 over all channels, with a tile of x and its halo in workgroup memory
const TILE = 16u; // the pixels of a workgroup: 16 × 16
struct Params {
    w: u32,
    h: u32,
    ch: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // ch × 3 × 3
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(TILE, TILE)
fn main(
    // Your lines go here: the parameters of main.
) {
    // Your lines go here, and above main what the workgroup shares.
}
