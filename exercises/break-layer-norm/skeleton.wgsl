// A case for layer-norm: x has rows × cols numbers, one row after the other.
const rows = 1u;
const cols = 4u;
const x = array(3.0, 1.0, 4.0, 2.0);
