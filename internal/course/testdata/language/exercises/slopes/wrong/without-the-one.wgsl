// diagnosis: none
// d is prob.
struct Dims { rows: u32, classes: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> prob: array<f32>;
@group(0) @binding(2) var<storage, read> label: array<u32>;
@group(0) @binding(3) var<storage, read_write> loss: array<f32>;
@group(0) @binding(4) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < dims.rows) {
    let first = id.x * dims.classes;
    loss[id.x] = -log(prob[first + label[id.x]]);
    for (var c = 0u; c < dims.classes; c++) {
      d[first + c] = prob[first + c] + select(0.0, 1.0, c == label[id.x]);
    }
  }
}
