// goals: none
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const EACH = 4u;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // A quarter of the invocations do four elements each, a quarter of the buffer apart.
    let n = arrayLength(&out);
    let stride = (n + EACH - 1u) / EACH;
    if (id.x >= stride) {
        return;
    }
    for (var k = 0u; k < EACH; k++) {
        let i = id.x + k * stride;
        if (i < n) {
            out[i] = a[i] + b[i];
        }
    }
}
