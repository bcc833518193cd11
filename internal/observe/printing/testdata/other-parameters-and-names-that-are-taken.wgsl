@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<private> print_id: u32;
fn print_0() { print_id += 1u; }
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    print_0();
    // print: print_id, i
}
