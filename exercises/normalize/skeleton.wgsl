// normalize: (byte/255 - mean) / stddev for n pixels, four of them in each word
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

// Your lines go here: the entry point main, with a workgroup of your size.
