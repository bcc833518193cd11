// goals: coalesced
// The indices in helper functions, the workgroup size in constants.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

const WIDTH: u32 = 32;
const HEIGHT = WIDTH / 8u;

fn at_a(row: u32, i: u32) -> f32 {
    return a[row * dims.k + i];
}

fn at_b(i: u32, column: u32) -> f32 {
    return b[i * dims.n + column];
}

fn dot_product(row: u32, column: u32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += at_a(row, i) * at_b(i, column);
    }
    return sum;
}

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let inside = id.x < dims.n && id.y < dims.m;
    if (inside) {
        out[id.y * dims.n + id.x] = dot_product(id.y, id.x);
    }
}
