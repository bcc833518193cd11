// diagnosis: every-element
// First everything is read, then added, then written.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var first = array<f32, 4>();
    for (var k = 0u; k < 4u; k++) {
        first[k] = a[min(k, arrayLength(&a) - 1u)];
    }
    var i = 0u;
    loop {
        if (i >= arrayLength(&out)) {
            break;
        }
        out[i] = select(a[i], first[min(i, 3u)], i < 4u) + b[i];
        i++;
    }
}
