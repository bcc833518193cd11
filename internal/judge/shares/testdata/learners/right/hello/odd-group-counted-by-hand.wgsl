// hello: every invocation writes its own number
const WIDTH = 37u;
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;

@compute @workgroup_size(WIDTH)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let me = wg.x * WIDTH + local;
    let last = arrayLength(&numbers) - 1u;
    if (!(me > last)) {
        let p = &numbers[me];
        *p = me;
    }
}
