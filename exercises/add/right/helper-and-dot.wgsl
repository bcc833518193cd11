// goals: touches each number once
// way: Each buffer is a struct with one member, and a function of its own adds.
struct Number { value: f32 }
@group(0) @binding(0) var<storage, read> a: Number;
@group(0) @binding(1) var<storage, read> b: Number;
@group(0) @binding(2) var<storage, read_write> out: Number;

fn plus(x: f32, y: f32) -> f32 {
    return dot(vec2<f32>(x, y), vec2<f32>(1.0, 1.0));
}

@compute @workgroup_size(1)
fn main() {
    out.value = plus(a.value, b.value);
}
