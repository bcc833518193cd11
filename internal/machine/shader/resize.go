package shader

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Resized returns a shader with another workgroup size. It replaces the numbers in main's
// @workgroup_size, and the value of a module-scope `const` that is named there. ok is false if one
// constant would need two values, or if an argument is another expression. The constants must be
// declared before main.
func Resized(name, text string, size [3]uint32) (resized *Source, ok bool) {
	file, _ := syntax.Parse(syntax.NewSource(name, text))
	attribute := workgroupSize(file)
	if attribute == nil || len(attribute.Args) == 0 {
		return nil, false
	}
	values := map[syntax.Span]uint32{} // by the number that changes
	for axis, arg := range attribute.Args {
		number := literal(file, arg)
		if number == nil || number.Span().Start > arg.Span().Start {
			return nil, false
		}
		if before, twice := values[number.Span()]; twice && before != size[axis] {
			return nil, false
		}
		values[number.Span()] = size[axis]
	}
	last := attribute.Args[len(attribute.Args)-1].Span().End
	for _, missing := range slices.Backward(size[len(attribute.Args):]) {
		text = text[:last] + ", " + strconv.FormatUint(uint64(missing), 10) + text[last:]
	}
	return Read(name, replaced(text, values)), true
}

// workgroupSize returns the attribute of main, or nil.
func workgroupSize(file *syntax.TranslationUnit) *syntax.Attribute {
	for _, d := range file.Decls {
		if f, ok := d.(*syntax.FuncDecl); ok && f.Name.Name == EntryPoint {
			return syntax.FindAttribute(f.Attrs, "workgroup_size")
		}
	}
	return nil
}

// literal returns the literal that gives an argument its value, or nil.
func literal(file *syntax.TranslationUnit, arg syntax.Expr) *syntax.Literal {
	switch arg := arg.(type) {
	case *syntax.Literal:
		return arg
	case *syntax.IdentExpr:
		for _, d := range file.Decls {
			if c, ok := d.(*syntax.ConstDecl); ok && c.Name.Name == arg.Name.Name {
				return literal(file, c.Init)
			}
		}
	}
	return nil
}

// replaced returns a text with other numbers, with their type suffixes as before.
func replaced(text string, values map[syntax.Span]uint32) string {
	spans := make([]syntax.Span, 0, len(values))
	for span := range values {
		spans = append(spans, span)
	}
	slices.SortFunc(spans, func(a, b syntax.Span) int { return cmp.Compare(b.Start, a.Start) })
	for _, span := range spans {
		text = text[:span.Start] + strconv.FormatUint(uint64(values[span]), 10) + suffix(text[span.Start:span.End]) + text[span.End:]
	}
	return text
}

// suffix returns the type suffix of an integer literal.
func suffix(literal string) string {
	if last := literal[len(literal)-1]; last == 'u' || last == 'i' {
		return string(last)
	}
	return ""
}
