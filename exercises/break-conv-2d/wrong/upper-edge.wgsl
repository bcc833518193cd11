// diagnosis: survived
// Any pixel at the edge will do.
const w = 5u;
const h = 5u;
const ch = 1u;
const filters = 1u;
const x = array(
    0.0, 0.0, 1.0, 0.0, 0.0,
    0.0, 1.0, 1.0, 1.0, 0.0,
    0.0, 0.0, 0.0, 1.0, 0.0,
    0.0, 0.0, 0.0, 1.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0);
const bias = array(0.0);
const weights = array(
    1.0, 1.0, 1.0,
    1.0, 1.0, 1.0,
    1.0, 1.0, 1.0);
