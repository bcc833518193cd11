package course

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// Begun reports whether the learner has started to write a shader. An empty file is not begun, nor
// one with comments or bindings alone, and one that does not compile is. A valid shader is begun if
// an entry point, or a function that it calls, names a buffer that the shader may write, or gives a
// variable a new value: the shaders in the notebooks only declare.
func Begun(source *shader.Source) bool {
	if strings.TrimSpace(source.Text) == "" {
		return false
	}
	module, err := source.Module()
	if err != nil {
		return true
	}
	writable := slices.DeleteFunc(slices.Clone(module.Bindings), func(b wgsl.Binding) bool { return b.Space != shader.ReadWrite })
	if len(module.EntryPoints) == 0 {
		lines := CodeLines(source.Text)
		return len(lines) > 0 && len(module.Bindings) == 0 || slices.ContainsFunc(lines, func(l CodeLine) bool { return slices.Contains(strings.Fields(l.Text), "fn") })
	}
	if len(writable) == 0 {
		return true
	}
	return slices.ContainsFunc(module.EntryPoints, func(e wgsl.EntryPoint) bool {
		entry := source.Shader().Entry(e.Name)
		uses := func(b wgsl.Binding) bool { return source.Shader().Uses(entry, b.Name) > 0 }
		return source.Shader().Assigns(entry) || slices.ContainsFunc(writable, uses)
	})
}
