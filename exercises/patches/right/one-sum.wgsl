// goals: coalesced
// way: One sum of four terms: how far each of them goes in the image.
struct Params {
    side: u32,
    p: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // side × side
@group(0) @binding(2) var<storage, read_write> tokens: array<f32>; // patches × (p · p)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = params.p;
    let n = params.side;
    if (id.x < p * p && id.y < n / p * (n / p)) {
        let corner = id.y / (n / p) * p * n + id.y % (n / p) * p;
        tokens[id.y * p * p + id.x] = image[corner + id.x / p * n + id.x % p];
    }
}
