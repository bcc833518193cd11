// goals: coalesced
// way: Try, and try again if another invocation came between. You can build any atomic change like this.
// atomicAdd by hand: write only if no one else has written since.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&image) || image[id.x] <= 0.0) {
        return;
    }
    var old = atomicLoad(&total[0]);
    loop {
        let tried = atomicCompareExchangeWeak(&total[0], old, old + 1u);
        if (tried.exchanged) { break; }
        old = tried.old_value;
    }
}
