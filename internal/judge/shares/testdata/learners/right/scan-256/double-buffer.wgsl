// scan-256: out[i] is the sum of the elements before x[i] in its block of 256
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> pair: array<array<u32, SIZE>, 2>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var value = 0u;
    if (id.x < arrayLength(&x)) { value = x[id.x]; }
    var from_buf = 0u;
    pair[0][me] = value;
    for (var s = 1u; s < SIZE; s *= 2u) {
        workgroupBarrier();
        let to = 1u - from_buf;
        pair[to][me] = pair[from_buf][me];
        if (me >= s) { pair[to][me] += pair[from_buf][me - s]; }
        from_buf = to;
    }
    if (id.x < arrayLength(&out)) { out[id.x] = pair[from_buf][me] - value; }
}
