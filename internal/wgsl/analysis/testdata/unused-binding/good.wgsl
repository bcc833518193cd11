@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

fn first() -> f32 { return a[0]; }

@compute @workgroup_size(1)
fn main() { out[0] = first(); }
