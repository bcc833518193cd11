@group(0) @binding(0) var<storage, read_write> data: array<u32>;
struct Inputs { @builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) where_: vec3<u32>, @builtin(num_workgroups) all: vec3<u32> }
@compute @workgroup_size(2, 1, 2) fn main(in: Inputs) {
    // print: in.i, in.where_, in.all
}
