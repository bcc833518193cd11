// A case for gemv-half: one output of k inputs, with two halves in each word of w.
const n = 1u;
const k = 2u;
const x = array(2048.0, 1.0);
const w = array(0x3c003c00u); // 1 and 1
const bias = array(0.0);
