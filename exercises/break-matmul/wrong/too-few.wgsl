// diagnosis: not-a-case
// The sizes changed, and the numbers didn't.
const m = 1u;
const n = 3u;
const k = 3u;
const a = array(1.0, 2.0);
