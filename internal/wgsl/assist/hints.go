package assist

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A HintKind is the kind of a hint.
type HintKind uint8

// The hint kinds.
const (
	TypeHint      HintKind = iota // `: u32` after a name whose declaration has no type; it can be written
	ParameterHint                 // `low:` before an argument
	OffsetHint                    // `byte 16` after a member
)

// A Hint is text that an editor shows between the characters of the shader.
type Hint struct {
	Offset int32
	Text   string
	Kind   HintKind
}

// Hints returns the hints within a span, in source order.
func (d *Document) Hints(within syntax.Span) []Hint {
	var found []Hint
	add := func(offset int32, kind HintKind, text string) {
		if within.Start <= offset && offset <= within.End {
			found = append(found, Hint{offset, text, kind})
		}
	}
	syntax.Walk(d.file, func(n syntax.Node) bool {
		if n.Span().Start > within.End || n.Span().End < within.Start {
			return n == syntax.Node(d.file)
		}
		switch n := n.(type) {
		case *syntax.LetDecl:
			d.typeHint(n.Name, n.Type, add)
		case *syntax.ConstDecl:
			d.typeHint(n.Name, n.Type, add)
		case *syntax.VarDecl:
			d.typeHint(n.Name, n.Type, add)
		case *syntax.OverrideDecl:
			d.typeHint(n.Name, n.Type, add)
		case *syntax.StructDecl:
			d.offsets(n, add)
		case *syntax.CallExpr:
			d.parameters(n, add)
		}
		return true
	}, nil)
	return found
}

type addHint func(offset int32, kind HintKind, text string)

// typeHint adds the type of a declaration that has none. Abstract types can't be written.
func (d *Document) typeHint(name *syntax.Ident, written syntax.Expr, add addHint) {
	o := d.info.Defs[name]
	if o == nil || written != nil || o.Store() == nil || types.IsAbstract(o.Store()) {
		return
	}
	add(name.Span().End, TypeHint, ": "+o.Store().String())
}

// offsets adds the place in memory of each member.
func (d *Document) offsets(decl *syntax.StructDecl, add addHint) {
	o := d.info.Defs[decl.Name]
	if o == nil {
		return
	}
	s, ok := o.Type.(*types.Struct)
	if !ok || !types.HostShareable(s) {
		return
	}
	for _, m := range s.Members {
		if m.Decl != nil {
			add(m.Decl.Span().End, OffsetHint, fmt.Sprintf("byte %d", m.Offset))
		}
	}
}

// parameters adds the names of the parameters in a call. It leaves out names that say nothing: the
// specification's e1 and e2, the only parameter, and an argument of the same name.
func (d *Document) parameters(call *syntax.CallExpr, add addHint) {
	c := d.info.Calls[call]
	if c == nil || len(call.Args) < 2 {
		return
	}
	var names []string
	switch {
	case c.Kind == types.UserCall && c.Function != nil:
		for _, p := range c.Function.Params {
			names = append(names, p.Name)
		}
	case c.Kind == types.BuiltinCall && c.Overload != nil:
		names = c.Overload.Names
	}
	for i, name := range names {
		if i < len(call.Args) && (c.Kind == types.UserCall || len(name) > 2) && d.source.Slice(call.Args[i].Span()) != name {
			add(call.Args[i].Span().Start, ParameterHint, name+":")
		}
	}
}
