// leaky-relu: negative elements of data are multiplied by slope, the others stay; in place
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

// Your lines go here: the entry point main, with a workgroup of your size.
