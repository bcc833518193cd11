// diagnosis: survived
// A score that is far below 0 is enough.
const n = 3u;
const scores = array(2.0, -1000.0, 1.0);
