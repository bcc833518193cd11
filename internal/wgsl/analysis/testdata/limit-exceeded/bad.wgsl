var<workgroup> tile: array<array<f32, 65>, 64>; // want `more than every device guarantees: 16384`

@compute @workgroup_size(32, 16)
fn wide() { tile[0][0] = 1.0; } // want `512 invocations`

@compute @workgroup_size(1, 1, 65) // want `65 in z`
fn deep() { }
