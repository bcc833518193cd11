struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;
var<workgroup> own: array<atomic<u32>, 256>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  for (var i = local; i < 256u; i += 64u) {
    atomicStore(&own[i], 0u);
  }
  workgroupBarrier();
  if (id.x < params.n) {
    atomicAdd(&own[values[id.x]], 1u);
  }
  workgroupBarrier();
  for (var i = local; i < 256u; i += 64u) {
    atomicAdd(&bins[i], atomicLoad(&own[i]));
  }
}
