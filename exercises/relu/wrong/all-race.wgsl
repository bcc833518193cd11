// diagnosis: every-element
// A loop, as on a CPU. It does no harm to do an element twice.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main() {
    for (var i = 0u; i < arrayLength(&data); i++) {
        data[i] = max(data[i], 0.0);
    }
}
