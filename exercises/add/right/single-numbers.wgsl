// goals: touches each number once
// way: A buffer with one number can be declared as that number, without an array.
// A buffer of one number can be declared as that number.
@group(0) @binding(0) var<storage> a: f32;
@group(0) @binding(1) var<storage> b: f32;
@group(0) @binding(2) var<storage, read_write> out: f32;

@compute @workgroup_size(1) fn main() { out = a + b; }
