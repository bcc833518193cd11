// attend: the newest letter's query against the keys in the cache, softmax, and the mean of the
// values; one workgroup computes one head
const SIZE = 64u;
const MOST = 1024u; // t is at most this; d is at most 64
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // rows × heads × d
@group(0) @binding(3) var<storage, read> v: array<f32>; // rows × heads × d
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // heads × d

@compute @workgroup_size(SIZE)
fn main(
    // Your lines go here: the parameters of main.
) {
    // Your lines go here, and above main what the workgroup shares.
}
