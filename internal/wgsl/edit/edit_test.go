package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Every edit changes the text, and no two give the same one.
func TestEditsAreUnique(t *testing.T) {
	for _, e := range course.All() {
		reference, err := e.Reference()
		require.NoError(t, err)
		seen := map[string]bool{reference.Text: true}
		for _, x := range edit.All(reference.Shader()) {
			require.False(t, seen[x.Text], "%s: %s %q instead of %q", e.ID, x.Kind, x.To, x.Was)
			seen[x.Text] = true
		}
	}
}

// A constant may be any number: 0, the largest, one without a type, one that nothing uses.
func TestEditsOfAnyConstant(t *testing.T) {
	for _, number := range []string{"0u", "0", "0i", "-0", "0x0u", "1u", "-1", "2147483647", "4294967295u", "9223372036854775807", "-2147483648", "0.0", "true"} {
		text := fmt.Sprintf("const LEFT = %s;\n@compute @workgroup_size(1) fn main() { _ = LEFT; }\n", number)
		read := wgsl.Read("", text, types.Options{})
		require.True(t, read.Valid(), number)
		for _, x := range edit.All(read) {
			require.NotEqual(t, text, x.Text, number)
		}
	}
}

// Loops that compare in different ways have their edits in the same order each time.
func TestEditsAreInOrder(t *testing.T) {
	s := wgsl.Read("", `
@compute @workgroup_size(1) fn main() {
  for (var i = 0; i < 4; i++) {} for (var i = 0; i < 5; i++) {}
  for (var i = 4; i > 0; i--) {} for (var i = 5; i > 0; i--) {}
  for (var i = 4; i != 0; i--) {} for (var i = 5; i != 0; i--) {}
}`, types.Options{})
	require.True(t, s.Valid())
	for range 20 {
		requireSound(t, s)
	}
}

// BenchmarkDeep lists the edits of a deep expression, whose literals all have the same text.
func BenchmarkDeep(b *testing.B) {
	for _, deep := range []int{100, 200} {
		text := "@compute @workgroup_size(1) fn main() { _ = " + strings.Repeat("(", deep) + "1" +
			strings.Repeat(" + 1)", deep) + "; }"
		s := wgsl.Read("", text, types.Options{})
		require.True(b, s.Valid())
		b.Run(fmt.Sprint(deep), func(b *testing.B) {
			for b.Loop() {
				edit.All(s)
			}
		})
	}
}
