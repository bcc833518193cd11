// diagnosis: survived
// Large numbers are enough.
const rows = 1u;
const cols = 4u;
const x = array(10000.0, -10000.0, 5000.0, -5000.0);
