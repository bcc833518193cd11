package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The functions below describe a name in a menu: its type or signature, and a sentence.

// signature returns the type of a value, the signature of a function, or the members of a
// structure.
func (d *document) signature(o *types.Object) string {
	switch o.Kind {
	case types.BuiltinObject:
		signatures := Signatures(o.Builtin)
		if more := len(signatures) - 1; more > 0 {
			return fmt.Sprintf("%s (+%d)", signatures[0], more)
		}
		return signatures[0]
	case types.FunctionObject:
		return d.heading(o)
	case types.StructObject:
		return structText(o.Type)
	case types.TypeObject, types.GeneratorObject, types.EnumerantObject:
		return longType(o.Type)
	}
	if o.Store() == nil {
		return ""
	}
	return o.Store().String()
}

// longType returns the long form of a vector's or matrix's short name, or "" for other types.
func longType(t types.Type) string {
	switch t := t.(type) {
	case *types.Vector:
		return fmt.Sprintf("vec%d<%s>", t.Size, t.Elem)
	case *types.Matrix:
		return fmt.Sprintf("mat%dx%d<%s>", t.Columns, t.Rows, t.Elem)
	}
	return ""
}

func structText(t types.Type) string {
	s, ok := t.(*types.Struct)
	if !ok {
		return "struct"
	}
	members := make([]string, len(s.Members))
	for i, m := range s.Members {
		members[i] = m.Name + ": " + typeText(m.Type)
	}
	return "struct { " + strings.Join(members, ", ") + " }"
}

// typeText returns a type as WGSL writes it, or a question mark for a type with an error.
func typeText(t types.Type) string {
	if t == nil {
		return "?"
	}
	return t.String()
}

// sentence returns one sentence about an object: the comment of a declared one, or else the place
// of its declaration.
func (d *document) sentence(o *types.Object) string {
	switch {
	case o.Builtin != nil:
		return o.Builtin.Doc
	case o.Ident == nil:
		return lookup(kindOf(o), o.Name).doc
	}
	if comment := d.comment(o.Decl.Span().Start); comment != "" {
		return comment
	}
	line := d.source.Position(o.Span().Start).Line
	switch {
	case o.Kind == types.ConstObject && o.Value.Valid():
		return fmt.Sprintf("Is %s; declared on line %d.", o.Value, line)
	case o.Space() != types.NoSpace:
		return fmt.Sprintf("In %s memory; declared on line %d.", o.Space(), line)
	}
	return fmt.Sprintf("Declared on line %d.", line)
}

// comment returns the first sentence of the comment lines directly above the line of the offset.
func (d *document) comment(offset int32) string {
	var lines []string
	at := d.source.Position(offset)
	if strings.TrimSpace(d.source.Slice(d.source.Line(at.Line))[:at.Column-1]) != "" {
		return "" // it is not the first token on its line
	}
	for n := at.Line - 1; n >= 1; n-- {
		text, ok := strings.CutPrefix(strings.TrimSpace(d.source.Slice(d.source.Line(n))), "//")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(text))
	}
	slices.Reverse(lines)
	text := strings.Join(lines, " ")
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end+1]
	}
	return text
}

// heading returns a function's declaration without its attributes and body, on one line.
func (d *document) heading(o *types.Object) string {
	decl, ok := o.Decl.(*syntax.FuncDecl)
	if !ok {
		return ""
	}
	end := decl.Body.Open.Start
	if decl.Body.Open.Len() == 0 {
		end = decl.Body.Span().Start
	}
	span := syntax.Span{Start: decl.Name.Span().Start, End: max(end, decl.Name.Span().End)}
	return "fn " + strings.Join(strings.Fields(d.source.Slice(span)), " ")
}
