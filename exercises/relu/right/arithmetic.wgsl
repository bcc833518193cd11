// goals: none
// way: No comparison: half of x + |x| is x above zero, and 0 below.
// Half of x plus |x|; the length in a variable.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(100)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&data);
    if id.x < n {
        let x = data[id.x];
        data[id.x] = 0.5 * (x + abs(x));
    }
}
