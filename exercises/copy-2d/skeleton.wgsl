// copy-2d: out is x, a picture of h rows of w numbers
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

// Your lines go here: the entry point, in a workgroup of the shape that you choose.
