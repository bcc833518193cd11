// This file draws what the language model writes, for a cell: the text, and for each letter
// why it came.

package writer

import (
	"cmp"
	_ "embed"
	"fmt"
	"hash/fnv"
	"html/template"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
	"github.com/wgslab/wgslab/internal/networks/gpt"
)

//go:embed card.html
var source string

var page = template.Must(template.New("card").Parse(source))

// Written draws a text of which the first letters are given. With an insight into the text, a click
// on a letter says why it came.
type Written struct {
	Text        []uint32
	Given       int // letters
	Temperature float64
	Insight     Insight // if it has no scores, letters can't be clicked
	Heads       int     // of each layer, in Insight
}

// chances and looks are how many a letter's panel names.
const chances, looks = 5, 4

type shownLetter struct {
	Text, Title    string
	Chances, Looks string
	Ends           bool // a paragraph
}

// View returns the card.
func (w Written) View() view.View {
	data := struct {
		Given string
		Words [][]shownLetter
		Name  string // that the letters' panels share: one of them is open
		Plain string
	}{Given: gpt.Text(w.Text[:w.Given])}
	if len(w.Insight.Scores) == 0 {
		data.Plain = gpt.Text(w.Text[w.Given:])
	} else {
		digest := fnv.New32a()
		digest.Write([]byte(gpt.Text(w.Text)))
		data.Words, data.Name = w.words(), fmt.Sprintf("letters-%x", digest.Sum32())
	}
	return view.HTML(mark.Fill(page, data), gpt.Text(w.Text))
}

// mostTogether is how many letters stay on one line at most, so that no card gets too wide.
const mostTogether = 24

// words returns the written letters by word, each with the white space after it: each letter is a
// box of its own, and lines break only between words.
func (w Written) words() (words [][]shownLetter) {
	var word []shownLetter
	for i := w.Given; i < len(w.Text); i++ {
		letter := w.letter(i)
		word = append(word, letter)
		if letter.Ends || letter.Text == " " || len(word) == mostTogether || i == len(w.Text)-1 {
			words, word = append(words, word), nil
		}
	}
	return words
}

// letter explains the letter at a position: it was drawn from what the network made of those
// before.
func (w Written) letter(at int) shownLetter {
	name := gpt.Text(w.Text[at : at+1])
	l := shownLetter{Text: name, Ends: name == "\n"}
	if l.Ends {
		l.Text = "¶"
	}
	var all []string
	chance := Chances(w.Insight.Scores[at-1], w.Temperature)
	for _, c := range chance[:chances] {
		all = append(all, fmt.Sprintf("%s %.0f %%", Name(c.Letter), 100*c.Chance))
	}
	l.Chances = strings.Join(all, " · ")
	for _, c := range chance {
		if c.Letter == w.Text[at] {
			l.Title = fmt.Sprintf("%s had a chance of %.1f %%", Name(c.Letter), 100*c.Chance)
		}
	}
	all = nil
	for _, s := range w.looks(at - 1) {
		all = append(all, fmt.Sprintf("%s %d back, %.0f %%", Name(w.Text[s.at]), at-s.at, 100*s.share))
	}
	l.Looks = strings.Join(all, " · ")
	return l
}

type look struct {
	at    int
	share float64
}

// looks returns the letters at which a letter looks most, in the mean over all heads and layers.
func (w Written) looks(row int) []look {
	t := len(w.Insight.Scores)
	all := make([]look, row+1)
	for other := range all {
		all[other].at = other
		for _, layer := range w.Insight.Looks {
			for head := range w.Heads {
				all[other].share += float64(layer[(head*t+row)*t+other]) / float64(w.Heads*len(w.Insight.Looks))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b look) int { return cmp.Compare(b.share, a.share) })
	return all[:min(looks, len(all))]
}

// A Chance is how probable a letter is to be the next.
type Chance struct {
	Letter uint32
	Chance float64
}

// Chances returns the chance of each letter, the most probable first.
func Chances(scores []float32, temperature float64) []Chance {
	divided := make([]float64, len(scores))
	for i, score := range scores {
		divided[i] = float64(score) / temperature
	}
	all := make([]Chance, len(scores))
	for i, p := range network.Softmax(divided) {
		all[i] = Chance{uint32(i), p}
	}
	slices.SortStableFunc(all, func(a, b Chance) int { return cmp.Compare(b.Chance, a.Chance) })
	return all
}

// Name is a letter's name in a picture: itself, or a sign for white space.
func Name(letter uint32) string {
	switch name := gpt.Text([]uint32{letter}); name {
	case " ":
		return "␣"
	case "\n":
		return "¶"
	default:
		return name
	}
}
