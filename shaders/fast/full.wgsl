// fast/full: 8 × 16 elements an invocation, and nothing to ask.
//
// An invocation of fast/padded reads 4 vec4s for 64 products. With 8 × 16 elements it
// reads 6 for 128, and half as many invocations make the block. More sums do not fit:
// 128 of an invocation's 255 registers hold them, and what does not fit is kept in far
// memory, which is worse than all that the ladder has won.
//
// There is no room for questions either. k is a multiple of 16, so that no tile sticks
// out, and n of 4. This is the last rung.

const ROWS = 128u; // of out, which a workgroup makes
const COLUMNS = 128u;
const DEPTH = 16u; // of a tile along k: 4 slabs of 4
const WIDE = 8u; // invocations in x, 16 elements each
const HIGH = 16u; // invocations in y, 8 elements each
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

// 4 steps along k of a's tile: of each, 2 strips of HIGH times 4 rows.
struct Slab {
  steps: array<array<array<vec4<f32>, HIGH>, 2>, 4>,
  gap: array<vec4<f32>, 2>, // nobody uses it; it moves the next slab to other banks
}

var<workgroup> a_tile: array<Slab, 4>;
// Of each step, 4 strips of WIDE times 4 columns.
var<workgroup> b_tile: array<array<array<vec4<f32>, WIDE>, 4>, DEPTH>;

// The sums of an invocation: 8 rows, and in each 4 columns of 4 strips.
struct Sums {
  row0_0: vec4<f32>,
  row0_1: vec4<f32>,
  row0_2: vec4<f32>,
  row0_3: vec4<f32>,
  row1_0: vec4<f32>,
  row1_1: vec4<f32>,
  row1_2: vec4<f32>,
  row1_3: vec4<f32>,
  row2_0: vec4<f32>,
  row2_1: vec4<f32>,
  row2_2: vec4<f32>,
  row2_3: vec4<f32>,
  row3_0: vec4<f32>,
  row3_1: vec4<f32>,
  row3_2: vec4<f32>,
  row3_3: vec4<f32>,
  row4_0: vec4<f32>,
  row4_1: vec4<f32>,
  row4_2: vec4<f32>,
  row4_3: vec4<f32>,
  row5_0: vec4<f32>,
  row5_1: vec4<f32>,
  row5_2: vec4<f32>,
  row5_3: vec4<f32>,
  row6_0: vec4<f32>,
  row6_1: vec4<f32>,
  row6_2: vec4<f32>,
  row6_3: vec4<f32>,
  row7_0: vec4<f32>,
  row7_1: vec4<f32>,
  row7_2: vec4<f32>,
  row7_3: vec4<f32>,
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) id: u32) {
  // 32 neighbours make a patch of 4 × 8, and need few different numbers at a time.
  let x = id / 32u % 2u * 4u + id % 4u;
  let y = id / 64u * 8u + id / 4u % 8u;
  let first_row = group.y * ROWS;
  let first_quad = group.x * QUADS;

  // Every invocation fetches 4 × 4 numbers of a and 4 × 4 of b.
  let a_slab = id % 4u;
  let a_quad = id / 4u;
  let b_slab = id / QUADS;
  let b_quad = id % QUADS;
  let row0 = min(first_row + 4u * a_quad, dims.m - 1u); // past the end, the last one
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
  next_a0 = a_within(row0, 4u * a_slab);
  next_a1 = a_within(row1, 4u * a_slab);
  next_a2 = a_within(row2, 4u * a_slab);
  next_a3 = a_within(row3, 4u * a_slab);
  next_b0 = b_within(b_slab, column);
  next_b1 = b_within(b_slab + 4u, column);
  next_b2 = b_within(b_slab + 8u, column);
  next_b3 = b_within(b_slab + 12u, column);

  var sums: Sums;
  for (var start = 0u; start < dims.k; start += DEPTH) {
    // a is turned, so that 4 rows of one step lie side by side.
    a_tile[a_slab].steps[0][a_quad / HIGH][a_quad % HIGH] = vec4(next_a0.x, next_a1.x, next_a2.x, next_a3.x);
    a_tile[a_slab].steps[1][a_quad / HIGH][a_quad % HIGH] = vec4(next_a0.y, next_a1.y, next_a2.y, next_a3.y);
    a_tile[a_slab].steps[2][a_quad / HIGH][a_quad % HIGH] = vec4(next_a0.z, next_a1.z, next_a2.z, next_a3.z);
    a_tile[a_slab].steps[3][a_quad / HIGH][a_quad % HIGH] = vec4(next_a0.w, next_a1.w, next_a2.w, next_a3.w);
    b_tile[b_slab][b_quad / WIDE][b_quad % WIDE] = next_b0;
    b_tile[b_slab + 4u][b_quad / WIDE][b_quad % WIDE] = next_b1;
    b_tile[b_slab + 8u][b_quad / WIDE][b_quad % WIDE] = next_b2;
    b_tile[b_slab + 12u][b_quad / WIDE][b_quad % WIDE] = next_b3;
    workgroupBarrier(); // the tiles are complete
    // The next ones come while these are used; behind the last there are none.
    let next = min(start + DEPTH, dims.k - DEPTH);
    next_a0 = a_within(row0, next + 4u * a_slab);
    next_a1 = a_within(row1, next + 4u * a_slab);
    next_a2 = a_within(row2, next + 4u * a_slab);
    next_a3 = a_within(row3, next + 4u * a_slab);
    next_b0 = b_within(next + b_slab, column);
    next_b1 = b_within(next + b_slab + 4u, column);
    next_b2 = b_within(next + b_slab + 8u, column);
    next_b3 = b_within(next + b_slab + 12u, column);
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
    workgroupBarrier(); // everybody is done with them
  }

  store(first_row + 4u * y, first_quad + x, sums.row0_0);
  store(first_row + 4u * y, first_quad + WIDE + x, sums.row0_1);
  store(first_row + 4u * y, first_quad + 2u * WIDE + x, sums.row0_2);
  store(first_row + 4u * y, first_quad + 3u * WIDE + x, sums.row0_3);
  store(first_row + 4u * y + 1u, first_quad + x, sums.row1_0);
  store(first_row + 4u * y + 1u, first_quad + WIDE + x, sums.row1_1);
  store(first_row + 4u * y + 1u, first_quad + 2u * WIDE + x, sums.row1_2);
  store(first_row + 4u * y + 1u, first_quad + 3u * WIDE + x, sums.row1_3);
  store(first_row + 4u * y + 2u, first_quad + x, sums.row2_0);
  store(first_row + 4u * y + 2u, first_quad + WIDE + x, sums.row2_1);
  store(first_row + 4u * y + 2u, first_quad + 2u * WIDE + x, sums.row2_2);
  store(first_row + 4u * y + 2u, first_quad + 3u * WIDE + x, sums.row2_3);
  store(first_row + 4u * y + 3u, first_quad + x, sums.row3_0);
  store(first_row + 4u * y + 3u, first_quad + WIDE + x, sums.row3_1);
  store(first_row + 4u * y + 3u, first_quad + 2u * WIDE + x, sums.row3_2);
  store(first_row + 4u * y + 3u, first_quad + 3u * WIDE + x, sums.row3_3);
  store(first_row + 4u * (HIGH + y), first_quad + x, sums.row4_0);
  store(first_row + 4u * (HIGH + y), first_quad + WIDE + x, sums.row4_1);
  store(first_row + 4u * (HIGH + y), first_quad + 2u * WIDE + x, sums.row4_2);
  store(first_row + 4u * (HIGH + y), first_quad + 3u * WIDE + x, sums.row4_3);
  store(first_row + 4u * (HIGH + y) + 1u, first_quad + x, sums.row5_0);
  store(first_row + 4u * (HIGH + y) + 1u, first_quad + WIDE + x, sums.row5_1);
  store(first_row + 4u * (HIGH + y) + 1u, first_quad + 2u * WIDE + x, sums.row5_2);
  store(first_row + 4u * (HIGH + y) + 1u, first_quad + 3u * WIDE + x, sums.row5_3);
  store(first_row + 4u * (HIGH + y) + 2u, first_quad + x, sums.row6_0);
  store(first_row + 4u * (HIGH + y) + 2u, first_quad + WIDE + x, sums.row6_1);
  store(first_row + 4u * (HIGH + y) + 2u, first_quad + 2u * WIDE + x, sums.row6_2);
  store(first_row + 4u * (HIGH + y) + 2u, first_quad + 3u * WIDE + x, sums.row6_3);
  store(first_row + 4u * (HIGH + y) + 3u, first_quad + x, sums.row7_0);
  store(first_row + 4u * (HIGH + y) + 3u, first_quad + WIDE + x, sums.row7_1);
  store(first_row + 4u * (HIGH + y) + 3u, first_quad + 2u * WIDE + x, sums.row7_2);
  store(first_row + 4u * (HIGH + y) + 3u, first_quad + 3u * WIDE + x, sums.row7_3);
}

// step takes one step along k: 6 reads, 128 products.
fn step(sums: ptr<function, Sums>, i: u32, x: u32, y: u32) {
  let upper = a_tile[i / 4u].steps[i % 4u][0][y];
  let lower = a_tile[i / 4u].steps[i % 4u][1][y];
  let b0 = b_tile[i][0][x];
  let b1 = b_tile[i][1][x];
  let b2 = b_tile[i][2][x];
  let b3 = b_tile[i][3][x];
  (*sums).row0_0 += upper.x * b0;
  (*sums).row0_1 += upper.x * b1;
  (*sums).row0_2 += upper.x * b2;
  (*sums).row0_3 += upper.x * b3;
  (*sums).row1_0 += upper.y * b0;
  (*sums).row1_1 += upper.y * b1;
  (*sums).row1_2 += upper.y * b2;
  (*sums).row1_3 += upper.y * b3;
  (*sums).row2_0 += upper.z * b0;
  (*sums).row2_1 += upper.z * b1;
  (*sums).row2_2 += upper.z * b2;
  (*sums).row2_3 += upper.z * b3;
  (*sums).row3_0 += upper.w * b0;
  (*sums).row3_1 += upper.w * b1;
  (*sums).row3_2 += upper.w * b2;
  (*sums).row3_3 += upper.w * b3;
  (*sums).row4_0 += lower.x * b0;
  (*sums).row4_1 += lower.x * b1;
  (*sums).row4_2 += lower.x * b2;
  (*sums).row4_3 += lower.x * b3;
  (*sums).row5_0 += lower.y * b0;
  (*sums).row5_1 += lower.y * b1;
  (*sums).row5_2 += lower.y * b2;
  (*sums).row5_3 += lower.y * b3;
  (*sums).row6_0 += lower.z * b0;
  (*sums).row6_1 += lower.z * b1;
  (*sums).row6_2 += lower.z * b2;
  (*sums).row6_3 += lower.z * b3;
  (*sums).row7_0 += lower.w * b0;
  (*sums).row7_1 += lower.w * b1;
  (*sums).row7_2 += lower.w * b2;
  (*sums).row7_3 += lower.w * b3;
}

// a_within is 4 numbers of a row of a.
fn a_within(row: u32, i: u32) -> vec4<f32> {
  return a[row * (dims.k / 4u) + i / 4u];
}

// b_within is 4 numbers of a row of b.
fn b_within(i: u32, quad: u32) -> vec4<f32> {
  return b[i * (dims.n / 4u) + quad];
}

fn store(row: u32, quad: u32, values: vec4<f32>) {
  if (row < dims.m && quad < dims.n / 4u) {
    out[row * (dims.n / 4u) + quad] = values;
  }
}
