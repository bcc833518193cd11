// diagnosis: survived
// Any tie will do.
const rows = 1u;
const cols = 4u;
const x = array(5.0, 9.0, 5.0, 1.0);
