// goals: coalesced
// One array of candidates, each a struct; neighbours first; 32 invocations.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

struct Candidate {
    value: f32,
    column: u32,
}

var<workgroup> candidates: array<Candidate, SIZE>;

fn better(a: Candidate, b: Candidate) -> Candidate {
    if (b.value > a.value) { return b; }
    if (b.value == a.value && b.column < a.column) { return b; }
    return a;
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    var mine = Candidate(-3.4028234e+38, 0u);
    for (var c = me; c < dims.cols; c += SIZE) {
        mine = better(mine, Candidate(x[group.x * dims.cols + c], c));
    }
    candidates[me] = mine;
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        if (me % (2u * stride) == 0u) {
            candidates[me] = better(candidates[me], candidates[me + stride]);
        }
    }
    if (me == 0u) {
        out[group.x] = candidates[0].column;
    }
}
