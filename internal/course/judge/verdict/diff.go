// This file finds the lines that change from one text to another.

package verdict

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// A Change is one line of a diff.
type Change struct {
	Kind string // added, taken or kept
	Text string
}

// Lines returns the edits that turn one text into another, as whole lines.
func Lines(before, after string) []udiff.Edit { return udiff.Lines(before, after) }

// around is how many lines of context a change has.
const around = 2

// Of returns the changed lines with two lines of context.
func Of(before, after string) (changes []Change) {
	add := func(kind string, lines []string) {
		for _, line := range lines {
			changes = append(changes, Change{kind, line})
		}
	}
	edits, at := Lines(before, after), 0
	for i, e := range edits {
		kept := linesOf(before[at:e.Start])
		switch {
		case i == 0:
			kept = kept[max(0, len(kept)-around):]
		case len(kept) > 2*around:
			kept = slices.Concat(kept[:around], []string{"…"}, kept[len(kept)-around:])
		}
		add("kept", kept)
		add("taken", linesOf(before[e.Start:e.End]))
		add("added", linesOf(e.New))
		at = e.End
	}
	if len(edits) > 0 {
		kept := linesOf(before[at:])
		add("kept", kept[:min(around, len(kept))])
	}
	return changes
}

// linesOf returns the lines of a text, without their ends.
func linesOf(text string) (all []string) {
	for line := range strings.Lines(text) {
		all = append(all, strings.TrimSuffix(line, "\n"))
	}
	return all
}
