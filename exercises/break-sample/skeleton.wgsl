// A case for sample: the scores of n letters.
const n = 4u;
const scores = array(0.0, 1.0, 3.0, 2.0);
