// diagnosis: once-each
// title: Each bin is 1 if its number is there at all.
// why: atomicStore replaces the count of a bin by 1.
// ask: What should happen to a bin whose number comes a second time?
// A value belongs in its bin.
struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.n) {
    atomicStore(&bins[values[id.x]], 1u);
  }
}
