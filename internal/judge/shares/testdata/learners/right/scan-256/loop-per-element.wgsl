// scan-256: out[i] is the sum of the elements before x[i] in its block of 256
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> block: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let inside = id.x < arrayLength(&x);
    if (inside) { block[local.x] = x[id.x]; }
    workgroupBarrier();
    var sum = 0u;
    var i = local.x;
    while (i > 0u) {
        i--;
        sum += block[i];
    }
    if (inside) { out[id.x] = sum; }
}
