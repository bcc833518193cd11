// Package edit lists the small edits of a shader: what a slip or a common mistake changes, and what
// its correction would change back. The judge looks among them for the nearest right shader, and
// the test of an exercise looks for those that no case notices.
//
// An edit changes the text at the spans of nodes. Comments and layout stay as their author wrote
// them. The types of the shader keep most edits valid; the front end has to reject the rest.
package edit

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A MutationKind says what an edit changes.
type MutationKind string

// The kinds.
const (
	Argument   MutationKind = "argument"   // the arguments of a call, exchanged
	Assignment MutationKind = "assignment" // `=` or `+=`
	Barrier    MutationKind = "barrier"    // a barrier that was missing
	Beside     MutationKind = "beside"     // what has to be stored together with something else
	Binding    MutationKind = "binding"    // which buffer is which, or the order of a structure's members
	Bound      MutationKind = "bound"      // where a loop ends
	Builtin    MutationKind = "builtin"    // which builtin value
	Comparison MutationKind = "comparison" // < <= > >= == !=
	Component  MutationKind = "component"  // .x .y .z
	Condition  MutationKind = "condition"  // the condition of an if: negated or shortened
	Constant   MutationKind = "constant"   // a literal
	Delete     MutationKind = "delete"     // a statement that is there once too often
	Function   MutationKind = "function"   // which function, or one around a value
	Graft      MutationKind = "graft"      // what a right shader has in this place
	Guard      MutationKind = "guard"      // an if that was missing, or a part of its condition
	Index      MutationKind = "index"      // the parts of an index
	Initial    MutationKind = "initial"    // the value with which a variable starts
	Keep       MutationKind = "keep"       // the number with which a condition compares
	Leave      MutationKind = "leave"      // whether a loop goes on
	Limit      MutationKind = "limit"      // the number that a condition compares with
	Move       MutationKind = "move"       // where a statement is
	Name       MutationKind = "name"       // which variable
	Operand    MutationKind = "operand"    // the operands of an operator, exchanged or left out
	Operator   MutationKind = "operator"   // + - * / and so on
	Order      MutationKind = "order"      // the order of two statements
	Otherwise  MutationKind = "otherwise"  // what happens where a condition is false
	Repeat     MutationKind = "repeat"     // a statement that is there once too seldom
	Sign       MutationKind = "sign"       // + or -
	Size       MutationKind = "size"       // the size of the workgroups
	Start      MutationKind = "start"      // where a loop starts
	Step       MutationKind = "step"       // how far a loop steps
	Store      MutationKind = "store"      // the element that a changed copy has to go back to
	Surplus    MutationKind = "surplus"    // a barrier or an if that has to go
)

// The costs of edits. A lower one stands for a more usual mistake.
const (
	Slip    = 1 // of the finger: one token for its neighbour
	Usual   = 2 // a common mistake
	Unusual = 3
	Rare    = 4
)

// A Mutation is one small change of a shader.
type Mutation struct {
	Kind    MutationKind
	Cost    int             // Slip to Rare
	Span    syntax.Span     // what to underline in the shader; empty where something is missing
	Changes []findings.Edit // of the text; they do not overlap
	Marks   []syntax.Span   // of a graft: what to underline for each of its changes
	Text    string          // the edited shader
	Was, To string          // in WGSL, shortened to what changes; one of them may be empty
}

// All returns the small edits of a shader without errors, in the order in which they are found. No
// two give the same text, and none leaves the text as it was.
func All(s *wgsl.Shader) []Mutation {
	f := &finder{
		source: s.Source, info: s.Info,
		same: map[part][]syntax.Span{}, seen: map[string]bool{s.Source.Text: true},
	}
	f.declarations()
	for _, function := range s.Info.Functions {
		f.function(function)
	}
	return f.found
}

// finder collects edits.
type finder struct {
	source *syntax.Source
	info   *types.Info
	path   []syntax.Node          // the ancestors of the node that is visited
	lets   map[string]string      // the text of the value of each let in the function
	guard  bool                   // the function has an if
	same   map[part][]syntax.Span // see sameWithin
	seen   map[string]bool
	found  []Mutation
}

// add adds an edit, unless there is one with the same text.
func (f *finder) add(e Mutation) {
	text, err := findings.Apply(f.source.Text, e.Changes)
	if err != nil || f.seen[text] {
		return
	}
	f.seen[text] = true
	e.Text = text
	f.found = append(f.found, e)
}

// replace adds an edit that writes another text in place of a span.
func (f *finder) replace(kind MutationKind, cost int, span syntax.Span, to string) {
	f.within(kind, cost, span, span, to)
}

// within works like replace and underlines more than it replaces.
func (f *finder) within(kind MutationKind, cost int, whole, span syntax.Span, to string) {
	f.add(Mutation{
		Kind: kind, Cost: cost, Span: whole, Was: f.source.Slice(span), To: to,
		Changes: []findings.Edit{{Span: span, New: to}},
	})
}

// exchange adds an edit that exchanges the texts of two spans.
func (f *finder) exchange(kind MutationKind, cost int, whole, a, b syntax.Span) {
	was, to := f.source.Slice(a), f.source.Slice(b)
	f.add(Mutation{
		Kind: kind, Cost: cost, Span: whole, Was: was, To: to,
		Changes: []findings.Edit{{Span: a, New: to}, {Span: b, New: was}},
	})
}

// write adds an edit that writes what is missing; to is what a reader sees of it.
func (f *finder) write(kind MutationKind, cost int, span syntax.Span, to string, changes ...findings.Edit) {
	f.add(Mutation{Kind: kind, Cost: cost, Span: span, To: to, Changes: changes})
}

// before returns the empty span before a node.
func before(n syntax.Node) syntax.Span {
	return syntax.Span{Start: n.Span().Start, End: n.Span().Start}
}

func (f *finder) text(n syntax.Node) string { return f.source.Slice(n.Span()) }

// operand returns the text of an expression, in parentheses if an operator beside it could take it
// apart.
func (f *finder) operand(x syntax.Expr) string {
	switch x.(type) {
	case *syntax.BinaryExpr, *syntax.UnaryExpr:
		return "(" + f.text(x) + ")"
	}
	return f.text(x)
}

// function adds the edits within a function.
func (f *finder) function(function *types.Function) {
	if function.Entry != nil {
		f.entry(function)
		f.early(function.Decl.Body)
	}
	f.lets = map[string]string{}
	for _, s := range function.Decl.Body.List {
		if d, ok := s.(*syntax.DeclStmt); ok {
			if let, ok := d.Decl.(*syntax.LetDecl); ok {
				f.lets[let.Name.Name] = f.text(let.Init)
			}
		}
	}
	f.guard = false
	for range syntax.All[*syntax.IfStmt](function.Decl.Body) {
		f.guard = true
	}
	f.loopBounds(function.Decl.Body)
	syntax.Walk(function.Decl.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BlockStmt:
			f.block(n)
		case syntax.Stmt:
			f.statement(n)
		case syntax.Expr:
			f.expression(n)
		}
		f.path = append(f.path, n)
		return true
	}, func(syntax.Node) { f.path = f.path[:len(f.path)-1] })
}

// parent returns the ancestor that is so many levels up, 1 for the parent, or nil.
func (f *finder) parent(levels int) syntax.Node {
	if len(f.path) < levels {
		return nil
	}
	return f.path[len(f.path)-levels]
}

// A role is what an expression is for.
type role uint8

const (
	aValue role = iota
	anIndex
	aLimit // in the condition of an if
	aBound // in the condition of a loop
	aStart // of a loop
	aStep  // of a loop
	anInitial
)

// role returns what a node below the path is for.
func (f *finder) role(n syntax.Node) role {
	within := func(part syntax.Node) bool { return part.Span().Contains(n.Span()) }
	for _, above := range slices.Backward(f.path) {
		switch above := above.(type) {
		case *syntax.IndexExpr:
			if within(above.Index) {
				return anIndex
			}
		case *syntax.IfStmt:
			return aLimit
		case *syntax.WhileStmt, *syntax.BreakIfStmt:
			return aBound
		case *syntax.ForStmt:
			switch {
			case above.Cond != nil && within(above.Cond):
				return aBound
			case above.Init != nil && within(above.Init):
				return aStart
			case above.Post != nil && within(above.Post):
				return aStep
			}
			return aValue
		case *syntax.VarDecl:
			if f.parentIsFor(above) {
				return aStart
			}
			return anInitial
		case *syntax.BlockStmt:
			return aValue
		}
	}
	return aValue
}

// parentIsFor reports whether a declaration is the head of a for.
func (f *finder) parentIsFor(d *syntax.VarDecl) bool {
	return slices.ContainsFunc(f.path, func(n syntax.Node) bool {
		loop, ok := n.(*syntax.ForStmt)
		return ok && loop.Init != nil && loop.Init.Span().Contains(d.Span())
	})
}

// kindOf returns the kind of an edit of a number with a role, or the given one.
func kindOf(r role, otherwise MutationKind) MutationKind {
	switch r {
	case anIndex:
		return Index
	case aLimit:
		return Limit
	case aBound:
		return Bound
	case aStart:
		return Start
	case aStep:
		return Step
	case anInitial:
		return Initial
	}
	return otherwise
}
