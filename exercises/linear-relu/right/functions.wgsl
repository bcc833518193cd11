// goals: coalesced
// linear and relu as functions, one inside the other.
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

fn linear(row: u32, column: u32) -> f32 {
    var sum = bias[column];
    var j = column;
    for (var i = row * dims.k; i < (row + 1u) * dims.k; i++) {
        sum += x[i] * w[j];
        j += dims.n;
    }
    return sum;
}

fn relu(value: f32) -> f32 {
    return max(0.0, value);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.n || id.y >= dims.m) {
        return;
    }
    out[id.y * dims.n + id.x] = relu(linear(id.y, id.x));
}
