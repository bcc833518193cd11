// A case for conv-2d: one picture of w × h pixels, and one filter of 3 × 3.
const w = 5u;
const h = 5u;
const ch = 1u;
const filters = 1u;
const x = array(
    0.0, 0.0, 0.0, 0.0, 0.0,
    1.0, 1.0, 1.0, 1.0, 0.0,
    0.0, 0.0, 0.0, 1.0, 0.0,
    0.0, 0.0, 0.0, 1.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0);
const bias = array(0.0);
const weights = array(
    1.0, 1.0, 1.0,
    1.0, 1.0, 1.0,
    1.0, 1.0, 1.0);
