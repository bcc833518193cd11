// argmax: for each row the index of its largest value; the lowest index wins a tie
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

// Your lines go here: the entry point main, with a workgroup of your size.
