package assist

import (
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A TokenClass says what a token is, for colouring. Its text is the name that editors use.
type TokenClass string

// The classes.
const (
	CommentClass   TokenClass = "comment"
	KeywordClass   TokenClass = "keyword"
	NumberClass    TokenClass = "number"
	OperatorClass  TokenClass = "operator"
	AttributeClass TokenClass = "decorator"
	FunctionClass  TokenClass = "function"
	ParameterClass TokenClass = "parameter"
	VariableClass  TokenClass = "variable"
	MemberClass    TokenClass = "property"
	StructClass    TokenClass = "struct"
	TypeClass      TokenClass = "type"
	WordClass      TokenClass = "enumMember" // read_write, rgba8unorm, global_invocation_id
)

// Classes lists all classes.
var Classes = []TokenClass{
	CommentClass, KeywordClass, NumberClass, OperatorClass, AttributeClass, FunctionClass, ParameterClass,
	VariableClass, MemberClass, StructClass, TypeClass, WordClass,
}

// A SemanticToken is a token or comment with its class.
type SemanticToken struct {
	Span     syntax.Span
	Class    TokenClass
	Declares bool // it declares the name
	Constant bool // a name that no statement can change
	Builtin  bool // a part of WGSL
	Writes   bool // the statement assigns to it
}

// Tokens returns the tokens that have a class, in source order: all but punctuation.
func (d *Document) Tokens() []SemanticToken {
	c := classifier{Document: d, known: map[int32]SemanticToken{}}
	syntax.Walk(d.file, c.enter, nil)
	for _, m := range d.index().mentions {
		c.known[m.Span.Start] = mentioned(m)
	}
	var found []SemanticToken
	for _, span := range syntax.Tokens(d.source) {
		if t, ok := c.token(span); ok {
			found = append(found, t)
		}
	}
	for _, comment := range d.file.Comments {
		found = append(found, SemanticToken{Span: comment.Span, Class: CommentClass})
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Span.Start < found[j].Span.Start })
	return found
}

// objectClasses are the classes of what a shader or WGSL declares.
var objectClasses = map[types.ObjectKind]TokenClass{
	types.ConstObject: VariableClass, types.OverrideObject: VariableClass, types.LetObject: VariableClass, types.VarObject: VariableClass,
	types.ParamObject: ParameterClass, types.FunctionObject: FunctionClass, types.StructObject: StructClass, types.AliasObject: TypeClass,
	types.TypeObject: TypeClass, types.GeneratorObject: TypeClass, types.BuiltinObject: FunctionClass, types.EnumerantObject: WordClass,
}

func mentioned(m Mention) SemanticToken {
	t := SemanticToken{Class: MemberClass, Declares: m.Declares, Writes: m.Writes}
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
	known map[int32]SemanticToken
}

func (c *classifier) know(span syntax.Span, t SemanticToken) { c.known[span.Start] = t }

func (c *classifier) enter(n syntax.Node) bool {
	word := SemanticToken{Class: WordClass, Builtin: true}
	switch n := n.(type) {
	case *syntax.Attribute:
		c.know(n.Span(), SemanticToken{Class: AttributeClass, Builtin: true})
		c.know(n.Name.Span(), SemanticToken{Class: AttributeClass, Builtin: true})
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
		t := SemanticToken{Class: VariableClass}
		if o := c.info.Uses[n]; o != nil {
			t = SemanticToken{Class: objectClasses[o.Kind], Builtin: o.Ident == nil}
		} else if o := types.PredeclaredNamed(n.Name.Name); o != nil {
			t = SemanticToken{Class: objectClasses[o.Kind], Builtin: true}
		}
		c.know(n.Name.Span(), t)
	case *syntax.MemberExpr:
		c.know(n.Name.Span(), SemanticToken{Class: MemberClass})
	case *syntax.BinaryExpr:
		c.know(n.OpPos, SemanticToken{Class: OperatorClass})
	case *syntax.UnaryExpr:
		c.know(n.OpPos, SemanticToken{Class: OperatorClass})
	case *syntax.AssignStmt:
		c.know(n.OpPos, SemanticToken{Class: OperatorClass})
	}
	return true
}

// token returns a token with its class. The text alone shows keywords and numbers.
func (c *classifier) token(span syntax.Span) (SemanticToken, bool) {
	text := c.source.Slice(span)
	t, ok := c.known[span.Start]
	switch {
	case syntax.IsKeyword(text):
		t = SemanticToken{Class: KeywordClass}
	case ok:
	case text[0] >= '0' && text[0] <= '9' || text[0] == '.' && len(text) > 1:
		t = SemanticToken{Class: NumberClass}
	case text == "++" || text == "--" || text == "->":
		t = SemanticToken{Class: OperatorClass}
	case strings.ContainsAny(text[:1], "!%&()*+,-./:;<=>@[]^{|}~"):
		return SemanticToken{}, false
	default:
		t = SemanticToken{Class: VariableClass} // in a part that does not parse
	}
	t.Span = span
	return t, true
}
