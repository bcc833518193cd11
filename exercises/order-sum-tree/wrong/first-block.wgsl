// diagnosis: first-block
// title: Every block has the sum of the first one.
// why: The number of an invocation starts again at 0 in every workgroup. So all workgroups brought
//   the same 64 elements.
// ask: Which of the two lines that read x knows which workgroup it is in?
// Each invocation reads the element with its own number.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let mine = x[me];
    partial[me] = mine * mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
