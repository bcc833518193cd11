// tiles of 8 × 8; the first 64 numbers are the tile of a, the others the tile of b, turned
const T = 8u;
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

var<workgroup> both: array<f32, 128>;

fn fetch_a(r: u32, c: u32) -> f32 {
    if (r < dims.m && c < dims.k) {
        return a[r * dims.k + c];
    }
    return 0.0;
}

fn fetch_b(r: u32, c: u32) -> f32 {
    if (r < dims.k && c < dims.n) {
        return b[r * dims.n + c];
    }
    return 0.0;
}

@compute @workgroup_size(T, T)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) li: u32) {
    let lx = li % T;
    let ly = li / T;
    let row = wg.y * T + ly;
    let col = wg.x * T + lx;
    var sum = 0.0;
    for (var k0 = 0u; k0 < dims.k; k0 += T) {
        workgroupBarrier(); // nobody uses the old tiles any more
        both[ly * T + lx] = fetch_a(row, k0 + lx);
        both[64u + lx * T + ly] = fetch_b(k0 + ly, col);
        workgroupBarrier();
        var part = 0.0;
        for (var i = 0u; i < T; i++) {
            part += both[ly * T + i] * both[64u + lx * T + i];
        }
        sum += part;
    }
    if (row < dims.m && col < dims.n) {
        out[row * dims.n + col] = sum;
    }
}
