// goals: touches each number once
@group(0) @binding(0) var<storage, read> first: array<f32, 1>;
@group(0) @binding(1) var<storage, read> second: array<f32, 1>;
@group(0) @binding(2) var<storage, read_write> sum: array<f32, 1>;
@compute @workgroup_size(1)
fn main() {
    sum[0] = second[0] + first[0];
}
