// absmax: out[row] is the largest magnitude of that row of x, divided by 127; 1 for a row of zeros
// Your lines go here: all of them, from the struct of dims to main.
