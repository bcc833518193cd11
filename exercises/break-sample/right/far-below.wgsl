// Far below 0 every weight is 0, and so is the total.
const n = 2u;
const scores = array(-200.0, -199.0);
