// A case for gemv-half: one output of k inputs, with two halves in each word of w.
const n = 1u;
const k = 4u;
const x = array(1.0, 2.0, 3.0, 4.0);
const w = array(0x3c003c00u, 0x40003c00u); // 1, 1, 1 and 2
const bias = array(0.0);
