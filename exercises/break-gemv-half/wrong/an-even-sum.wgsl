// diagnosis: survived
// Beyond 2,048 a half is never exact.
const n = 1u;
const k = 2u;
const x = array(2048.0, 2.0);
const w = array(0x3c003c00u);
const bias = array(0.0);
