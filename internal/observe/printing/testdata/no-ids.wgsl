@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(4)
fn /* main ( */ main(/* nothing */) {
    // print: 7u
}
