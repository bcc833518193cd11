// This file finds the lines that change from one text to another.

package verdict

import (
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

// Of returns the changed lines with two lines of context.
func Of(before, after string) []Change {
	const around = 2
	unified, err := udiff.ToUnified("before", "after", before, Lines(before, after), around)
	if err != nil {
		return []Change{{"kept", after}}
	}
	kinds := map[byte]string{'+': "added", '-': "taken", ' ': "kept"}
	var changes []Change
	for _, line := range strings.Split(unified, "\n") {
		if line == "" || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") {
			continue
		}
		if strings.HasPrefix(line, "@@") {
			if len(changes) > 0 {
				changes = append(changes, Change{"kept", "…"})
			}
			continue
		}
		if kind, ok := kinds[line[0]]; ok {
			changes = append(changes, Change{kind, line[1:]})
		}
	}
	return changes
}
