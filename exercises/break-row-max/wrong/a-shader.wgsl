// diagnosis: not-a-case
// A shader is no case.
const rows = 1u;
const cols = 1u;
@compute @workgroup_size(1)
fn main() {}
