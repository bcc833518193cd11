// With numbers of one's own, in either of the two ways to write them.
const m = 1;
const n = 2;
const k = 3;
const a = array(1.0, 2.0, 3.0);
const b = array<f32, 6>(1, 0, 0, 1, 0, 0);
