// A case for layer-norm: x has rows × cols numbers, one row after the other.
const rows = 1u;
const cols = 4u;
const x = array(10003.0, 10001.0, 10004.0, 10002.0);
