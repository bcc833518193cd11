// diagnosis: no-workgroup-memory
// title: The values are right, but no invocation passes anything on in workgroup memory.
// why: Here you can do without it. The sums and maxima that follow can't, so practise workgroup
//   memory now, where it is easy.
// ask: Where can each invocation put its element so that another one in its workgroup can read it?
// Half of the invocations swap two elements each.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * 64u;
    if (me < 32u) {
        let low = data[start + me];
        data[start + me] = data[start + 63u - me];
        data[start + 63u - me] = low;
    }
}
