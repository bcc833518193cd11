struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(50)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = min(params.n, arrayLength(&y));
    switch (u32(id.x < n)) {
        case 1u: {
            let i = n - 1u - id.x;
            y[i] += x[i] * params.alpha;
        }
        default: {}
    }
}
