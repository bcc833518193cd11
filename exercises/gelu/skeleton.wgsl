// gelu: out = 0.5 · x · (1 + tanh(0.7978846 · (x + 0.044715 · x³))), element by element
// Your lines go here: all of them, from the struct of params to main.
