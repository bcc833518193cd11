// goals: coalesced; no bank conflicts; few barriers
// way: One walk finds the largest element and the total: the total is scaled down whenever a larger
//   element turns up.
// One walk for both: the sum is scaled down whenever a larger element turns up.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

struct Seen { top: f32, total: f32 }

var<workgroup> seen: array<Seen, SIZE>;

fn both(a: Seen, b: Seen) -> Seen {
    let top = max(a.top, b.top);
    return Seen(top, a.total * exp(a.top - top) + b.total * exp(b.top - top));
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * dims.cols;
    let me = local.x;
    var mine = Seen(data[start], 0.0);
    for (var c = me; c < dims.cols; c += SIZE) {
        mine = both(mine, Seen(data[start + c], 1.0));
    }
    seen[me] = mine;
    workgroupBarrier();
    var all = seen[0];
    for (var i = 1u; i < SIZE; i++) {
        all = both(all, seen[i]);
    }
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - all.top) / all.total;
    }
}
