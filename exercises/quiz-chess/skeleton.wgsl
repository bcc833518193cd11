// quiz-chess: 0 and 1 in turn, in rows and in columns, with 0 in row 0, column 0
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

// Your lines go here: the entry point main, with a workgroup of your size.
