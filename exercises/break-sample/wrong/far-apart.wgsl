// diagnosis: survived
// The scores have to be far apart.
const n = 4u;
const scores = array(40.0, -40.0, 20.0, -20.0);
