struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  for (var v = id.x; v < 256u; v += 64u) {
    var count = 0u;
    for (var i = 0u; i < params.n; i++) {
      count += select(0u, 1u, values[i] == v);
    }
    if (id.x < 64u) {
      atomicAdd(&bins[v], count);
    }
  }
}
