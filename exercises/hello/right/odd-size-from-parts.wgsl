// goals: none
// The index put together by hand: the workgroup's share, and the place inside it.
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;

const SIZE: u32 = 100u;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let place = group.x * SIZE + me;
    if place < arrayLength(&numbers) { numbers[place] = place; }
}
