package syntax

import (
	"fmt"
	"slices"
	"strings"
)

// Apply carries out edits on a text. They may come in any order but must not overlap; of insertions at the same place
// the earlier in the list comes first.
func Apply(text string, edits []Edit) (string, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int { return int(a.Span.Start - b.Span.Start) })
	var out strings.Builder
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
