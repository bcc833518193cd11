// argmax-shared: for each row the index of its largest value; one workgroup takes one row
// Your lines go here: all of them, from the struct of dims to main.
