// diagnosis: not-a-case
// n is missing.
const m = 1u;
const k = 3u;
