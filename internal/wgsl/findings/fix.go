package findings

import (
	"fmt"
	"slices"
	"strings"
)

// A Fix is a change that fixes the problem in a finding.
type Fix struct {
	Title string `json:"title"` // what it does, such as "write `vec4f`"
	Edits []Edit `json:"edits"` // do not overlap
	Hint  string `json:"-"`     // the finding's hint if it is this fix that helps; empty for the hint as it is
}

// Edit replaces the text in a span; an empty span inserts, an empty New deletes.
type Edit struct {
	Span   Span   `json:"-"`
	Region        // for people, in a finding
	New    string `json:"new"`
}

// Apply applies edits to a text. They may be in any order but must not overlap. Insertions at the
// same place keep their order in the list.
func Apply(text string, edits []Edit) (string, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int { return int(a.Span.Start - b.Span.Start) })
	var out strings.Builder
	out.Grow(len(text) + 64*len(edits))
	at := int32(0)
	for _, e := range sorted {
		if e.Span.Start < at || e.Span.End < e.Span.Start || int(e.Span.End) > len(text) {
			return "", fmt.Errorf("apply edit of bytes %d to %d: it overlaps another or leaves the text of %d bytes", e.Span.Start, e.Span.End, len(text))
		}
		out.WriteString(text[at:e.Span.Start])
		out.WriteString(e.New)
		at = e.Span.End
	}
	out.WriteString(text[at:])
	return out.String(), nil
}
