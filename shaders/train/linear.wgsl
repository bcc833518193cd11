// train/linear: out = x * w + bias, as in linear, but in blocks.
//
// An invocation computes 4 × 4 elements of out. For each i it fetches 4 numbers
// of x and 4 of w and makes 16 products of them; linear fetches 2 numbers for
// each product. Fetching takes most of the time.
//
// A workgroup is WIDTH invocations side by side. It makes 4 rows and 4 * WIDTH
// columns. The columns of one invocation are WIDTH apart, so that neighbours
// fetch neighbouring numbers. Rows and columns past the end repeat the last one,
// and are not stored.

const WIDTH = 32u;

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> w: array<f32>; // k × n
@group(0) @binding(3) var<storage, read> bias: array<f32>; // n
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(WIDTH)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let rows = 4u * group.y + vec4(0u, 1u, 2u, 3u);
    let columns = 4u * WIDTH * group.x + local.x + WIDTH * vec4(0u, 1u, 2u, 3u);
    let x_start = min(rows, vec4(dims.m - 1u)) * dims.k;
    let w_start = min(columns, vec4(dims.n - 1u));

    let b = vec4(bias[w_start.x], bias[w_start.y], bias[w_start.z], bias[w_start.w]);
    var total0 = b; // one sum per row, each with 4 columns
    var total1 = b;
    var total2 = b;
    var total3 = b;
    for (var i = 0u; i < dims.k; i++) {
        let at = w_start + i * dims.n;
        let weights = vec4(w[at.x], w[at.y], w[at.z], w[at.w]);
        total0 += x[x_start.x + i] * weights;
        total1 += x[x_start.y + i] * weights;
        total2 += x[x_start.z + i] * weights;
        total3 += x[x_start.w + i] * weights;
    }
    store(rows.x, columns, total0);
    store(rows.y, columns, total1);
    store(rows.z, columns, total2);
    store(rows.w, columns, total3);
}

fn store(row: u32, columns: vec4<u32>, values: vec4<f32>) {
    for (var j = 0u; j < 4u; j++) {
        if (row < dims.m && columns[j] < dims.n) {
            out[row * dims.n + columns[j]] = values[j];
        }
    }
}
