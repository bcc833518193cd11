package course

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A TaskKind is what the learner does in an exercise. In every kind but Predict and
// Host the learner leaves a file work/ID.wgsl, which the check runs.
type TaskKind string

// The kinds. An exercise.toml without the key `kind` describes a shader to write.
const (
	Write   TaskKind = ""
	Order   TaskKind = "order"   // put given lines in order
	FindBug TaskKind = "find"    // name the wrong line of a shader, and repair it
	BreakIt TaskKind = "break"   // write the case in which a wrong shader goes wrong
	Predict TaskKind = "predict" // say what a worked example will show: see Question
	Host    TaskKind = "host"    // write the host's calls, in Go
)

// validate returns an error if there is no such kind.
func (k TaskKind) validate() error {
	if !slices.Contains([]TaskKind{Write, Order, FindBug, BreakIt}, k) {
		return fmt.Errorf("kind is %q: use order, find, break or predict, or leave it out for a shader to write", k)
	}
	return nil
}

// A CodeLine is a line of a shader without comments, and with one space between its tokens.
type CodeLine struct {
	Number int // from 1
	Text   string
}

// CodeLines returns the lines of a shader that have more than comments.
func CodeLines(text string) []CodeLine {
	source := syntax.NewSource("", text)
	var lines []CodeLine
	for _, token := range syntax.Tokens(source) {
		number, last := source.Position(token.Start).Line, len(lines)-1
		if last >= 0 && lines[last].Number == number {
			lines[last].Text += " " + source.Slice(token)
			continue
		}
		lines = append(lines, CodeLine{number, source.Slice(token)})
	}
	return lines
}

// Offered returns the lines from which the learner makes the shader of an exercise of kind Order.
// Those of the frame are the code of the skeleton. The loose ones are in its block comment, and the
// learner moves them out of it.
func (e *Exercise) Offered() (frame, loose []CodeLine, err error) {
	skeleton, err := e.Skeleton()
	if err != nil {
		return nil, nil, err
	}
	_, rest, begins := strings.Cut(skeleton, "/*")
	inside, _, ends := strings.Cut(rest, "*/")
	if !begins || !ends {
		return nil, nil, fmt.Errorf("the skeleton of %s has no block comment with the lines to put in order", e.ID)
	}
	return CodeLines(skeleton), CodeLines(inside), nil
}

// FirstOwn returns the first of the lines that is not given, or is there more often than it is
// given, and how often it is given. Its number is 0 if there is none.
func FirstOwn(lines, given []CodeLine) (own CodeLine, times int) {
	all, left := map[string]int{}, map[string]int{}
	for _, line := range given {
		all[line.Text]++
		left[line.Text]++
	}
	for _, line := range lines {
		if left[line.Text]--; left[line.Text] < 0 {
			return line, all[line.Text]
		}
	}
	return CodeLine{}, 0
}
