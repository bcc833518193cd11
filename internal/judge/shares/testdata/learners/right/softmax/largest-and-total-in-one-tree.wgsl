// each partial result is a pair: the largest so far, and the total measured from it
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
struct Pair {
    largest: f32,
    total: f32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> pairs: array<Pair, SIZE>;

fn merge(p: Pair, q: Pair) -> Pair {
    let largest = max(p.largest, q.largest);
    return Pair(largest, p.total * exp(p.largest - largest) + q.total * exp(q.largest - largest));
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let row = group.x * dims.cols;
    var own = Pair(data[row], 0.0);
    for (var c = me; c < dims.cols; c += SIZE) {
        own = merge(own, Pair(data[row + c], 1.0));
    }
    pairs[me] = own;
    var half = SIZE / 2u;
    loop {
        workgroupBarrier();
        if (half == 0u) { break; }
        if (me < half) {
            pairs[me] = merge(pairs[me], pairs[me + half]);
        }
        half >>= 1u;
    }
    let result = pairs[0];
    for (var c = me; c < dims.cols; c += SIZE) {
        data[row + c] = exp(data[row + c] - result.largest) / result.total;
    }
}
