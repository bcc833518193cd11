var<workgroup> tile: array<f32, 4096>;
override width = 512;

@compute @workgroup_size(16, 16)
fn main() { tile[0] = 1.0; }

@compute @workgroup_size(width)
fn chosen() { }
