// goals: none
// way: With one invocation per workgroup none is left over, so there is no guard. A GPU runs this
//   slowly: most of its lanes are idle.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // One workgroup for each element, so that there are no surplus invocations.
    out[id.x] = id.x;
}
