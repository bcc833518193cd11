// gemv-half: out[o] = bias[o] + x · row o of w, whose words hold two halves each
enable subgroups;

struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

// Your lines go here: the entry point, and above it what the workgroup shares.
