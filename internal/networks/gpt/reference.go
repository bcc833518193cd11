package gpt

import (
	"math"

	"github.com/wgslab/wgslab/internal/course/network"
)

// ScoresReference runs the network in float64 on some letters, and returns the scores of all
// letters to be the next, after each of them.
func ScoresReference(w *Weights, letters []uint32) [][]float64 {
	x := make([][]float64, len(letters))
	for i, letter := range letters {
		for _, value := range w.Table[int(letter)*w.Width : (int(letter)+1)*w.Width] {
			x[i] = append(x[i], float64(value))
		}
	}
	for i := range w.Layers {
		x = w.Layers[i].Reference(x, w.Heads, w.bias)
	}
	scores := make([][]float64, len(letters))
	for i, row := range w.Norm.Reference(x) {
		scores[i] = make([]float64, w.Letters)
		for letter := range scores[i] {
			for j, value := range row {
				scores[i][letter] += value * float64(w.Table[letter*w.Width+j])
			}
		}
	}
	return scores
}

// LossReference is the mean of -log of the probability of each letter after the first.
func LossReference(w *Weights, letters []uint32) float64 {
	last, total := len(letters)-1, 0.0
	for i, scores := range ScoresReference(w, letters[:last]) {
		total -= math.Log(network.Softmax(scores)[letters[i+1]])
	}
	return total / float64(last)
}

// Slope is how much a head takes off a score for each letter that a key is farther back.
func (s Dimensions) Slope(head int) float64 {
	return math.Exp2(-8 * float64(head+1) / float64(s.Heads))
}

// bias is what a head adds to the score of a letter: it doesn't look at later ones.
func (s Dimensions) bias(head, letter, other int) float64 {
	if other > letter {
		return math.Inf(-1)
	}
	return -s.Slope(head) * float64(letter-other)
}
