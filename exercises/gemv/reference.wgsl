// gemv: out = bias + w * x, one row of inputs times a matrix.
//
// w holds the k weights of each of the n outputs in a row. A language model that writes one token
// computes this for every layer. Each weight is needed only once, so the time goes into reading w.
// One workgroup computes one output: its invocations read the row of w side by side, and each adds
// up every 64th product. subgroupAdd adds up the sums of a subgroup, and one word of workgroup memory
// for each subgroup carries its sum to the invocation that writes the output.

enable subgroups;

const SIZE = 64u;

struct Dims {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

// The sum of each subgroup. A subgroup has at least 4 invocations, so there are at most SIZE / 4.
var<workgroup> sums: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
) {
    let output = group.x;
    let start = output * dims.k;

    var mine = 0.0;
    for (var j = me; j < dims.k; j += SIZE) {
        mine += x[j] * w[start + j];
    }
    mine = subgroupAdd(mine);
    if (subgroupElect()) {
        sums[subgroup] = mine;
    }
    workgroupBarrier();

    if (me == 0u) {
        var total = bias[output];
        for (var i = 0u; i < subgroups; i++) {
            total += sums[i];
        }
        out[output] = total;
    }
}
