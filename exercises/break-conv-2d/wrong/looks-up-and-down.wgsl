// diagnosis: survived
// A stroke at the left edge.
const w = 2u;
const h = 2u;
const ch = 1u;
const filters = 1u;
const x = array(
    1.0, 0.0,
    1.0, 0.0);
const bias = array(0.0);
const weights = array(
    0.0, 1.0, 0.0,
    0.0, 1.0, 0.0,
    0.0, 1.0, 0.0);
