// diagnosis: survived
// Every sum is too large for an f32: infinity, from right shaders and from this one.
const m = 1u;
const n = 3u;
const k = 2u;
const a = array(3e38, 3e38);
const b = array(9.0, 9.0, 9.0, 9.0, 9.0, 9.0);
