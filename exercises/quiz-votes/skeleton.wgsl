// quiz-votes: count[0] is how many rows of signed bytes (four in each word of votes) add up to more than 0
// Your lines go here: all of them, from the struct of dims to main.
