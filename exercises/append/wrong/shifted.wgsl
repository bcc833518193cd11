// diagnosis: rows-moved
// title: The rows after row at were moved down by one.
// why: The task replaces one row; no other row changes its place.
// ask: Which row holds the key of letter 5 after letter 6 comes?
// It is like a queue.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    for (var row = arrayLength(&cache) / params.n - 1u; row > params.at; row--) {
        cache[row * params.n + id.x] = cache[(row - 1u) * params.n + id.x];
    }
    cache[params.at * params.n + id.x] = x[id.x];
}
