// diagnosis: survived
// It is the mistake of another shader.
const rows = 1u;
const cols = 4u;
const x = array(-9.0, -2.0, -5.0, -4.0);
