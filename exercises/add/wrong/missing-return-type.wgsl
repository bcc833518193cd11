// diagnosis: return-type
// The compiler sees what comes back.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn plus(x: f32, y: f32) {
    return x + y;
}

@compute @workgroup_size(1)
fn main() {
    out[0] = plus(a[0], b[0]);
}
