// goals: touches each number once
@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    var sum = 0.0;
    sum += a[0];
    sum += b[0];
    out[0] = sum;
}
