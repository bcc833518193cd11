struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> size: Sizes;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

fn get_a(r: u32, c: u32) -> f32 {
    return a[r * size.m + c];
}

fn get_b(r: u32, c: u32) -> f32 {
    return b[r * size.n + c];
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y < size.m && id.x < size.n) {
        var sum: f32 = 0.0;
        for (var i: u32 = 0u; i < size.k; i = i + 1u) {
            sum = sum + get_a(id.y, i) * get_b(i, id.x);
        }
        out[id.y * size.n + id.x] = sum;
    }
}
