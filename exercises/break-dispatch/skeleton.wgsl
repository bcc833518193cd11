// A case for linear: x is m × k, w is k × n. The check fills them with numbers.
const m = 3u;
const n = 128u;
const k = 4u;
