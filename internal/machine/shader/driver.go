package shader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// ForDriver returns the text that a driver's compiler gets. WGSL allows a constant expression as
// the length of an array (§ 6.2.9), but the compiler in wgpu-native 22 takes only a number or a
// name there. So the text has the number in place of the expression, and spaces, so that what
// follows keeps its column.
func (s *Source) ForDriver() string {
	type length struct {
		findings.Span
		count string
	}
	if s.Mistake() != nil {
		return s.Text
	}
	var lengths []length
	info := s.Shader().Info
	syntax.Walk(info.File, func(n syntax.Node) bool {
		x, ok := n.(*syntax.IdentExpr)
		if !ok || x.Templ == nil || len(x.Templ.Args) != 2 || info.Exprs[x] == nil || isPlain(x.Templ.Args[1]) {
			return true
		}
		if array, ok := info.Exprs[x].Type.(*types.Array); ok && array.Count > 0 {
			lengths = append(lengths, length{x.Templ.Args[1].Span(), strconv.FormatUint(array.Count, 10)})
		}
		return true
	}, nil)
	slices.SortFunc(lengths, func(a, b length) int { return cmp.Compare(a.Start, b.Start) })
	var text strings.Builder
	done := int32(0)
	for _, l := range lengths {
		text.WriteString(s.Text[done:l.Start] + l.count + strings.Repeat(" ", max(0, l.Len()-len(l.count))))
		done = l.End
	}
	text.WriteString(s.Text[done:])
	return text.String()
}

// isPlain reports whether an expression is a number or a name.
func isPlain(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Literal:
		return true
	case *syntax.IdentExpr:
		return x.Templ == nil
	}
	return false
}
