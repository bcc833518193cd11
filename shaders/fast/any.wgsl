// fast/any: fast/padded for every m, n and k.
//
// If k or n isn't a multiple of 4, some rows begin in the middle of a vec4, so here the
// numbers are fetched one by one. The rest is as in fast/padded, with the steps in a loop.

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
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

// 4 steps along k of a's tile; each step has 2 strips of SIDE times 4 rows.
struct Slab {
    steps: array<array<array<vec4<f32>, SIDE>, 2>, 4>,
    gap: array<vec4<f32>, 2>, // unused; it moves the next slab to other banks
}

var<workgroup> a_tile: array<Slab, 4>;
// Each step along k has 2 strips of SIDE times 4 columns.
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
    let column = min(4u * (first_quad + b_quad) + vec4(0u, 1u, 2u, 3u), vec4(dims.n - 1u));
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
            a_tile[a_slab].steps[0][a_quad / SIDE][a_quad % SIDE] = vec4(next0.x, next1.x, next2.x, next3.x);
            a_tile[a_slab].steps[1][a_quad / SIDE][a_quad % SIDE] = vec4(next0.y, next1.y, next2.y, next3.y);
            a_tile[a_slab].steps[2][a_quad / SIDE][a_quad % SIDE] = vec4(next0.z, next1.z, next2.z, next3.z);
            a_tile[a_slab].steps[3][a_quad / SIDE][a_quad % SIDE] = vec4(next0.w, next1.w, next2.w, next3.w);
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
            let upper = a_tile[i / 4u].steps[i % 4u][0][y];
            let lower = a_tile[i / 4u].steps[i % 4u][1][y];
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
    let at = row * dims.k + i;
    return vec4(a[at], a[at + 1u], a[at + 2u], a[at + 3u]);
}

fn a_at(row: u32, i: u32) -> vec4<f32> {
    return select(vec4(0.0), a_within(row, i), i + vec4(0u, 1u, 2u, 3u) < vec4(dims.k));
}

// b_within reads 4 numbers of a row of b; b_at gives 0 below the last row.
fn b_within(i: u32, column: vec4<u32>) -> vec4<f32> {
    let at = i * dims.n + column;
    return vec4(b[at.x], b[at.y], b[at.z], b[at.w]);
}

fn b_at(i: u32, column: vec4<u32>) -> vec4<f32> {
    return select(vec4(0.0), b_within(i, column), i < dims.k);
}

fn store(row: u32, quad: u32, values: vec4<f32>) {
    for (var j = 0u; j < 4u; j++) {
        if (row < dims.m && 4u * quad + j < dims.n) {
            out[row * dims.n + 4u * quad + j] = values[j];
        }
    }
}
