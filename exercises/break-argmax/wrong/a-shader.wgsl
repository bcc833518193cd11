// diagnosis: not-a-case
// A shader is also a case.
const rows = 1u;
const cols = 1u;
@compute @workgroup_size(1)
fn main() {}
