// gemv-int4: out[o] = bias[o] + x · row o of w, whose words hold eight weights of 4 bits each;
// four words are a group with one scale, and each word of scales holds two
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // k
@group(0) @binding(2) var<storage, read> w: array<u32>; // n rows of k / 8 words
@group(0) @binding(3) var<storage, read> scales: array<u32>; // n * k / 32 halves, row after row
@group(0) @binding(4) var<storage, read> bias: array<f32>; // n
@group(0) @binding(5) var<storage, read_write> out: array<f32>; // n

// Your lines go here: main, and above it what the workgroup shares.
