// Two numbers are enough, and they may be negative.
const rows = 1u;
const cols = 2u;
const x = array(-20001.0, -20003.0);
