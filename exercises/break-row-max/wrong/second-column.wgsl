// diagnosis: survived
// Columns 0 and 1 stay to the end.
const rows = 1u;
const cols = 4u;
const x = array(2.0, 9.0, 5.0, 1.0);
