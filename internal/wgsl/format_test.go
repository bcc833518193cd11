package wgsl

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/format"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// TestFormat formats every case that parses. The tree stays the same, and a second time changes
// nothing.
func TestFormat(t *testing.T) {
	formatted, unreadable := 0, 0
	for _, c := range readCases(t) {
		once, err := format.Format(c.Code)
		var mistake *format.SyntaxError
		if errors.As(err, &mistake) {
			unreadable++
			continue
		}
		require.NoError(t, err, "%s:\n%s", c.Test, c.Code)
		formatted++
		require.Equal(t, tree(c.Code), tree(once), c.Test)
		again, err := format.Format(once)
		require.NoError(t, err, c.Test)
		assert.Equal(t, once, again, c.Test)
	}
	t.Logf("%d cases formatted; %d do not parse", formatted, unreadable)
	require.Greater(t, formatted, 10*unreadable)
}

// tree writes a shader's tree with the tokens of its leaves.
func tree(text string) string {
	file, _ := syntax.Parse(syntax.NewSource("", text))
	var out strings.Builder
	syntax.Walk(file, func(n syntax.Node) bool {
		fmt.Fprintf(&out, "(%T ", n)
		switch n := n.(type) {
		case *syntax.Ident:
			out.WriteString(n.Name)
		case *syntax.Literal:
			out.WriteString(n.Text)
		case *syntax.BinaryExpr:
			fmt.Fprint(&out, n.Op)
		case *syntax.UnaryExpr:
			fmt.Fprint(&out, n.Op)
		}
		return true
	}, func(syntax.Node) { out.WriteString(")") })
	return out.String()
}
