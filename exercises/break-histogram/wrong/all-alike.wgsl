// diagnosis: survived
// A partly full word is enough.
const n = 6u;
const bytes = array(0x07070707u, 0x07070707u);
