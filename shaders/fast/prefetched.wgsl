// fast/prefetched: the next tiles arrive while the current ones are multiplied.
//
// In fast/wide all invocations wait for the buffers before each tile, and compute
// nothing meanwhile. Here each invocation requests its part of the next tiles before it
// multiplies the current ones. The numbers travel while it works, and wait in registers.
//
// k and n are multiples of 4.

const ROWS = 128u; // rows of out per workgroup
const COLUMNS = 128u; // and columns
const DEPTH = 16u; // of a tile along k: 4 slabs of 4
const SIDE = 16u; // invocations in x and in y, 8 × 8 elements each
const QUADS = 32u; // ROWS / 4, and COLUMNS / 4

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>; // m × k
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<vec4<f32>>; // m × n

// The tiles. Each step along k has 2 strips of SIDE times 4 rows of a, and 2 strips
// of SIDE times 4 columns of b. a's steps come in 4 slabs of 4.
var<workgroup> a_tile: array<array<array<array<vec4<f32>, SIDE>, 2>, 4>, 4>;
var<workgroup> b_tile: array<array<array<vec4<f32>, SIDE>, 2>, DEPTH>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) id: u32) {
    // 32 neighbours make a patch of 8 × 4, so they need few different numbers at a time.
    let x = id / 32u % 2u * 8u + id % 8u;
    let y = id / 64u * 4u + id / 8u % 4u;
    let first_row = group.y * ROWS;
    let first_quad = group.x * QUADS;

    // Half of the invocations fetch a, the other half b: 4 × 4 numbers each.
    let fetches_a = id < 128u;
    let half = id % 128u;
    let a_slab = half % 4u;
    let a_quad = half / 4u;
    let b_slab = half / QUADS;
    let b_quad = half % QUADS;
    let row0 = min(first_row + 4u * a_quad, dims.m - 1u); // past the end, read the last row
    let row1 = min(first_row + 4u * a_quad + 1u, dims.m - 1u);
    let row2 = min(first_row + 4u * a_quad + 2u, dims.m - 1u);
    let row3 = min(first_row + 4u * a_quad + 3u, dims.m - 1u);
    let column = min(first_quad + b_quad, dims.n / 4u - 1u);
    var next0: vec4<f32>;
    var next1: vec4<f32>;
    var next2: vec4<f32>;
    var next3: vec4<f32>;
    if (fetches_a) {
        next0 = a_at(row0, 4u * a_slab);
        next1 = a_at(row1, 4u * a_slab);
        next2 = a_at(row2, 4u * a_slab);
        next3 = a_at(row3, 4u * a_slab);
    } else {
        next0 = b_at(4u * b_slab, column);
        next1 = b_at(4u * b_slab + 1u, column);
        next2 = b_at(4u * b_slab + 2u, column);
        next3 = b_at(4u * b_slab + 3u, column);
    }

    var l0 = vec4(0.0); // row 0: 4 columns of the left strip, and 4 of the right
    var r0 = vec4(0.0);
    var l1 = vec4(0.0);
    var r1 = vec4(0.0);
    var l2 = vec4(0.0);
    var r2 = vec4(0.0);
    var l3 = vec4(0.0);
    var r3 = vec4(0.0);
    var l4 = vec4(0.0);
    var r4 = vec4(0.0);
    var l5 = vec4(0.0);
    var r5 = vec4(0.0);
    var l6 = vec4(0.0);
    var r6 = vec4(0.0);
    var l7 = vec4(0.0);
    var r7 = vec4(0.0);
    for (var start = 0u; start < dims.k; start += DEPTH) {
        if (fetches_a) { // transposed: 4 rows of one step become one vec4
            a_tile[a_slab][0][a_quad / SIDE][a_quad % SIDE] = vec4(next0.x, next1.x, next2.x, next3.x);
            a_tile[a_slab][1][a_quad / SIDE][a_quad % SIDE] = vec4(next0.y, next1.y, next2.y, next3.y);
            a_tile[a_slab][2][a_quad / SIDE][a_quad % SIDE] = vec4(next0.z, next1.z, next2.z, next3.z);
            a_tile[a_slab][3][a_quad / SIDE][a_quad % SIDE] = vec4(next0.w, next1.w, next2.w, next3.w);
        } else {
            b_tile[4u * b_slab][b_quad / SIDE][b_quad % SIDE] = next0;
            b_tile[4u * b_slab + 1u][b_quad / SIDE][b_quad % SIDE] = next1;
            b_tile[4u * b_slab + 2u][b_quad / SIDE][b_quad % SIDE] = next2;
            b_tile[4u * b_slab + 3u][b_quad / SIDE][b_quad % SIDE] = next3;
        }
        workgroupBarrier(); // the tiles are complete
        // Request the next tiles; they arrive while these are used.
        let next = start + DEPTH;
        if (next + DEPTH <= dims.k) { // the whole tiles are inside
            if (fetches_a) {
                next0 = a_within(row0, next + 4u * a_slab);
                next1 = a_within(row1, next + 4u * a_slab);
                next2 = a_within(row2, next + 4u * a_slab);
                next3 = a_within(row3, next + 4u * a_slab);
            } else {
                next0 = b_within(next + 4u * b_slab, column);
                next1 = b_within(next + 4u * b_slab + 1u, column);
                next2 = b_within(next + 4u * b_slab + 2u, column);
                next3 = b_within(next + 4u * b_slab + 3u, column);
            }
        } else {
            if (fetches_a) {
                next0 = a_at(row0, next + 4u * a_slab);
                next1 = a_at(row1, next + 4u * a_slab);
                next2 = a_at(row2, next + 4u * a_slab);
                next3 = a_at(row3, next + 4u * a_slab);
            } else {
                next0 = b_at(next + 4u * b_slab, column);
                next1 = b_at(next + 4u * b_slab + 1u, column);
                next2 = b_at(next + 4u * b_slab + 2u, column);
                next3 = b_at(next + 4u * b_slab + 3u, column);
            }
        }
        for (var i = 0u; i < DEPTH; i++) {
            let upper = a_tile[i / 4u][i % 4u][0][y];
            let lower = a_tile[i / 4u][i % 4u][1][y];
            let left = b_tile[i][0][x];
            let right = b_tile[i][1][x];
            l0 += upper.x * left;
            r0 += upper.x * right;
            l1 += upper.y * left;
            r1 += upper.y * right;
            l2 += upper.z * left;
            r2 += upper.z * right;
            l3 += upper.w * left;
            r3 += upper.w * right;
            l4 += lower.x * left;
            r4 += lower.x * right;
            l5 += lower.y * left;
            r5 += lower.y * right;
            l6 += lower.z * left;
            r6 += lower.z * right;
            l7 += lower.w * left;
            r7 += lower.w * right;
        }
        workgroupBarrier(); // all invocations are done with them
    }

    store(first_row + 4u * y, first_quad + x, l0);
    store(first_row + 4u * y, first_quad + SIDE + x, r0);
    store(first_row + 4u * y + 1u, first_quad + x, l1);
    store(first_row + 4u * y + 1u, first_quad + SIDE + x, r1);
    store(first_row + 4u * y + 2u, first_quad + x, l2);
    store(first_row + 4u * y + 2u, first_quad + SIDE + x, r2);
    store(first_row + 4u * y + 3u, first_quad + x, l3);
    store(first_row + 4u * y + 3u, first_quad + SIDE + x, r3);
    store(first_row + 4u * (SIDE + y), first_quad + x, l4);
    store(first_row + 4u * (SIDE + y), first_quad + SIDE + x, r4);
    store(first_row + 4u * (SIDE + y) + 1u, first_quad + x, l5);
    store(first_row + 4u * (SIDE + y) + 1u, first_quad + SIDE + x, r5);
    store(first_row + 4u * (SIDE + y) + 2u, first_quad + x, l6);
    store(first_row + 4u * (SIDE + y) + 2u, first_quad + SIDE + x, r6);
    store(first_row + 4u * (SIDE + y) + 3u, first_quad + x, l7);
    store(first_row + 4u * (SIDE + y) + 3u, first_quad + SIDE + x, r7);
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
