// train/linear: out = x * w + bias, as in linear, but in blocks.
//
// An invocation computes ROWS elements of out, one below the other. A number of
// w that it fetched is then used ROWS times instead of once, and the numbers of
// x are the same for all invocations of a workgroup, so that they are fetched
// once for all. Invocation (column, block) does the rows from block * ROWS on.
//
// Rows past the end are computed from row m - 1 and not stored.

const ROWS = 8u;

struct Dims {
  m: u32,
  n: u32,
  k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
  let column = id.x;
  let first = group.y * ROWS;
  if (column >= dims.n || first >= dims.m) {
    return;
  }
  var start: array<u32, ROWS>; // where the rows of x begin
  var total: array<f32, ROWS>;
  for (var r = 0u; r < ROWS; r++) {
    start[r] = min(first + r, dims.m - 1u) * dims.k;
    total[r] = bias[column];
  }
  for (var i = 0u; i < dims.k; i++) {
    let weight = w[i * dims.n + column];
    for (var r = 0u; r < ROWS; r++) {
      total[r] += x[start[r] + i] * weight;
    }
  }
  for (var r = 0u; r < min(ROWS, dims.m - first); r++) {
    out[(first + r) * dims.n + column] = total[r];
  }
}
