// diagnosis: by-component
// title: The components are multiplied one by one.
// why: * multiplies x by x, y by y and z by z.
// ask: Which components does the x of a cross product need?
// A product is a product.
@group(0) @binding(0) var<storage, read> a: array<vec3<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec3<f32>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec3<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) {
    out[id.x] = a[id.x] * b[id.x];
  }
}
