// diagnosis: all-values
// title: The values past n are counted as well.
// why: The buffer has more values than n.
// ask: How many values should be counted?
// The length of the buffer is the number of values.
struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&values)) {
    atomicAdd(&bins[values[id.x]], 1u);
  }
}
