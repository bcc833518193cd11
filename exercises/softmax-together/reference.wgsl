// softmax-together: each row of data (rows × cols) becomes probabilities, in place.
//
// A number x becomes exp(x - largest) / total, where total is the sum of all exp(x - largest) of
// its row. One workgroup works on one row. subgroupMax and subgroupAdd combine the numbers of one
// subgroup without workgroup memory and without a barrier. Then each subgroup leaves its result in
// one word of workgroup memory, and every invocation combines these few words.

enable subgroups;

const SIZE = 64u;
const MOST = SIZE / 4u; // a subgroup has at least 4 invocations, so there are at most this many
const LOWEST = -3.4028234e+38; // the lowest f32

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

// One element for each subgroup. There are two arrays, so that no invocation has to wait until the
// others have read the first.
var<workgroup> largest_of: array<f32, MOST>;
var<workgroup> total_of: array<f32, MOST>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
) {
    let start = group.x * dims.cols;

    var mine = LOWEST;
    for (var column = me; column < dims.cols; column += SIZE) {
        mine = max(mine, data[start + column]);
    }
    mine = subgroupMax(mine);
    if (subgroupElect()) {
        largest_of[subgroup] = mine;
    }
    workgroupBarrier();
    var largest = largest_of[0];
    for (var i = 1u; i < subgroups; i++) {
        largest = max(largest, largest_of[i]);
    }

    mine = 0.0;
    for (var column = me; column < dims.cols; column += SIZE) {
        mine += exp(data[start + column] - largest);
    }
    mine = subgroupAdd(mine);
    if (subgroupElect()) {
        total_of[subgroup] = mine;
    }
    workgroupBarrier();
    var total = 0.0;
    for (var i = 0u; i < subgroups; i++) {
        total += total_of[i];
    }

    for (var column = me; column < dims.cols; column += SIZE) {
        data[start + column] = exp(data[start + column] - largest) / total;
    }
}
