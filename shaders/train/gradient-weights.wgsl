// train/gradient-weights: how the loss changes with each weight of a layer.
//
// The layer was out = x * w + bias, with a sample in each row of x (m × k).
// d_out (m × n) says how the loss changes with each output. A weight w[r][c]
// counts once for each sample: its input x[sample][r] times d_out[sample][c].
// Added up, that is a matrix product: d_w = xᵀ * d_out.
//
// As in train/linear, an invocation computes 4 × 4 elements, and a workgroup
// computes 4 rows and 4 * WIDTH columns of d_w.
//
// If there are many samples, the dispatch is several workgroups deep. Each depth adds
// up a part of the samples, and leaves a d_w of its own; train/gradient-bias adds the
// parts up.

const WIDTH = 32u;

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> d_out: array<f32>; // m × n
@group(0) @binding(3) var<storage, read_write> d_w: array<f32>; // k × n, for each depth

@compute @workgroup_size(WIDTH)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let rows = 4u * group.y + vec4(0u, 1u, 2u, 3u);
    let columns = 4u * WIDTH * group.x + local.x + WIDTH * vec4(0u, 1u, 2u, 3u);
    let x_column = min(rows, vec4(dims.k - 1u));
    let d_column = min(columns, vec4(dims.n - 1u));

    var total0 = vec4(0.0); // one sum per row, each with 4 columns
    var total1 = vec4(0.0);
    var total2 = vec4(0.0);
    var total3 = vec4(0.0);
    let part = (dims.m + groups.z - 1u) / groups.z;
    let end = min(dims.m, (group.z + 1u) * part);
    for (var sample = group.z * part; sample < end; sample++) {
        let at = d_column + sample * dims.n;
        let d = vec4(d_out[at.x], d_out[at.y], d_out[at.z], d_out[at.w]);
        let x_at = x_column + sample * dims.k;
        total0 += x[x_at.x] * d;
        total1 += x[x_at.y] * d;
        total2 += x[x_at.z] * d;
        total3 += x[x_at.w] * d;
    }
    let start = group.z * dims.k * dims.n;
    store(start, rows.x, columns, total0);
    store(start, rows.y, columns, total1);
    store(start, rows.z, columns, total2);
    store(start, rows.w, columns, total3);
}

fn store(start: u32, row: u32, columns: vec4<u32>, values: vec4<f32>) {
    for (var j = 0u; j < 4u; j++) {
        if (row < dims.k && columns[j] < dims.n) {
            d_w[start + row * dims.n + columns[j]] = values[j];
        }
    }
}
