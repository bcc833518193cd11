// A case for matmul: a is m × k, b is k × n. The check fills them with numbers.
const m = 4u;
const n = 4u;
const k = 4u;
