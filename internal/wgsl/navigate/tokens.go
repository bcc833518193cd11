package navigate

import (
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Class says what a token is, for colouring. Its text is the name that editors use.
type Class string

// The classes.
const (
	CommentClass   Class = "comment"
	KeywordClass   Class = "keyword"
	NumberClass    Class = "number"
	OperatorClass  Class = "operator"
	AttributeClass Class = "decorator"
	FunctionClass  Class = "function"
	ParameterClass Class = "parameter"
	VariableClass  Class = "variable"
	MemberClass    Class = "property"
	StructClass    Class = "struct"
	TypeClass      Class = "type"
	WordClass      Class = "enumMember" // read_write, rgba8unorm, global_invocation_id
)

// Classes lists all classes.
var Classes = []Class{
	CommentClass, KeywordClass, NumberClass, OperatorClass, AttributeClass, FunctionClass, ParameterClass,
	VariableClass, MemberClass, StructClass, TypeClass, WordClass,
}

// A Token is a token or comment with its class.
type Token struct {
	Span     syntax.Span
	Class    Class
	Declares bool // it declares the name
	Constant bool // a name that no statement can change
	Builtin  bool // a part of WGSL
	Writes   bool // the statement assigns to it
}

// Tokens returns the tokens that have a class, in source order: all but punctuation.
func (d *Document) Tokens() []Token {
	c := classifier{Document: d, known: map[int32]Token{}}
	syntax.Walk(d.file, c.enter, nil)
	for _, m := range d.index().mentions {
		c.known[m.Span.Start] = mentioned(m)
	}
	var found []Token
	for _, span := range syntax.Tokens(d.source) {
		if t, ok := c.token(span); ok {
			found = append(found, t)
		}
	}
	for _, comment := range d.file.Comments {
		found = append(found, Token{Span: comment.Span, Class: CommentClass})
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Span.Start < found[j].Span.Start })
	return found
}

// objectClasses are the classes of what a shader or WGSL declares.
var objectClasses = map[types.ObjectKind]Class{
	types.ConstObject: VariableClass, types.OverrideObject: VariableClass, types.LetObject: VariableClass, types.VarObject: VariableClass,
	types.ParamObject: ParameterClass, types.FunctionObject: FunctionClass, types.StructObject: StructClass, types.AliasObject: TypeClass,
	types.TypeObject: TypeClass, types.GeneratorObject: TypeClass, types.BuiltinObject: FunctionClass, types.EnumerantObject: WordClass,
}

func mentioned(m Mention) Token {
	t := Token{Class: MemberClass, Declares: m.Declares, Writes: m.Writes}
	if o := m.of.object; o != nil {
		t.Class = objectClasses[o.Kind]
		switch o.Kind {
		case types.ConstObject, types.OverrideObject, types.LetObject, types.ParamObject:
			t.Constant = true
		case types.VarObject:
			t.Constant = o.Space() != types.NoSpace && !o.Access().Writes()
		}
	}
	return t
}

// A classifier collects what the tree says about tokens, by the tokens' starts.
type classifier struct {
	*Document
	known map[int32]Token
}

func (c *classifier) know(span syntax.Span, t Token) { c.known[span.Start] = t }

func (c *classifier) enter(n syntax.Node) bool {
	word := Token{Class: WordClass, Builtin: true}
	switch n := n.(type) {
	case *syntax.Attribute:
		c.know(n.Span(), Token{Class: AttributeClass, Builtin: true})
		c.know(n.Name.Span(), Token{Class: AttributeClass, Builtin: true})
		if ownWords[n.Name.Name] {
			for _, x := range n.Args {
				c.know(x.Span(), word)
			}
			if n.Control != nil {
				c.enter(n.Control)
			}
			return false
		}
	case *syntax.EnableDirective:
		for _, name := range n.Names {
			c.know(name.Span(), word)
		}
	case *syntax.RequiresDirective:
		for _, name := range n.Names {
			c.know(name.Span(), word)
		}
	case *syntax.DiagnosticControl:
		for _, name := range []*syntax.Ident{n.Severity, n.Namespace, n.Rule} {
			if name != nil {
				c.know(name.Span(), word)
			}
		}
	case *syntax.IdentExpr:
		t := Token{Class: VariableClass}
		if o := c.info.Uses[n]; o != nil {
			t = Token{Class: objectClasses[o.Kind], Builtin: o.Ident == nil}
		} else if o := types.PredeclaredNamed(n.Name.Name); o != nil {
			t = Token{Class: objectClasses[o.Kind], Builtin: true}
		}
		c.know(n.Name.Span(), t)
	case *syntax.MemberExpr:
		c.know(n.Name.Span(), Token{Class: MemberClass})
	case *syntax.BinaryExpr:
		c.know(n.OpPos, Token{Class: OperatorClass})
	case *syntax.UnaryExpr:
		c.know(n.OpPos, Token{Class: OperatorClass})
	case *syntax.AssignStmt:
		c.know(n.OpPos, Token{Class: OperatorClass})
	}
	return true
}

// token returns a token with its class. The text alone shows keywords and numbers.
func (c *classifier) token(span syntax.Span) (Token, bool) {
	text := c.source.Slice(span)
	t, ok := c.known[span.Start]
	switch {
	case syntax.IsKeyword(text):
		t = Token{Class: KeywordClass}
	case ok:
	case text[0] >= '0' && text[0] <= '9' || text[0] == '.' && len(text) > 1:
		t = Token{Class: NumberClass}
	case text == "++" || text == "--" || text == "->":
		t = Token{Class: OperatorClass}
	case strings.ContainsAny(text[:1], "!%&()*+,-./:;<=>@[]^{|}~"):
		return Token{}, false
	default:
		t = Token{Class: VariableClass} // in a part that does not parse
	}
	t.Span = span
	return t, true
}
