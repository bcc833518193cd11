package assist

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// members adds everything that can follow the dot: the members of a structure, the components of a
// vector.
func (c *completer) members() {
	switch t := c.ownerType().(type) {
	case *types.Struct:
		for _, m := range t.Members {
			c.add(Proposal{m.Name, Member, typeText(m.Type), c.memberSentence(t, m)})
		}
	case *types.Vector:
		c.swizzles(t)
	}
}

func (d *document) memberSentence(s *types.Struct, m *types.Member) string {
	if m.Decl != nil {
		if comment := d.comment(m.Decl.Span().Start); comment != "" {
			return comment
		}
	}
	return fmt.Sprintf("From byte %d of %s on, %d bytes long.", m.Offset, s.Name, m.Size)
}

// ownerType returns the type of the expression before the dot, or nil if it is unknown. For a
// pointer it is the type of the memory.
func (c *completer) ownerType() types.Type {
	for _, n := range c.path(c.at) {
		if m, ok := n.(*syntax.MemberExpr); ok && m.Name.Span().Start == c.at {
			return ownerType(c.info, m)
		}
	}
	return nil
}

func ownerType(info *types.Info, m *syntax.MemberExpr) types.Type {
	t := types.Unref(info.TypeOf(m.X))
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem
	}
	return t
}

// swizzles adds the components of a vector, or the possible continuations of the typed ones.
func (c *completer) swizzles(t *types.Vector) {
	for _, letters := range []string{"xyzw"[:t.Size], "rgba"[:t.Size]} {
		typed := c.typed
		if strings.Trim(typed, letters) != "" {
			continue
		}
		if typed == "" {
			for _, letter := range letters {
				c.swizzle(t, string(letter))
			}
			for n := 2; n <= t.Size; n++ {
				c.swizzle(t, letters[:n])
			}
			continue
		}
		c.swizzle(t, typed)
		for _, letter := range letters {
			c.swizzle(t, typed+string(letter))
		}
	}
}

func (c *completer) swizzle(t *types.Vector, letters string) {
	switch n := len(letters); {
	case n == 1:
		c.add(Proposal{letters, Member, t.Elem.String(), "One component of the vector."})
	case n <= 4:
		c.add(Proposal{letters, Member, types.VectorOf(n, t.Elem).String(), "Components of the vector, in this order."})
	}
}
