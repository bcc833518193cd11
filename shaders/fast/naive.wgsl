// fast/naive: out = a * b, one element per invocation, the wrong way round.
//
// Each invocation walks along a row of a and down a column of b. That is right, but
// slow: a GPU runs neighbours together, often 32 at a time, and here neighbours
// work on different rows. At every step the 16 invocations with the same local.y ask
// for numbers of a that are k apart, in 16 different places of memory. Memory answers
// in lines of many neighbouring numbers, and they use only one number of each line.

const ROWS = 16u; // rows of out per workgroup
const COLUMNS = 16u; // and columns

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(ROWS, COLUMNS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.y * ROWS + local.x; // neighbours differ in x
    let column = group.x * COLUMNS + local.y;
    if (row >= dims.m || column >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[row * dims.k + i] * b[i * dims.n + column];
    }
    out[row * dims.n + column] = sum;
}
