// goals: few barriers
// way: Sixteen invocations walk through sixteen elements each; then each of the others finds its start.
// Two levels of sixteen.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> block: array<u32, SIZE>;
var<workgroup> sixteenth: array<u32, 16>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    block[me] = 0u;
    if (id.x < arrayLength(&x)) { block[me] = x[id.x]; }
    workgroupBarrier();
    if (me < 16u) {
        var sum = 0u;
        for (var k = 0u; k < 16u; k++) {
            let value = block[16u * me + k];
            block[16u * me + k] = sum;
            sum += value;
        }
        sixteenth[me] = sum;
    }
    workgroupBarrier();
    var before = block[me];
    for (var k = 0u; k < me / 16u; k++) {
        before += sixteenth[k];
    }
    if (id.x < arrayLength(&out)) { out[id.x] = before; }
}
