// sum-fast: out[b] is the sum of block b of x, 1,024 elements; one workgroup takes one block
// Your lines go here: bindings, what the workgroup shares, and the entry point.
