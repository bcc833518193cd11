// max-pool: each number of out is the largest of 2 × 2 numbers of x
// Your lines go here: all of them, from the struct of params to main.
