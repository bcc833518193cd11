// goals: coalesced; few barriers
// way: Shifts and masks take the halves out of the word, and quantizeToF16 isn't needed.
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, 32>;

// The number that 16 bits stand for: sign, 5 bits of exponent, 10 of the fraction.
fn number(bits: u32) -> f32 {
    let size = f32(1024u + (bits & 1023u)) * exp2(f32((bits >> 10u) & 31u) - 25.0);
    return select(size, -size, (bits & 32768u) != 0u);
}

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let words = dims.k / 2u;
    var sum = 0.0;
    for (var i = me; i < words; i += 32u) {
        let word = w[group.x * words + i];
        sum += number(word & 65535u) * x[2u * i];
        sum += number(word >> 16u) * x[2u * i + 1u];
    }
    partial[me] = sum;
    workgroupBarrier();
    if (me == 0u) {
        var all = bias[group.x];
        for (var i = 0u; i < 32u; i++) {
            all += partial[i];
        }
        out[group.x] = all;
    }
}
