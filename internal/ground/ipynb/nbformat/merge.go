// This file brings an update of the course into a learner's copies of the notebooks, without
// losing a line that the learner wrote.
//
// It compares three versions of each cell, found by its id: the course's that the copy was made
// from (base), the learner's (mine), and the course's of today (theirs).
//
//	mine and base are the same     the cell becomes theirs
//	theirs and base are the same   the cell stays
//	all three differ               the cell stays, and a note above it shows theirs
//
// Cells are in the order of theirs. A cell that the learner added stays below the cell that it was
// below; one that the learner deleted stays away.

package nbformat

import (
	"fmt"
	"reflect"
	"slices"
)

// Notebook brings what changed from base to theirs into mine. It returns the ids of the cells that
// the learner and the course have both changed; each has a note above it.
func Merge(base, mine, theirs *Notebook) (both []string) {
	for key, value := range theirs.Metadata {
		if reflect.DeepEqual(mine.Metadata[key], base.Metadata[key]) {
			mine.Metadata[key] = value
		}
	}
	was, has, is := byID(base), byID(mine), byID(theirs)
	own := added(mine, was, is)
	cells, notes := own[""], map[string]*Cell{}
	for _, t := range theirs.Cells {
		m, b := has[t.ID], was[t.ID]
		switch {
		case m == nil && b == nil:
			cells = append(cells, t) // new in the course
		case m == nil: // deleted by the learner
		case b != nil && same(b, t):
			cells = append(cells, m)
		case sameText(m, t):
			t.Outputs, t.ExecutionCount = m.Outputs, m.ExecutionCount
			cells = append(cells, t)
		case b != nil && sameText(m, b):
			cells = append(cells, t)
		default:
			both = append(both, m.ID)
			n := note(t)
			notes[n.ID] = n
			cells = append(cells, n, m)
		}
		cells = append(cells, own[t.ID]...)
	}
	mine.Cells = slices.DeleteFunc(cells, func(c *Cell) bool {
		return isNote(c) && notes[c.ID] != nil && notes[c.ID] != c // an older note about the same cell
	})
	return both
}

// added returns the cells that only the learner's notebook is to have, by the id of the course's
// cell above them; "" is the top of the notebook. A cell that the course no longer has is one of
// them if the learner has changed it.
func added(mine *Notebook, was, is map[string]*Cell) map[string][]*Cell {
	own := map[string][]*Cell{}
	above := ""
	for _, m := range mine.Cells {
		b := was[m.ID]
		switch {
		case is[m.ID] != nil:
			above = m.ID
		case b != nil && sameText(m, b): // gone from the course
		default:
			own[above] = append(own[above], m)
		}
	}
	return own
}

// same reports whether two versions of the course have the same cell.
func same(a, b *Cell) bool {
	return sameText(a, b) && reflect.DeepEqual(a.Metadata, b.Metadata)
}

func sameText(a, b *Cell) bool { return a.Type == b.Type && a.Source == b.Source }

func byID(nb *Notebook) map[string]*Cell {
	cells := map[string]*Cell{}
	for _, c := range nb.Cells {
		cells[c.ID] = c
	}
	return cells
}

// noteKey marks a note in a cell's metadata.
const noteKey = "wgslab_update"

// note returns the cell that shows the course's version of a cell that the learner has changed.
func note(theirs *Cell) *Cell {
	return &Cell{
		ID:       ("update-" + theirs.ID)[:min(len("update-"+theirs.ID), 64)], // nbformat's limit
		Type:     Markdown,
		Metadata: map[string]any{noteKey: true},
		Source: fmt.Sprintf("**The course has changed the next cell, and so have you. Yours stays.**\n\n"+
			"<details><summary>The course's version</summary>\n\n````\n%s\n````\n\n</details>", theirs.Source),
	}
}

func isNote(c *Cell) bool { return c.Metadata[noteKey] == true }
