// A case for sample: the scores of n letters.
const n = 4u;
const scores = array(100.0, 101.0, 103.0, 102.0);
