// diagnosis: survived
// Not square, but k and n are the same.
const m = 7u;
const n = 4u;
const k = 4u;
