// diagnosis: bytes-not-elements
// title: Only every fourth element was written.
// why: You multiplied the index by 4, the bytes of an f32. In WGSL an index counts elements. Only
//   the host counts bytes, when it creates buffers.
// ask: Which element should invocation 1 write to?
// An f32 has 4 bytes, so element i is at 4 * i.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x * 4u;
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
