package assist

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Symbol is a declaration at module scope, or a member of one.
type Symbol struct {
	Name     string
	Kind     NameKind
	Detail   string // its type, if it is written; for a function its stage, such as @compute
	Span     syntax.Span
	NameSpan syntax.Span
	Children []Symbol
}

// Symbols returns the declarations of the shader, in source order.
func (d *Document) Symbols() []Symbol {
	var found []Symbol
	for _, decl := range d.file.Decls {
		if s, ok := d.symbol(decl); ok && s.Name != "" {
			found = append(found, s)
		}
	}
	return found
}

func (d *Document) symbol(decl syntax.Decl) (Symbol, bool) {
	named := func(name *syntax.Ident, kind NameKind, typ syntax.Expr) (Symbol, bool) {
		s := Symbol{Name: name.Name, Kind: kind, Span: decl.Span(), NameSpan: name.Span()}
		if typ != nil {
			s.Detail = d.source.Slice(typ.Span())
		}
		return s, true
	}
	switch n := decl.(type) {
	case *syntax.VarDecl:
		return named(n.Name, Variable, n.Type)
	case *syntax.ConstDecl:
		return named(n.Name, Constant, n.Type)
	case *syntax.OverrideDecl:
		return named(n.Name, Constant, n.Type)
	case *syntax.AliasDecl:
		return named(n.Name, Alias, n.Type)
	case *syntax.StructDecl:
		s, _ := named(n.Name, Struct, nil)
		for _, m := range n.Members {
			if m.Name.Name != "" {
				member := Symbol{Name: m.Name.Name, Kind: Member, Span: m.Span(), NameSpan: m.Name.Span()}
				if m.Type != nil {
					member.Detail = d.source.Slice(m.Type.Span())
				}
				s.Children = append(s.Children, member)
			}
		}
		return s, true
	case *syntax.FuncDecl:
		s, _ := named(n.Name, Function, n.Result)
		for _, stage := range []string{"compute", "vertex", "fragment"} {
			if syntax.FindAttribute(n.Attrs, stage) != nil {
				s.Detail = "@" + stage
			}
		}
		return s, true
	}
	return Symbol{}, false
}

// A FoldingRange is a range of lines that an editor can hide, except the first. Lines count from 1.
type FoldingRange struct {
	First, Last int
	Comment     bool
}

// Folds returns the ranges of lines to fold: blocks, structures, parentheses over several lines and
// comments.
func (d *Document) Folds() []FoldingRange {
	var found []FoldingRange
	add := func(first, last int, comment bool) {
		if last > first {
			found = append(found, FoldingRange{first, last, comment})
		}
	}
	line := d.source.LineOf
	var open []int // the lines of the brackets that are open
	for _, span := range syntax.Tokens(d.source) {
		switch d.source.Slice(span) {
		case "{", "(":
			open = append(open, line(span.Start))
		case "}", ")":
			if n := len(open); n > 0 {
				add(open[n-1], line(span.Start)-1, false)
				open = open[:n-1]
			}
		}
	}
	for i := 0; i < len(d.file.Comments); i++ {
		first, last := line(d.file.Comments[i].Span.Start), line(d.file.Comments[i].Span.End)
		for d.alone(d.file.Comments[i]) && i+1 < len(d.file.Comments) && d.alone(d.file.Comments[i+1]) && line(d.file.Comments[i+1].Span.Start) == last+1 {
			i++
			last = line(d.file.Comments[i].Span.End)
		}
		add(first, last, true)
	}
	slices.SortStableFunc(found, func(a, b FoldingRange) int { return a.First - b.First })
	// An editor folds one range for each line: the longest.
	return slices.CompactFunc(found, func(a, b FoldingRange) bool { return a.First == b.First })
}

// alone reports whether a comment has its lines for itself.
func (d *Document) alone(c syntax.Comment) bool {
	on := d.source.Line(d.source.LineOf(c.Span.Start))
	return strings.Trim(d.source.Text[on.Start:c.Span.Start], " \t") == ""
}

// Enclosing returns the spans of the nodes around an offset, innermost first; each contains the one
// before it.
func (d *Document) Enclosing(offset int) []syntax.Span {
	var found []syntax.Span
	syntax.Walk(d.file, func(n syntax.Node) bool {
		s := n.Span()
		if _, file := n.(*syntax.TranslationUnit); file {
			s = syntax.Span{Start: 0, End: int32(len(d.source.Text))}
		}
		around := int(s.Start) <= offset && offset <= int(s.End)
		for len(found) > 0 && around && !found[len(found)-1].Contains(s) {
			found = found[:len(found)-1]
		}
		if around && s.Len() > 0 && (len(found) == 0 || found[len(found)-1] != s) {
			found = append(found, s)
		}
		return around
	}, nil)
	slices.Reverse(found)
	return found
}

// EntryPoints returns the functions with an attribute @compute, @vertex or @fragment, in source
// order. It finds them in a shader with errors as well.
func (d *Document) EntryPoints() []Symbol {
	return slices.DeleteFunc(d.Symbols(), func(s Symbol) bool {
		return s.Kind != Function || len(s.Detail) == 0 || s.Detail[0] != '@'
	})
}
