// A case for linear-int8: one row of x and one neuron, with k bytes each, 4 in a word.
const m = 1u;
const n = 1u;
const k = 8u;
const x = array(0x7f7f7f7fu, 0x08070605u);
const w = array(0x7f7f7f7fu, 0x20202020u);
