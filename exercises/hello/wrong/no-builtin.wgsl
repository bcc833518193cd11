// diagnosis: missing-builtin
// The index is simply there, like in other shading languages.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main() {
    out[id.x] = id.x;
}
