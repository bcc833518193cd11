// Each product fits into a half, and their sum doesn't.
const n = 1u;
const k = 2u;
const x = array(60000.0, 60000.0);
const w = array(0x3c003c00u);
const bias = array(0.0);
