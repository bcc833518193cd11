// A case for argmax: x has rows × cols numbers, one row after the other.
const rows = 1u;
const cols = 4u;
const x = array(2.0, 9.0, 5.0, 1.0);
