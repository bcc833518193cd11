// goals: none
const SIZE = 8;
alias Vector = array<f32>;

@group(0) @binding(0) var<storage> left: Vector;
@group(0) @binding(1) var<storage> right: Vector;
@group(0) @binding(2) var<storage, read_write> sum: Vector;

fn add(i: u32) { sum[i] = left[i] + right[i]; }

@compute @workgroup_size(SIZE, SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) me: vec3<u32>) {
    // A workgroup of 8 × 8, of which only the first row has work: the host counts in x.
    let i = group.x * u32(SIZE) + me.x;
    if me.y == 0u && i < arrayLength(&sum) {
        add(i);
    }
}
