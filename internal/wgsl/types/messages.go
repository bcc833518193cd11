package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// text returns the source text of an expression.
func (c *checker) text(x syntax.Node) string {
	if c.info.File == nil || c.info.File.Source == nil {
		return ""
	}
	return c.info.File.Source.Slice(x.Span())
}

// line returns the line on which a node begins.
func (c *checker) line(x syntax.Node) int { return c.info.File.Source.Position(x.Span().Start).Line }

// longestQuote is the maximum length of a quote from the shader in a message, in bytes.
const longestQuote = 40

// quote returns the expression in backquotes, or a word for it if it is long.
func (c *checker) quote(x syntax.Node) string {
	text := c.text(x)
	if text == "" || len(text) > longestQuote || strings.ContainsAny(text, "\n`") {
		return "this"
	}
	return "`" + text + "`"
}

// short returns the text if it is short enough to repeat in a hint, else dots.
func (c *checker) short(x syntax.Node) string {
	text := c.text(x)
	if len(text) > longestQuote || strings.Contains(text, "\n") {
		return "…"
	}
	return text
}

// brief returns the text if it is short enough to repeat in a hint, else the other one.
func (c *checker) brief(text, other string) string {
	if len(text) > 2*longestQuote || strings.Contains(text, "\n") {
		return other
	}
	return text
}

// noun returns a type in everyday words: "a float" for an abstract float.
func noun(t Type) string {
	switch t {
	case AbstractInt:
		return "a whole number"
	case AbstractFloat:
		return "a float"
	}
	switch t := t.(type) {
	case *Vector:
		switch t.Elem {
		case AbstractInt:
			return fmt.Sprintf("a vec%d of whole numbers", t.Size)
		case AbstractFloat:
			return fmt.Sprintf("a vec%d of floats", t.Size)
		}
	case *Pointer:
		return "a pointer (" + t.String() + ")"
	}
	if t == nil {
		return "unknown"
	}
	return t.String()
}

// what describes an expression: "`i` is u32".
func (c *checker) what(x syntax.Expr, e *CheckedExpr) string {
	switch e.Mode {
	case TypeMode, GeneratorMode:
		return c.quote(x) + " is a type"
	case FunctionMode:
		return c.quote(x) + " is a function"
	case EnumerantMode:
		return c.quote(x) + " is a word of WGSL"
	case NothingMode:
		return c.quote(x) + " gives nothing"
	}
	return c.quote(x) + " is " + noun(Unref(e.ValueType()))
}

func (c *checker) describe(x syntax.Expr, e *CheckedExpr) string {
	return noun(e.ValueType())
}

func (c *checker) listTypes(es []*CheckedExpr) string {
	names := make([]string, 0, len(es))
	for _, e := range es {
		if name := noun(e.ValueType()); !contains(names, name) {
			names = append(names, name)
		}
	}
	return english.List(names)
}

func keysOf[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// suggest adds "did you mean" if one of the names is close to the given one.
func (c *checker) suggest(d *findings.Finding, name string, names []string) *findings.Finding {
	if near := nearest(name, names); near != "" {
		d.Try("Did you mean `%s`?", near)
		if c.info.File.Source != nil && c.info.File.Source.Slice(d.Span) == name {
			d.Replace(d.Span, near, "write `"+near+"`")
		}
	}
	return d
}

// nearest returns the name most similar to the given one, or "" if none is similar. A name is
// similar to another one that it begins with.
func nearest(name string, names []string) string {
	if near := syntax.Closest(name, names); near != "" || len(name) <= 3 {
		return near
	}
	i := slices.IndexFunc(names, func(other string) bool {
		return len(other) >= 3 && (strings.HasPrefix(name, other) || strings.HasPrefix(other, name))
	})
	if i < 0 {
		return ""
	}
	return names[i]
}
