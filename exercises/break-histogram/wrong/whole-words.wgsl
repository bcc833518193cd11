// diagnosis: survived
// More words break it.
const n = 12u;
const bytes = array(0x04030201u, 0x08070605u, 0x0c0b0a09u);
