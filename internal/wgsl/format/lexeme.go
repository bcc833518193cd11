package format

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A lexeme is a token or a comment, with what its place in the tree says about its layout.
type lexeme struct {
	span           syntax.Span
	text           string
	comment, block bool // a comment; one with /* and */
	word           bool // a name, keyword or number
	prefix         bool // a unary operator: it touches its operand
	template       bool // < or > of a template list
	attribute      bool // the last one of an attribute
	ends           bool // the last one of a statement, declaration or member
	spacesParen    bool // a keyword that a space separates from the parenthesis after it
	flat           bool // an opening brace whose block stays on one line
	struct_        bool // an opening brace of a struct
}

// is reports whether a lexeme is the token. No comment is.
func (l *lexeme) is(token string) bool { return !l.comment && l.text == token }

// lexemes returns a shader's tokens and comments in order. Where the grammar reads the token `--`
// as two minus signs, as in `a--b`, it is two lexemes.
func lexemes(file *syntax.TranslationUnit) []lexeme {
	var all []lexeme
	minus := minusSigns(file)
	for _, span := range syntax.Tokens(file.Source) {
		text := file.Source.Slice(span)
		if text == "--" && minus[span.Start] {
			middle := span.Start + 1
			all = append(all, lexeme{span: syntax.Span{Start: span.Start, End: middle}, text: "-"}, lexeme{span: syntax.Span{Start: middle, End: span.End}, text: "-"})
			continue
		}
		first, _ := utf8.DecodeRuneInString(text)
		all = append(all, lexeme{
			span: span, text: text,
			word:        !strings.ContainsRune("!%&()*+,-./:;<=>@[]^{|}~", first) || len(text) > 1 && text[0] == '.' && text[1] >= '0' && text[1] <= '9',
			spacesParen: slices.Contains(keywords, text),
		})
	}
	for _, c := range file.Comments {
		all = append(all, lexeme{span: c.Span, text: commentText(file.Source.Slice(c.Span)), comment: true, block: c.Block})
	}
	slices.SortFunc(all, func(a, b lexeme) int { return cmp.Compare(a.span.Start, b.span.Start) })
	mark(file, all)
	return all
}

// minusSigns returns the offsets of the operators that are a minus sign.
func minusSigns(file *syntax.TranslationUnit) map[int32]bool {
	found := map[int32]bool{}
	for x := range syntax.All[syntax.Expr](file) {
		switch x := x.(type) {
		case *syntax.UnaryExpr:
			found[x.OpPos.Start] = x.Op == syntax.OpSub
		case *syntax.BinaryExpr:
			found[x.OpPos.Start] = x.Op == syntax.OpSub
		}
	}
	return found
}

// commentText returns a comment with the line ends that Format writes, and nothing after a line's
// text.
func commentText(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), " \t\r")
}

// keywords are the words that a space separates from a parenthesis after them.
var keywords = []string{"if", "for", "while", "switch", "case", "return", "else", "const_assert"}

// mark adds to the lexemes what the tree says about them.
func mark(file *syntax.TranslationUnit, all []lexeme) {
	at := func(offset int32) *lexeme {
		i, found := slices.BinarySearchFunc(all, offset, func(l lexeme, offset int32) int { return cmp.Compare(l.span.Start, offset) })
		if !found {
			return &lexeme{} // of a token that the parser has split
		}
		return &all[i]
	}
	last := func(n syntax.Node) *lexeme {
		end := n.Span().End
		i, _ := slices.BinarySearchFunc(all, end, func(l lexeme, end int32) int { return cmp.Compare(l.span.Start, end) })
		for i--; i > 0 && all[i].comment; i-- {
		}
		return &all[max(i, 0)]
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.UnaryExpr:
			at(n.Span().Start).prefix = true
		case *syntax.TemplateArgs:
			at(n.Span().Start).template = true
			last(n).template = true
		case *syntax.Attribute:
			last(n).attribute = true
		case *syntax.Member:
			last(n).ends = true
		case *syntax.StructDecl:
			i, _ := slices.BinarySearchFunc(all, n.Name.Span().Start, func(l lexeme, offset int32) int { return cmp.Compare(l.span.Start, offset) })
			for ; i < len(all); i++ {
				if all[i].is("{") {
					all[i].struct_ = true
					break
				}
			}
		}
		return true
	}, nil)
	endLists(all)
}

// endLists marks semicolons outside of parentheses, and the commas after a struct's members, as
// ends.
func endLists(all []lexeme) {
	var open []*lexeme
	for i := range all {
		l := &all[i]
		inStruct := len(open) > 0 && open[len(open)-1].struct_
		switch {
		case l.is("{"), l.is("("), l.is("["), l.template && l.is("<"):
			open = append(open, l)
		case l.is("}"), l.is(")"), l.is("]"), l.template:
			open = open[:max(0, len(open)-1)]
		case l.is(";"):
			l.ends = len(open) == 0 || open[len(open)-1].is("{")
		case l.is(",") && inStruct:
			l.ends = true
		}
		if l.ends && l.is(",") && i > 0 {
			all[i-1].ends = false // the member's line ends with its comma
		}
	}
}

// pair decides which blocks stay on one line.
func (p *printer) pair() {
	var open []int
	for i := range p.lexemes {
		switch l := &p.lexemes[i]; {
		case l.is("{"):
			open = append(open, i)
		case l.is("}") && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			p.lexemes[from].flat = p.staysFlat(from, i)
		}
	}
}

// staysFlat reports whether the block from one brace to the other stays on one line.
func (p *printer) staysFlat(from, to int) bool {
	statements := 0
	for i := from + 1; i <= to; i++ {
		l := &p.lexemes[i]
		if p.newlines(i) > 0 || l.is("{") || l.comment {
			return false
		}
		if l.is(";") && l.ends {
			statements++
		}
	}
	return statements <= 1
}
