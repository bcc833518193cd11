// sgd: each of the first n weights takes a step downhill, rate times its gradient g; the rest stay
// Your lines go here: all of them, from the struct of params to main.
