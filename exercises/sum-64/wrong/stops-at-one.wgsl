// diagnosis: stops-early
// title: The steps end one too early: the numbers with odd indices are missing.
// why: When two numbers are left, elements 0 and 1 still have to be added.
// ask: When two numbers are left, how large is half? Does your loop still run for it?
// When half is 1, there is nothing left to halve.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 1u; half /= 2u) {
        if (me < half) {
            partial[me] += partial[me + half];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
