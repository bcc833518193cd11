// diagnosis: survived
// The sizes differ, but every product is 0.
const m = 1u;
const n = 3u;
const k = 2u;
const a = array(0.0, 0.0);
