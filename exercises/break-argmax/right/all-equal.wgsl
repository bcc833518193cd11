// Two zeros are enough.
const rows = 1u;
const cols = 2u;
const x = array(0.0, 0.0);
