// diagnosis: out-of-bounds-read
// What is read outside is not stored.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = 4u * id.y + vec4(0u, 1u, 2u, 3u);
    let columns = 4u * id.x + vec4(0u, 1u, 2u, 3u);
    let a_row = rows * dims.k; // where each row of a begins
    let b_column = columns;
    var sum0 = vec4(0.0); // one for each row of the block, with its 4 columns
    var sum1 = vec4(0.0);
    var sum2 = vec4(0.0);
    var sum3 = vec4(0.0);
    for (var i = 0u; i < dims.k; i++) {
        let at = i * dims.n + b_column;
        let four = vec4(b[at.x], b[at.y], b[at.z], b[at.w]);
        sum0 += a[a_row.x + i] * four;
        sum1 += a[a_row.y + i] * four;
        sum2 += a[a_row.z + i] * four;
        sum3 += a[a_row.w + i] * four;
    }
    store(rows.x, columns, sum0);
    store(rows.y, columns, sum1);
    store(rows.z, columns, sum2);
    store(rows.w, columns, sum3);
}

fn store(row: u32, columns: vec4<u32>, sums: vec4<f32>) {
    for (var c = 0u; c < 4u; c++) {
        if (row < dims.m && columns[c] < dims.n) {
            out[row * dims.n + columns[c]] = sums[c];
        }
    }
}
