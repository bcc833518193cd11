// diagnosis: survived
// Two of the largest products are enough.
const m = 1u;
const n = 1u;
const k = 4u;
const x = array(0x00007f7fu);
const w = array(0x00007f7fu);
