// goals: none
// A uniform is bytes: the same ones, read as four words.
@group(0) @binding(0) var<uniform> words: vec4<u32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(16, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let alpha = bitcast<f32>(words.x);
    let n = words.y;
    if (id.y == 0u && id.x < n) {
        y[id.x] = alpha * x[id.x] + y[id.x];
    }
}
