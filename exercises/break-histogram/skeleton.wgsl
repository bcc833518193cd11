// A case for histogram: how many bytes to count, and the words that hold them, 4 in each.
const n = 8u;
const bytes = array(0x04030201u, 0x08070605u);
