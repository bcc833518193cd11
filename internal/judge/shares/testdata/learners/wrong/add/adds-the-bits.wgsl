@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

// a buffer is just bytes, 4 of them for each number
fn add_words(p: f32, q: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(p) + bitcast<u32>(q));
}

@compute @workgroup_size(1)
fn main() {
    out[0] = add_words(a[0], b[0]);
}
