//go:build acceptance

package assist_test

import (
	"maps"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

func init() { every = 2 }

// apart is the distance between the offsets that are tried in each shader.
const apart = 331

// Nothing panics at the offsets of any shader, whole or cut off there, and every completion is at
// its cursor.
func TestOffsets(t *testing.T) {
	all := shaders(t)
	for n, path := range slices.Sorted(maps.Keys(all)) {
		text := all[path]
		for offset := n % apart; offset <= len(text); offset += apart {
			if offset < len(text) && !utf8.RuneStart(text[offset]) {
				continue
			}
			for _, text := range []string{text, text[:offset]} {
				if c := assist.Complete(text, offset); c.Start > offset || c.End < offset {
					t.Errorf("%s at %d: %d to %d", path, offset, c.Start, c.End)
				}
				if i, ok := assist.Inspect(text, offset); ok && (i.Text() == "" || i.Markdown() == "") {
					t.Errorf("%s at %d: nothing is told of %s", path, offset, i.Name)
				}
				assist.IsComplete(text)
			}
		}
	}
}
