package edit_test

import (
	"fmt"
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
