package wgsl

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// RewriteArrayLength puts another expression where a shader asks for the length
// of an array: each `arrayLength(&name)` becomes what replace gives for name.
// Line breaks stay, so that everything else keeps its line.
//
// Complete is false when a call remains: replace declined the name, or the
// argument is not simply the address of a variable (a pointer that was passed
// in, a member of a struct).
func (s *Shader) RewriteArrayLength(replace func(name string) (string, bool)) (rewritten string, complete bool) {
	var edits []syntax.Edit
	complete = true
	for call, what := range s.Info.Calls {
		if what.Kind != types.BuiltinCall || what.Builtin.Name != "arrayLength" {
			continue
		}
		name, ok := s.addressed(call.Args[0])
		replacement := ""
		if ok {
			replacement, ok = replace(name)
		}
		if !ok {
			complete = false
			continue
		}
		edits = append(edits, syntax.Edit{Span: call.Span(), New: replacement + lineBreaks(s.Source.Slice(call.Span()))})
	}
	rewritten, err := syntax.Apply(s.Source.Text, edits)
	return rewritten, complete && err == nil
}

// addressed reads `&name`, however bracketed.
func (s *Shader) addressed(argument syntax.Expr) (name string, ok bool) {
	address, ok := syntax.Unparen(argument).(*syntax.UnaryExpr)
	if !ok || address.Op != syntax.OpAddressOf {
		return "", false
	}
	variable, ok := syntax.Unparen(address.X).(*syntax.IdentExpr)
	if !ok {
		return "", false
	}
	return variable.Name.Name, true
}

// lineBreaks are those that a replaced text had.
func lineBreaks(text string) string {
	breaks := ""
	for _, r := range text {
		if r == '\n' {
			breaks += "\n"
		}
	}
	return breaks
}
