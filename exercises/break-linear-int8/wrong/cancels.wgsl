// diagnosis: survived
// The largest bytes of both signs are enough.
const m = 1u;
const n = 1u;
const k = 4u;
const x = array(0x7f7f7f7fu);
const w = array(0x7f817f81u);
