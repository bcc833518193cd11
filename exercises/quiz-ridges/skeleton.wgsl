// quiz-ridges: each number of x (h rows of w) stays if it is at least as large as its left and right neighbour; others become 0
// Your lines go here: all of them, from the struct of dims to main.
