// gemv-half: one row times a matrix whose weights are halves, two to a word.
//
// A workgroup makes one output. Its invocations take the words of the row in turn, so that
// neighbours read neighbouring words. Each word brings two weights. Then the sums of the
// invocations are added: within the subgroups first, and then over the few that are left.
enable subgroups;

struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

const SIZE = 64u;
var<workgroup> parts: array<f32, SIZE>; // one for each subgroup; there are at most 64

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_id) id: u32,
    @builtin(num_subgroups) subgroups: u32,
) {
    let words = dims.k / 2u;
    var sum = 0.0;
    for (var i = me; i < words; i += SIZE) {
        let pair = unpack2x16float(w[group.x * words + i]);
        sum += pair.x * x[2u * i] + pair.y * x[2u * i + 1u];
    }
    let together = subgroupAdd(sum);
    if (subgroupElect()) {
        parts[id] = together;
    }
    workgroupBarrier();
    if (me == 0u) {
        var all = bias[group.x];
        for (var i = 0u; i < subgroups; i++) {
            all += parts[i];
        }
        out[group.x] = all;
    }
}
