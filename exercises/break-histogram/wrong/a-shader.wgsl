// diagnosis: not-a-case
// A shader is no case.
const n = 6u;
@compute @workgroup_size(1)
fn main() {}
