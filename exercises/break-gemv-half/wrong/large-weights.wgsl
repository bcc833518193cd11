// diagnosis: survived
// The largest weight is too much.
const n = 1u;
const k = 2u;
const x = array(1.0, 0.0);
const w = array(0x00007bffu); // 65,504 and 0
const bias = array(0.0);
