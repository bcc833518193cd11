// goals: coalesced
// way: One atomicMax finds the largest: the bits of floats that aren't negative, taken as whole numbers, are in the same order.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> bits: atomic<u32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    for (var c = me; c < dims.cols; c += SIZE) {
        atomicMax(&bits, bitcast<u32>(abs(x[group.x * dims.cols + c])));
    }
    workgroupBarrier();
    if (me == 0u) {
        let largest = bitcast<f32>(atomicLoad(&bits));
        out[group.x] = select(largest / 127.0, 1.0, largest == 0.0);
    }
}
