// diagnosis: zero
// title: The result is 0.
// why: Something was written, but it depends on neither input.
// ask: Which values should go into out[0]?
// The output has to be set to zero first; the rest comes later.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = 0.0;
}
