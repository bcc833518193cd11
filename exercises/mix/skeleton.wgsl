// mix: for each head, a token's numbers in out are a mean of those in v, weighted by its row of p;
// x counts the numbers of a head, y the tokens, and z the heads
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> p: array<f32>; // heads × t × t
@group(0) @binding(2) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // t × heads × d

@compute @workgroup_size(8, 8)
fn main(
    // Your lines go here: the parameters of main.
) {
    // Your lines go here.
}
