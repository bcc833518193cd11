// goals: coalesced; few barriers
// way: One atomic variable in place of the array. Floats are turned into whole numbers in the same
//   order, because `atomicMax` takes only those.
// The order of floats in the order of whole numbers, and one atomicMax.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> top: atomic<u32>;

fn ordered(v: f32) -> u32 {
    let bits = bitcast<u32>(v);
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

fn unordered(u: u32) -> f32 {
    return bitcast<f32>(select(~u, u & 0x7fffffffu, (u & 0x80000000u) != 0u));
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    for (var c = local.x; c < dims.cols; c += SIZE) {
        atomicMax(&top, ordered(x[group.x * dims.cols + c]));
    }
    workgroupBarrier();
    if (local.x == 0u) {
        out[group.x] = unordered(atomicLoad(&top));
    }
}
