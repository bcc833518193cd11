// The lowest byte is 1, the highest is 0.
const n = 1u;
const bytes = array(1u);
