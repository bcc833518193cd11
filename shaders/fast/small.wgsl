// fast/small: fast/padded for matrices that don't fill the device.
//
// A product of 1024 × 1024 has 64 blocks of 128 × 128, but a large GPU has twice as
// many processors. Blocks of 64 × 64 make 256 of them. A workgroup has 64 invocations,
// and each fetches from both matrices.
//
// k and n are multiples of 4.

const ROWS = 64u; // rows of out per workgroup
const COLUMNS = 64u; // and columns
const DEPTH = 16u; // of a tile along k: 4 slabs of 4
const SIDE = 8u; // invocations in x and in y, 8 × 8 elements each
const QUADS = 16u; // ROWS / 4, and COLUMNS / 4

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>; // m × k
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<vec4<f32>>; // m × n

// 4 steps along k of a's tile; each step has 2 strips of SIDE times 4 rows.
struct Slab {
    steps: array<array<array<vec4<f32>, SIDE>, 2>, 4>,
    gap: array<vec4<f32>, 2>, // unused; it moves the next slab to other banks
}

var<workgroup> a_tile: array<Slab, 4>;
// Each step along k has 2 strips of SIDE times 4 columns.
var<workgroup> b_tile: array<array<array<vec4<f32>, SIDE>, 2>, DEPTH>;

// The sums of an invocation: 8 rows, each with 4 columns of the left strip and 4
// of the right.
struct Sums {
    l0: vec4<f32>,
    r0: vec4<f32>,
    l1: vec4<f32>,
    r1: vec4<f32>,
    l2: vec4<f32>,
    r2: vec4<f32>,
    l3: vec4<f32>,
    r3: vec4<f32>,
    l4: vec4<f32>,
    r4: vec4<f32>,
    l5: vec4<f32>,
    r5: vec4<f32>,
    l6: vec4<f32>,
    r6: vec4<f32>,
    l7: vec4<f32>,
    r7: vec4<f32>,
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) id: u32) {
    let x = id % SIDE;
    let y = id / SIDE;
    let first_row = group.y * ROWS;
    let first_quad = group.x * QUADS;

    // Every invocation fetches 4 × 4 numbers of a and 4 × 4 of b.
    let a_slab = id % 4u;
    let a_quad = id / 4u;
    let b_slab = id / QUADS;
    let b_quad = id % QUADS;
    let row0 = min(first_row + 4u * a_quad, dims.m - 1u); // past the end, read the last row
    let row1 = min(first_row + 4u * a_quad + 1u, dims.m - 1u);
    let row2 = min(first_row + 4u * a_quad + 2u, dims.m - 1u);
    let row3 = min(first_row + 4u * a_quad + 3u, dims.m - 1u);
    let column = min(first_quad + b_quad, dims.n / 4u - 1u);
    var next_a0: vec4<f32>;
    var next_a1: vec4<f32>;
    var next_a2: vec4<f32>;
    var next_a3: vec4<f32>;
    var next_b0: vec4<f32>;
    var next_b1: vec4<f32>;
    var next_b2: vec4<f32>;
    var next_b3: vec4<f32>;
    next_a0 = a_at(row0, 4u * a_slab);
    next_a1 = a_at(row1, 4u * a_slab);
    next_a2 = a_at(row2, 4u * a_slab);
    next_a3 = a_at(row3, 4u * a_slab);
    next_b0 = b_at(4u * b_slab, column);
    next_b1 = b_at(4u * b_slab + 1u, column);
    next_b2 = b_at(4u * b_slab + 2u, column);
    next_b3 = b_at(4u * b_slab + 3u, column);

    var sums: Sums;
    for (var start = 0u; start < dims.k; start += DEPTH) {
        // Transpose a: 4 rows of one step become one vec4.
        a_tile[a_slab].steps[0][a_quad / SIDE][a_quad % SIDE] = vec4(next_a0.x, next_a1.x, next_a2.x, next_a3.x);
        a_tile[a_slab].steps[1][a_quad / SIDE][a_quad % SIDE] = vec4(next_a0.y, next_a1.y, next_a2.y, next_a3.y);
        a_tile[a_slab].steps[2][a_quad / SIDE][a_quad % SIDE] = vec4(next_a0.z, next_a1.z, next_a2.z, next_a3.z);
        a_tile[a_slab].steps[3][a_quad / SIDE][a_quad % SIDE] = vec4(next_a0.w, next_a1.w, next_a2.w, next_a3.w);
        b_tile[4u * b_slab][b_quad / SIDE][b_quad % SIDE] = next_b0;
        b_tile[4u * b_slab + 1u][b_quad / SIDE][b_quad % SIDE] = next_b1;
        b_tile[4u * b_slab + 2u][b_quad / SIDE][b_quad % SIDE] = next_b2;
        b_tile[4u * b_slab + 3u][b_quad / SIDE][b_quad % SIDE] = next_b3;
        workgroupBarrier(); // the tiles are complete
        // Request the next tiles; they arrive while these are used.
        let next = start + DEPTH;
        if (next + DEPTH <= dims.k) { // the whole tiles are inside
            next_a0 = a_within(row0, next + 4u * a_slab);
            next_a1 = a_within(row1, next + 4u * a_slab);
            next_a2 = a_within(row2, next + 4u * a_slab);
            next_a3 = a_within(row3, next + 4u * a_slab);
            next_b0 = b_within(next + 4u * b_slab, column);
            next_b1 = b_within(next + 4u * b_slab + 1u, column);
            next_b2 = b_within(next + 4u * b_slab + 2u, column);
            next_b3 = b_within(next + 4u * b_slab + 3u, column);
        } else {
            next_a0 = a_at(row0, next + 4u * a_slab);
            next_a1 = a_at(row1, next + 4u * a_slab);
            next_a2 = a_at(row2, next + 4u * a_slab);
            next_a3 = a_at(row3, next + 4u * a_slab);
            next_b0 = b_at(next + 4u * b_slab, column);
            next_b1 = b_at(next + 4u * b_slab + 1u, column);
            next_b2 = b_at(next + 4u * b_slab + 2u, column);
            next_b3 = b_at(next + 4u * b_slab + 3u, column);
        }
        step(&sums, 0u, x, y);
        step(&sums, 1u, x, y);
        step(&sums, 2u, x, y);
        step(&sums, 3u, x, y);
        step(&sums, 4u, x, y);
        step(&sums, 5u, x, y);
        step(&sums, 6u, x, y);
        step(&sums, 7u, x, y);
        step(&sums, 8u, x, y);
        step(&sums, 9u, x, y);
        step(&sums, 10u, x, y);
        step(&sums, 11u, x, y);
        step(&sums, 12u, x, y);
        step(&sums, 13u, x, y);
        step(&sums, 14u, x, y);
        step(&sums, 15u, x, y);
        workgroupBarrier(); // all invocations are done with them
    }

    store(first_row + 4u * y, first_quad + x, sums.l0);
    store(first_row + 4u * y, first_quad + SIDE + x, sums.r0);
    store(first_row + 4u * y + 1u, first_quad + x, sums.l1);
    store(first_row + 4u * y + 1u, first_quad + SIDE + x, sums.r1);
    store(first_row + 4u * y + 2u, first_quad + x, sums.l2);
    store(first_row + 4u * y + 2u, first_quad + SIDE + x, sums.r2);
    store(first_row + 4u * y + 3u, first_quad + x, sums.l3);
    store(first_row + 4u * y + 3u, first_quad + SIDE + x, sums.r3);
    store(first_row + 4u * (SIDE + y), first_quad + x, sums.l4);
    store(first_row + 4u * (SIDE + y), first_quad + SIDE + x, sums.r4);
    store(first_row + 4u * (SIDE + y) + 1u, first_quad + x, sums.l5);
    store(first_row + 4u * (SIDE + y) + 1u, first_quad + SIDE + x, sums.r5);
    store(first_row + 4u * (SIDE + y) + 2u, first_quad + x, sums.l6);
    store(first_row + 4u * (SIDE + y) + 2u, first_quad + SIDE + x, sums.r6);
    store(first_row + 4u * (SIDE + y) + 3u, first_quad + x, sums.l7);
    store(first_row + 4u * (SIDE + y) + 3u, first_quad + SIDE + x, sums.r7);
}

// step takes one step along k, with 4 reads and 64 products.
fn step(sums: ptr<function, Sums>, i: u32, x: u32, y: u32) {
    let upper = a_tile[i / 4u].steps[i % 4u][0][y];
    let lower = a_tile[i / 4u].steps[i % 4u][1][y];
    let left = b_tile[i][0][x];
    let right = b_tile[i][1][x];
    (*sums).l0 += upper.x * left;
    (*sums).r0 += upper.x * right;
    (*sums).l1 += upper.y * left;
    (*sums).r1 += upper.y * right;
    (*sums).l2 += upper.z * left;
    (*sums).r2 += upper.z * right;
    (*sums).l3 += upper.w * left;
    (*sums).r3 += upper.w * right;
    (*sums).l4 += lower.x * left;
    (*sums).r4 += lower.x * right;
    (*sums).l5 += lower.y * left;
    (*sums).r5 += lower.y * right;
    (*sums).l6 += lower.z * left;
    (*sums).r6 += lower.z * right;
    (*sums).l7 += lower.w * left;
    (*sums).r7 += lower.w * right;
}

// a_within reads 4 numbers of a row of a; a_at gives 0 past the row's end.
fn a_within(row: u32, i: u32) -> vec4<f32> {
    return a[row * (dims.k / 4u) + i / 4u];
}

fn a_at(row: u32, i: u32) -> vec4<f32> {
    return select(vec4(0.0), a_within(row, i), i < dims.k);
}

// b_within reads 4 numbers of a row of b; b_at gives 0 below the last row.
fn b_within(i: u32, quad: u32) -> vec4<f32> {
    return b[i * (dims.n / 4u) + quad];
}

fn b_at(i: u32, quad: u32) -> vec4<f32> {
    return select(vec4(0.0), b_within(i, quad), i < dims.k);
}

fn store(row: u32, quad: u32, values: vec4<f32>) {
    if (row < dims.m && quad < dims.n / 4u) {
        out[row * (dims.n / 4u) + quad] = values;
    }
}
