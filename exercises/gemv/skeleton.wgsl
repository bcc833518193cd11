// gemv: out[o] = bias[o] + the sum over j of x[j] * w[o * k + j]; one workgroup takes one output
// Bindings: 0 dims, a uniform Dims {n: u32, k: u32}; 1 x, 2 w and 3 bias, to read; 4 out, read_write.
// All but dims are array<f32>. There are n outputs and k inputs; row o of w holds the weights of output o.
// Your lines go here: all of them, from the directive for subgroups to main.
