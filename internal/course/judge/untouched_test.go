package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Only a shader without an attempt is not started. One that works on a copy is told what it does.
func TestNotStarted(t *testing.T) {
	e, err := course.Find("vector-add")
	require.NoError(t, err)
	skeleton, err := e.Skeleton()
	require.NoError(t, err)
	for lines, slug := range map[string]string{
		"// Your lines go here.":                                       verdict.Stub,
		"// TODO":                                                      verdict.Stub,
		"let i = id.x; let sum = a[i] + b[i];":                         verdict.Stub,
		"var o = out[id.x]; o = a[id.x] + b[id.x];":                    "unchanged",
		"var sum = a[id.x]; sum += b[id.x];":                           "unchanged",
		"var out = array<f32, 2048>(); out[id.x] = a[id.x] + b[id.x];": "unchanged",
		"if (id.x < arrayLength(&out)) { let o = a[id.x] + b[id.x]; }": "unchanged",
		"if (id.x > 1000000u) { out[id.x] = a[id.x] + b[id.x]; }":      "unchanged",
	} {
		text := strings.Replace(skeleton, "// Your lines go here.", lines, 1)
		v, err := Explain(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("work/vector-add.wgsl", text), 1, nil)
		require.NoError(t, err)
		require.Equal(t, slug, v.Slug, lines)
		require.Equal(t, slug == verdict.Stub, strings.HasSuffix(v.Headline(), "not started"), lines)
	}
}
