package types

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A role is what a name means at its place.
type role uint8

const (
	asValue role = iota
	asType
	asCallee
)

// unknownName reports an undeclared name: a value once per function, a type or a function once.
func (c *checker) unknownName(x *syntax.IdentExpr, means role) {
	name := x.Name.Name
	if _, said := c.unknown[name]; said || name == "" || c.full() || c.muted {
		return
	}
	c.unknown[name] = means
	if later := c.declaredLater(name); later != nil {
		c.errorf("unknown-name", x.Name, "`%s` is used before it is declared.", name).
			See(later.Span(), "`%s` is declared here.", name).Try("Move the declaration up.")
		return
	}
	if o, s := c.declaredElsewhere(name); o != nil {
		where, advice := c.outside(s)
		c.errorf("unknown-name", x.Name, "`%s` (line %d) exists only inside %s.", name, c.line(o.Ident), where).
			See(o.Span(), "`%s` is declared here.", name).Try("%s", advice)
		return
	}
	if means != asType && c.missingInput(x, name) {
		return
	}
	if advice, ok := syntax.Foreign(name); ok {
		c.report(advice.Finding(name, x.Name.Span()))
		return
	}
	d := c.errorf("unknown-name", x.Name, "`%s` is not declared.", name)
	if owner := c.ownerOf(name); owner != "" {
		d.Message = fmt.Sprintf("`%s` alone is not declared; it is a member of `%s`.", name, owner)
		d.Try("Write `%s.%s`.", owner, name).Replace(x.Name.Span(), owner+"."+name, "write `"+owner+"."+name+"`")
		return
	}
	switch c.suggest(d, name, c.namesInScope(means)); {
	case d.Hint != "":
	case means == asType, means == asCallee && name[0] >= 'A' && name[0] <= 'Z':
		d.Try("Declare it, outside functions: `struct %s { … }`.", name)
	case means == asCallee:
		d.Try("Declare it, outside functions: `fn %s(…) { … }`.", name)
	case c.function == nil || c.isLength: // where only a constant may be
		d.Try("Declare it first, outside functions: `const %s = …;`.", name)
	default:
		d.Try("Declare it first: `let %s = …;` or `var %s = …;`.", name, name)
	}
}

// inputNames maps common names to the built-in inputs of a compute shader that they mean.
var inputNames = map[string]string{
	"id": "global_invocation_id", "gid": "global_invocation_id", "global_id": "global_invocation_id",
	"globalId": "global_invocation_id", "invocation_id": "global_invocation_id", "thread_id": "global_invocation_id",
	"lid": "local_invocation_id", "local_id": "local_invocation_id", "localId": "local_invocation_id",
	"local": "local_invocation_id", "local_index": "local_invocation_index", "lidx": "local_invocation_index",
	"wid": "workgroup_id", "wgid": "workgroup_id", "group_id": "workgroup_id", "groupId": "workgroup_id", "group": "workgroup_id",
}

// missingInput reports a name that is, or usually means, a built-in input missing from the entry
// point's parameters.
func (c *checker) missingInput(x *syntax.IdentExpr, name string) bool {
	builtin := inputNames[name]
	if rows := builtinValues[name]; len(rows) > 0 && !rows[0].output {
		builtin = name
	}
	if builtin == "" || c.function == nil || c.function.Entry == nil || c.function.Entry.Stage != ComputeStage {
		return false
	}
	row := builtinValues[builtin][0]
	if row.stage != ComputeStage {
		return false
	}
	d := c.errorf("missing-input", x.Name, "`%s` is not declared: the entry point `%s` must ask for it.", name, c.function.Object.Name)
	parameter := fmt.Sprintf("@builtin(%s) %s: %s", builtin, name, row.typ)
	d.Try("Give `%s` the parameter `%s`.", c.function.Object.Name, parameter)
	if at, ok := c.parameterPlace(); ok {
		if len(c.function.Params) > 0 {
			parameter = ", " + parameter
		}
		d.Replace(at, parameter, "ask for `"+builtin+"`")
	}
	return true
}

// parameterPlace returns the place to insert another parameter of the current function.
func (c *checker) parameterPlace() (syntax.Span, bool) {
	d := c.function.Decl
	if n := len(d.Params); n > 0 {
		return d.Params[n-1].Span().At(), true
	}
	open := d.Name.Span().At()
	text := c.info.File.Source.Text[open.Start:]
	if !strings.HasPrefix(text, "(") {
		return open, false
	}
	return syntax.Span{Start: open.Start + 1, End: open.Start + 1}, true
}

// ownerOf returns the one variable in scope that is a structure with the given member, or "".
func (c *checker) ownerOf(name string) string {
	owner := ""
	for s := c.scope; s != nil; s = s.Parent {
		if len(s.Objects) > maxSearched {
			return ""
		}
		for _, o := range s.Objects {
			if t, ok := o.Store().(*Struct); !ok || t.Member(name) == nil || o.Kind > ParamObject {
				continue
			}
			if owner != "" {
				return ""
			}
			owner = o.Name
		}
	}
	return owner
}

// maxSearched is the maximum number of names searched for a suggestion.
const maxSearched = 2000

// declaredLater returns a local name of the current function that is declared elsewhere in it.
func (c *checker) declaredLater(name string) *Object {
	for i := len(c.info.Scopes) - 1; i > 0; i-- {
		s := c.info.Scopes[i]
		if c.function != nil && !c.function.Decl.Span().Contains(s.Span) {
			return nil
		}
		if o := s.find(name); o != nil && c.openNow(s) {
			return o
		}
	}
	return nil
}

// declaredElsewhere returns the local variable with a name in a block or function that has ended,
// with its scope. The latest one counts.
func (c *checker) declaredElsewhere(name string) (*Object, *Scope) {
	for i := len(c.info.Scopes) - 1; i > 0 && c.function != nil; i-- {
		s := c.info.Scopes[i]
		if o := s.find(name); o != nil && o.Ident != nil && !c.openNow(s) {
			return o, s
		}
	}
	return nil, nil
}

// outside says in words where a local scope is, and what makes its names usable outside of it.
func (c *checker) outside(s *Scope) (where, advice string) {
	f := c.functionAround(s)
	if f != c.function {
		return fmt.Sprintf("the function `%s`", f.Object.Name), fmt.Sprintf("Give `%s` a parameter for it.", c.function.Object.Name)
	}
	where, advice = "its braces", "Declare it before them."
	syntax.Walk(f.Decl.Body, func(n syntax.Node) bool {
		if loop, ok := n.(*syntax.ForStmt); ok && loop.Span() == s.Span {
			where, advice = "the `for` loop", beforeLoop
		} else if words := blocksOf(n); slices.ContainsFunc(words.blocks, func(b *syntax.BlockStmt) bool { return b != nil && b.Span() == s.Span }) {
			where, advice = words.where, words.advice
		}
		return n.Span().Contains(s.Span)
	}, nil)
	return where, advice
}

const beforeLoop = "Declare it before the loop."

// blockWords are the words for the blocks of a statement.
type blockWords struct {
	where, advice string
	blocks        []*syntax.BlockStmt
}

func blocksOf(n syntax.Node) blockWords {
	loop := func(body *syntax.BlockStmt) blockWords {
		return blockWords{"the loop's braces", beforeLoop, []*syntax.BlockStmt{body}}
	}
	switch n := n.(type) {
	case *syntax.ForStmt:
		return loop(n.Body)
	case *syntax.WhileStmt:
		return loop(n.Body)
	case *syntax.LoopStmt:
		return loop(n.Body)
	case *syntax.IfStmt:
		other, _ := n.Else.(*syntax.BlockStmt)
		return blockWords{"its branch of the `if`", "Declare it before the `if`.", []*syntax.BlockStmt{n.Then, other}}
	case *syntax.CaseClause:
		return blockWords{"its `case` of the `switch`", "Declare it before the `switch`.", []*syntax.BlockStmt{n.Body}}
	}
	return blockWords{}
}

// functionAround returns the function that a local scope is in.
func (c *checker) functionAround(s *Scope) *Function {
	for _, f := range c.info.Functions {
		if f.Decl.Span().Contains(s.Span) {
			return f
		}
	}
	return c.function
}

func (c *checker) openNow(s *Scope) bool {
	for open := c.scope; open != nil; open = open.Parent {
		if open == s {
			return true
		}
	}
	return false
}

// namesInScope returns the names that can be what is asked for: a variable is no type and no
// function.
func (c *checker) namesInScope(means role) []string {
	var names []string
	for s := c.scope; s != nil; s = s.Parent {
		for _, o := range s.Objects {
			if means == asValue || o.Kind > ParamObject {
				names = append(names, o.Name)
			}
		}
		if len(names) > maxSearched {
			return names
		}
	}
	return append(names, predeclaredNames()...)
}

var predeclaredNames = sync.OnceValue(func() []string { return keysOf(predeclared()) })

// unknownCallee reports a call of an undeclared function. Some foreign functions need more than
// another name.
func (c *checker) unknownCallee(x *syntax.CallExpr) {
	said := len(c.diagnostics)
	c.unknownName(x.Callee, asCallee)
	if len(c.diagnostics) == said {
		return
	}
	d := c.diagnostics[said]
	switch name := x.Callee.Name.Name; {
	case name == "len" && len(x.Args) == 1:
		text := "arrayLength(&" + c.text(x.Args[0]) + ")"
		d.Try("Write `%s`.", text).Replace(x.Span(), text, "write `"+text+"`")
	case name == "mul" && len(x.Args) == 2:
		text := c.text(x.Args[0]) + " * " + c.text(x.Args[1])
		d.Try("Write `%s`.", text).Replace(x.Span(), text, "write `"+text+"`")
	}
}

func (c *checker) notAValue(x syntax.Expr, e *CheckedExpr) {
	d := c.errorf("not-a-value", x, "%s, not a value.", c.what(x, e))
	switch e.Mode {
	case TypeMode, GeneratorMode:
		d.Try("To make a value of it, write parentheses after it: `%s(…)`.", c.short(x))
	case FunctionMode:
		d.Try("To call it, write parentheses after it: `%s(…)`.", c.short(x))
	}
}

func (c *checker) unknownMember(x *syntax.MemberExpr, s *Struct) {
	names := make([]string, len(s.Members))
	for i, m := range s.Members {
		names[i] = m.Name
	}
	d := c.errorf("unknown-member", x.Name, "`%s` has no member `%s`.", s.Name, x.Name.Name)
	c.suggest(d, x.Name.Name, names)
	if d.Hint == "" && len(names) <= 8 {
		d.Try("It has %s.", english.List(names))
	}
	if s.Decl != nil {
		d.See(s.Decl.Name.Span(), "`%s` is declared here.", s.Name)
	}
}

func (c *checker) noMembers(x *syntax.MemberExpr, e *CheckedExpr, t Type) {
	d := c.errorf("no-members", x.Name, "%s has no members, so `.%s` means nothing here: it is %s.", english.Capital(c.quote(x.X)), x.Name.Name, noun(t))
	a, array := t.(*Array)
	switch {
	case array && (x.Name.Name == "length" || x.Name.Name == "len" || x.Name.Name == "size"):
		if a.Runtime() {
			d.Try("Write `arrayLength(&%s)`.", c.short(x.X)).Replace(x.Span(), "arrayLength(&"+c.text(x.X)+")", "write `arrayLength`")
		} else {
			d.Try("Its length is %d.", a.Count)
		}
	case isPointer(t):
		d.Try("Write `(*%s).%s`.", c.short(x.X), x.Name.Name)
	}
}

func isPointer(t Type) bool {
	_, ok := t.(*Pointer)
	return ok
}

func (c *checker) badSwizzle(x *syntax.MemberExpr, t *Vector) {
	d := c.errorf("bad-swizzle", x.Name, "%s is %s, which has no `.%s`.", english.Capital(c.quote(x.X)), t, x.Name.Name)
	letters, colours := "xyzw"[:t.Size], "rgba"[:t.Size]
	name := x.Name.Name
	switch {
	case strings.Trim(name, "xyzwrgba") == "" && len(name) <= 4:
		d.Try("Use either the letters `%s` or `%s`, not both.", letters, colours)
	default:
		d.Try("Its components are called %s (or %s), and you can combine up to four.", spaced(letters), spaced(colours))
	}
}

func spaced(letters string) string { return strings.Join(strings.Split(letters, ""), ", ") }
