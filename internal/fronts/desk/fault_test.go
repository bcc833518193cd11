package desk

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A first look that panics is a note: the cell has saved the shader, and its check still runs.
func TestALookThatFails(t *testing.T) {
	d := &Desk{Read: func(string, string) *shader.Source { panic("boom") }}
	for _, file := range []string{learner.ShaderPath("vector-add"), "other.wgsl"} {
		var shown []string
		_, err := d.Answer(t.Context(), protocol.Request{Do: protocol.Glance, File: file, Source: "fn main() {}"}, func(views ...view.View) {
			for _, v := range views {
				shown = append(shown, v.Text())
			}
		})
		require.NoError(t, err)
		require.Contains(t, strings.Join(shown, "\n"), "The first look at your shader can't be shown")
		require.Contains(t, strings.Join(shown, "\n"), "boom")
	}
}
