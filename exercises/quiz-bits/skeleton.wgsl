// quiz-bits: bit b of out[i] is 1 where x[32 * i + b] is above the threshold, for n elements of x
// Your lines go here: all of them, from the struct of params to main.
