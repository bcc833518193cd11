// diagnosis: survived
// Numbers that are close to each other are enough.
const rows = 1u;
const cols = 4u;
const x = array(3.5, 3.0, 3.25, 3.75);
