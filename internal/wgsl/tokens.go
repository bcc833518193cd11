package wgsl

import "github.com/wgslab/wgslab/internal/wgsl/syntax"

// A Token is one lexeme of a shader, as one that compares shaders sees it.
type Token struct {
	Text string
	// Name is the name that the token stands for, where the shader itself
	// declares it and could have chosen another; "" for all that WGSL gives. The
	// members of structs begin with a point, for they are names of another kind.
	Name string
}

// Tokens splits text into tokens, without comments and white space. It reads any
// text, also what no compiler takes.
func Tokens(text string) []Token {
	source := syntax.NewSource("", text)
	file, _ := syntax.Parse(source)
	names := ownNames(file)
	spans := syntax.Tokens(source)
	tokens := make([]Token, len(spans))
	for i, span := range spans {
		tokens[i] = Token{Text: source.Slice(span), Name: names[span.Start]}
	}
	return tokens
}

// ownNames are the names that a shader declares, wherever they stand, by their
// byte offset.
func ownNames(file *syntax.File) map[int32]string {
	names, members := map[string]bool{}, map[string]bool{}
	at := map[int32]string{}
	declare := func(name *syntax.Ident) { names[name.Name], at[name.Span().Start] = true, name.Name }
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.VarDecl:
			declare(n.Name)
		case *syntax.LetDecl:
			declare(n.Name)
		case *syntax.ConstDecl:
			declare(n.Name)
		case *syntax.OverrideDecl:
			declare(n.Name)
		case *syntax.AliasDecl:
			declare(n.Name)
		case *syntax.StructDecl:
			declare(n.Name)
		case *syntax.FuncDecl:
			declare(n.Name)
		case *syntax.Param:
			declare(n.Name)
		case *syntax.Member:
			members[n.Name.Name], at[n.Name.Span().Start] = true, "."+n.Name.Name
		}
		return true
	}, nil)
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Attribute:
			return n.Name.Name != "builtin" // its word is WGSL's
		case *syntax.IdentExpr:
			if names[n.Name.Name] {
				at[n.Name.Span().Start] = n.Name.Name
			}
		case *syntax.MemberExpr:
			if members[n.Name.Name] {
				at[n.Name.Span().Start] = "." + n.Name.Name
			}
		}
		return true
	}, nil)
	return at
}
