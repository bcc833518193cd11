package syntax

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// This file reads the syntax of other languages that people write by habit. Each function reports
// the habit together with its WGSL form. If the meaning is clear, the parser continues as if the
// WGSL form had been written, so each habit causes one message.

// typeWords are the types that can begin a declaration in C's order; Foreign knows the types of
// other languages.
var typeWords = wordSet(`bool i32 u32 f32 f16 array atomic vec2 vec3 vec4 vec2f vec3f vec4f vec2i vec3i vec4i vec2u vec3u
vec4u vec2h vec3h vec4h mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 mat2x2f mat2x3f mat2x4f mat3x2f
mat3x3f mat3x4f mat4x2f mat4x3f mat4x4f ptr sampler texture_2d texture_3d texture_cube`)

var foreignTypes = wordSet(`float int uint half double void long short char uchar unsigned signed size_t uint32_t int32_t
float32 float64 int32 int64 uint32 uint64 uint8 byte boolean f64 i64 u64 usize isize u8 i8 u16 i16 auto string String`)

func isTypeWord(word string) bool {
	if typeWords[word] || foreignTypes[word] {
		return true
	}
	_, vector := foreignShape(word)
	return vector && !strings.HasPrefix(word, "gl_")
}

// wgslType returns WGSL's type for a type word, or the word itself.
func wgslType(word string) string {
	if a, ok := Foreign(word); ok && a.Write != "" {
		return a.Write
	}
	return word
}

// typeOf returns the tree of a type at span, given as WGSL text without nested lists.
func typeOf(text string, span Span) Expr {
	name, arg, templated := strings.Cut(strings.TrimSuffix(text, ">"), "<")
	x := &IdentExpr{base{span}, &Ident{base{span}, name}, nil}
	if templated {
		x.Templ = &TemplateArgs{base{span}, []Expr{typeOf(arg, span)}}
	}
	return x
}

func arrayOf(elem Expr, count Expr, span Span) Expr {
	args := []Expr{elem}
	if count != nil {
		args = append(args, count)
	}
	return &IdentExpr{base{span}, &Ident{base{span}, "array"}, &TemplateArgs{base{span}, args}}
}

func (p *parser) textOf(n Node) string { return p.text[n.Span().Start:n.Span().End] }

// typeText returns WGSL's spelling of a type that was read.
func (p *parser) typeText(x Expr) string {
	if id, ok := x.(*IdentExpr); ok && id.Templ == nil {
		return wgslType(id.Name.Name)
	}
	return p.textOf(x)
}

// meant replaces a foreign word by WGSL's type, so that later stages do not report it again.
func meant(x Expr) Expr {
	if id, ok := x.(*IdentExpr); ok && id.Templ == nil {
		if w := wgslType(id.Name.Name); w != id.Name.Name {
			return typeOf(w, id.span)
		}
	}
	return x
}

// --- expressions

// afterExpr explains tokens that must not follow an expression.
func (p *parser) afterExpr(x Expr) Expr {
	if p.lost {
		return x
	}
	switch p.tok.kind {
	case tokQuestion, tokPlusPlus, tokMinusMinus, tokIdent:
	default:
		return x
	}
	if !p.enter() {
		p.depth--
		return x
	}
	defer func() { p.depth-- }()
	switch p.tok.kind {
	case tokQuestion:
		return p.ternary(x)
	case tokPlusPlus, tokMinusMinus:
		return p.postfixIncrement(x)
	case tokIdent:
		if word := p.slice(p.tok); !p.newLine() && (word == "and" || word == "or") {
			return p.wordOperator(x, word)
		}
	}
	return x
}

func (p *parser) wordOperator(x Expr, word string) Expr {
	at := p.tok.span()
	write, op := "&&", OpLogicalAnd
	if word == "or" {
		write, op = "||", OpLogicalOr
	}
	p.mend(findings.Errorf("foreign-operator", at, "`%s` is Python; it is not a WGSL operator.", word).
		Try("Write `%s`.", write).Replace(at, write, "write `"+write+"`"))
	p.next()
	y := p.expr()
	return &BinaryExpr{base{x.Span().To(y.Span())}, op, at, x, y}
}

// ternary reads `cond ? a : b`.
func (p *parser) ternary(cond Expr) Expr {
	at := p.tok.span()
	p.next()
	a := p.expr()
	if p.lost || !p.accept(tokColon) {
		p.fail(findings.Errorf("ternary", at, "WGSL has no `?`.").Try("Write `select(otherwise, value, condition)`, or an `if`."))
		return p.bad(cond.Span().Start)
	}
	b := p.expr()
	span := cond.Span().To(b.Span())
	if !p.lost {
		write := fmt.Sprintf("select(%s, %s, %s)", p.textOf(b), p.textOf(a), p.textOf(cond))
		p.mend(findings.Errorf("ternary", at, "WGSL has no `? :`.").
			Try("Write `%s`: first the value for false, then the one for true. Both are computed; an `if` computes only one.", shorten(write)).
			Replace(span, write, "write `select`"))
	}
	return &CallExpr{base{span}, &IdentExpr{base{at}, &Ident{base{at}, "select"}, nil}, []Expr{b, a, cond}, span}
}

// postfixIncrement reads x++ within an expression.
func (p *parser) postfixIncrement(x Expr) Expr {
	op := p.slice(p.tok)
	// The grammar takes the longest token that fits: in `a--b` that is `-`, twice.
	if op == "--" && p.operandFollows() {
		return p.minusMinus(x)
	}
	name := shorten(p.textOf(x))
	p.mend(findings.Errorf("increment-in-expression", p.tok.span(), "`%s%s` is not allowed in an expression: in WGSL it is a statement and gives no value.", name, op).
		Try("Use `%s` here and write `%s%s;` as a statement after this one.", name, name, op))
	p.next()
	return p.binaryRest(x, 1)
}

func (p *parser) operandFollows() bool {
	switch p.peek(1).kind {
	case tokIdent, tokNumber, tokParenL, tokReserved, tokMinus, tokMinusMinus, tokStar, tokTilde:
		return true
	}
	return false
}

func (p *parser) minusMinus(x Expr) Expr {
	at := p.tok.span()
	p.tokens[p.index].start++ // leave the second minus
	p.tokens[p.index].kind = tokMinus
	p.tok = p.tokens[p.index]
	height := p.height
	y := p.binary(precedence[OpSub] + 1)
	p.grow(max(height, p.height))
	b := &BinaryExpr{base{x.Span().To(y.Span())}, OpSub, Span{Start: at.Start, End: at.Start + 1}, x, y}
	p.mixed(b)
	return p.afterExpr(p.binaryRest(b, 1))
}

// foreignOperator explains === and !==.
func (p *parser) foreignOperator(op Op, at Span) {
	if (op == OpEqual || op == OpNotEqual) && p.is(tokAssign) && p.tok.start == at.End {
		p.mend(findings.Errorf("foreign-operator", at.To(p.tok.span()), "`%s=` is JavaScript; WGSL compares with `%s`.", op, op).
			Try("Write `%s`.", op).Replace(p.tok.span(), "", "write `"+op.String()+"`"))
		p.next()
	}
}

// foreignExpr explains foreign tokens where an expression should begin.
func (p *parser) foreignExpr() bool {
	t := p.tok
	switch {
	case p.foreignToken("a value"):
		return true
	case t.kind == tokIf:
		p.fail(findings.Errorf("foreign-expression", t.span(), "`if` is a statement in WGSL and gives no value.").
			Try("Write `select(otherwise, value, condition)`."))
	case t.kind == tokBraceL:
		p.fail(findings.Errorf("foreign-expression", t.span(), "Braces do not make a value in WGSL.").
			Try("Build an array with `array(1, 2)`, a structure with `Name(1, 2)`."))
	case t.kind == tokFn:
		p.fail(findings.Errorf("foreign-expression", t.span(), "A function is not a value in WGSL.").
			Try("Declare it outside, with a name, and call it by that name."))
	case t.kind == tokAssign && p.last().End == t.start && p.index > 0 && p.tokens[p.index-1].kind == tokAssign:
		p.fail(findings.Errorf("foreign-operator", t.span(), "`= =` is not an operator.").Try("Write `==` to compare, `=` to assign."))
	case (t.kind == tokLess || t.kind == tokGreater) && p.index > 0 && p.tokens[p.index-1].kind == tokAssign:
		p.fail(findings.Errorf("foreign-operator", p.last().To(t.span()), "`=%s` is not an operator.", p.slice(t)).Try("Write `%s=`.", p.slice(t)))
	default:
		return false
	}
	return true
}

// foreignToken handles tokens that appear in no rule of WGSL.
func (p *parser) foreignToken(what string) bool {
	switch p.tok.kind {
	case tokString: // the lexer has reported it
		p.lost = true
		p.next()
		return true
	case tokQuestion:
		p.fail(findings.Errorf("ternary", p.tok.span(), "`?` has no meaning in WGSL; %s should come here.", what).
			Try("Write `select(otherwise, value, condition)` for a choice."))
		return true
	}
	return false
}

// foreignInParens explains foreign tokens in parentheses after an expression.
func (p *parser) foreignInParens(open token) bool {
	switch p.tok.kind {
	case tokAssign:
		p.assignmentInCondition()
		return p.accept(tokParenR)
	case tokComma:
		p.fail(findings.Errorf("comma-in-parens", p.tok.span(), "A `,` is only allowed in the parentheses of a call.").
			Try("Name the type to build, such as `vec2f(1, 2)`.").See(open.span(), "the `(`"))
		return true
	case tokSemicolon:
		if p.peek(1).kind == tokParenR {
			return false
		}
	}
	return false
}

// foreignCast reads `(float)x`.
func (p *parser) foreignCast(paren *ParenExpr) Expr {
	id, ok := paren.X.(*IdentExpr)
	if !ok || p.lost || !isTypeWord(id.Name.Name) || p.newLine() {
		return nil
	}
	switch p.tok.kind {
	case tokIdent, tokReserved, tokNumber, tokParenL, tokTrue, tokFalse, tokMinus, tokNot, tokTilde:
	default:
		return nil
	}
	x := p.unary()
	if p.lost {
		return x
	}
	inner := Unparen(x)
	typ := p.typeText(id)
	write := fmt.Sprintf("%s(%s)", typ, p.textOf(inner))
	span := paren.span.To(x.Span())
	p.mend(findings.Errorf("c-cast", paren.span, "`(%s)` before a value is C's way to convert it.", id.Name.Name).
		Try("Write `%s`.", shorten(write)).Replace(span, write, "write `"+shorten(write)+"`"))
	callee, _ := meant(id).(*IdentExpr)
	return &CallExpr{base{span}, callee, []Expr{inner}, x.Span()}
}

// foreignPostfix reads `x->y` and `a::b`.
func (p *parser) foreignPostfix(x Expr) (Expr, bool) {
	switch {
	case p.is(tokArrow) && p.peek(1).kind == tokIdent:
		p.mend(findings.Errorf("arrow-member", p.tok.span(), "`->` does not access a member in WGSL.").
			Try("Write `.`, also after a pointer.").Replace(p.tok.span(), ".", "write `.`"))
		p.next()
		return p.member(x, x.Span().Start), true
	case p.is(tokColon) && p.peek(1).kind == tokColon && p.peek(1).start == p.tok.end && p.peek(2).kind == tokIdent:
		span := x.Span().To(p.peek(1).span())
		p.mend(findings.Errorf("path", span, "WGSL has no `::`: names have no prefix.").
			Try("Write `%s`.", p.slice(p.peek(2))).Replace(span, "", "write `"+p.slice(p.peek(2))+"`"))
		p.next()
		p.next()
		return p.identOrCall(), true
	case p.is(tokParenL) && !p.newLine():
		if _, indexed := x.(*IndexExpr); indexed {
			p.mend(findings.Errorf("call-of-value", x.Span(), "Only a function's name can be called, not a value.").
				Try("Write the function's name before the `(`."))
			p.args("call")
			return p.bad(x.Span().Start), true
		}
	}
	return x, false
}

// method reads the arguments in `x.name(…)`.
func (p *parser) method(m *MemberExpr) Expr {
	args, parens := p.args("call")
	span := Span{Start: m.span.Start, End: p.end()}
	owner := shorten(p.textOf(m.X))
	callee := &IdentExpr{m.Name.base, m.Name, nil}
	list := append([]Expr{m.X}, args...)
	d := findings.Errorf("method", m.Name.span, "WGSL has no methods: `%s.%s(…)` does not work.", owner, m.Name.Name)
	switch id, _ := m.X.(*IdentExpr); {
	case id != nil && wordSet("Math math std metal glm np numpy THREE")[id.Name.Name]:
		name := strings.ToLower(m.Name.Name[:1]) + m.Name.Name[1:] // Go's begin with a capital
		d.Try("Write `%s(…)` alone.", name).Replace(Span{Start: m.span.Start, End: m.Name.span.End}, name, "write `"+name+"(…)`")
		callee.Name.Name, list = name, args
	case len(args) == 0 && wordSet("length len size count Length")[m.Name.Name]:
		d.Try("Write `arrayLength(&%s)` for an array in a buffer, `length(%s)` for a vector.", owner, owner)
		p.mend(d)
		return p.bad(span.Start)
	default:
		text := make([]string, len(list))
		for i, a := range list {
			text[i] = p.textOf(a)
		}
		d.Try("Write `%s(%s)` if there is such a function.", m.Name.Name, shorten(strings.Join(text, ", ")))
	}
	p.mend(d)
	return &CallExpr{base{span}, callee, list, parens}
}

// foreignList reads `[1, 2]` or `{1, 2}` in the place of a value.
func (p *parser) foreignList(end kind, example string) Expr {
	open := p.tok
	if !p.enter() {
		p.depth--
		return p.bad(open.start)
	}
	defer func() { p.depth-- }()
	p.next()
	var list []Expr
	height := 1
	for !p.lost && !p.is(end) && !p.is(tokEOF) && !p.is(tokSemicolon) {
		list = append(list, p.initializer())
		height = max(height, p.height)
		if !p.accept(tokComma) {
			break
		}
	}
	p.grow(height)
	if p.lost || !p.accept(end) {
		p.fail(findings.Errorf("foreign-list", open.span(), "WGSL builds arrays with a call, not with `%s`.", example).Try("Write `array(1, 2)`."))
		return p.bad(open.start)
	}
	span := Span{Start: open.start, End: p.end()}
	d := findings.Errorf("foreign-list", open.span(), "WGSL builds arrays and structures with a call, not with `%s`.", example)
	d.Try("Write `array(1, 2)`, or the structure's name before the parentheses.")
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write `array(…)`", Edits: []findings.Edit{{Span: open.span(), New: "array("}, {Span: p.last(), New: ")"}}})
	if p.depth < 3 || len(list) > 0 {
		p.mend(d)
	}
	name := &Ident{base{open.span()}, "array"}
	return &CallExpr{base{span}, &IdentExpr{name.base, name, nil}, list, span}
}

func (p *parser) foreignBraces() Expr { return p.foreignList(tokBraceR, "{1, 2}") }

// --- types

// foreignType reads a type in the order of Go or Rust: [4]f32, []f32, [f32; 4], *f32, &f32.
func (p *parser) foreignType() Expr {
	start := p.tok
	switch start.kind {
	case tokStar, tokAnd:
		p.next()
		for p.is(tokStar) || p.is(tokAnd) || p.is(tokConst) || p.isWord("mut") {
			p.next()
		}
		inner := p.typ("this pointer")
		if !p.lost {
			p.mend(findings.Errorf("foreign-type", p.from(start.start).span, "WGSL spells pointer types out.").
				Try("Write `ptr<function, %s>`, or `ptr<storage, %s, read_write>` and the like.", p.typeText(inner), p.typeText(inner)))
		}
		return p.bad(start.start)
	case tokBracketL:
		return p.foreignArrayType()
	case tokConst:
		p.mend(findings.Errorf("foreign-type", start.span(), "`const` is not part of a type in WGSL.").Try("Delete it.").
			Replace(start.span(), "", "delete it"))
		p.next()
		return p.typ("this value")
	}
	return nil
}

func (p *parser) foreignArrayType() Expr {
	start := p.tok
	p.next()
	var elem, count Expr
	switch {
	case p.accept(tokBracketR): // []f32
		elem = p.typ("the array's elements")
	case p.is(tokIdent) && (p.peek(1).kind == tokSemicolon || p.peek(1).kind == tokBracketR && isTypeWord(p.slice(p.tok))): // [f32; 4]
		elem = p.typ("the array's elements")
		if p.accept(tokSemicolon) {
			count = p.expr()
		}
		p.expect(tokBracketR, "]", "The array")
	default: // [4]f32
		count = p.expr()
		if !p.lost && p.expect(tokBracketR, "]", "The array") {
			elem = p.typ("the array's elements")
		}
	}
	if p.lost || elem == nil {
		p.fail(findings.Errorf("foreign-type", start.span(), "A type cannot begin with `[` in WGSL.").Try("Write `array<f32, 4>`."))
		return p.bad(start.start)
	}
	span := Span{Start: start.start, End: p.end()}
	p.reportArray(span, elem, count)
	return arrayOf(meant(elem), count, span)
}

func (p *parser) reportArray(span Span, elem, count Expr) {
	write := "array<" + p.typeText(elem)
	if count != nil {
		write += ", " + p.textOf(count)
	}
	write += ">"
	p.mend(findings.Errorf("foreign-type", span, "Array types are written in words in WGSL.").
		Try("Write `%s`.", write).Replace(span, write, "write `"+write+"`"))
}

// foreignArraySuffix reads `f32[4]` as a type.
func (p *parser) foreignArraySuffix(x Expr) Expr {
	if !p.is(tokBracketL) || p.newLine() || p.lost {
		return x
	}
	count := p.arrayBrackets()
	if p.lost {
		return x
	}
	span := Span{Start: x.Span().Start, End: p.end()}
	p.reportArray(span, x, count)
	return arrayOf(meant(x), count, span)
}

// arrayBrackets reads `[4]` or `[]`; it returns nil for the latter.
func (p *parser) arrayBrackets() Expr {
	p.next()
	if p.accept(tokBracketR) {
		return nil
	}
	x := p.expr()
	if !p.lost {
		p.expect(tokBracketR, "]", "The array")
	}
	return x
}

// --- declarations

// foreignMut skips the `mut` of `let mut x`.
func (p *parser) foreignMut() {
	if p.tok.kind != tokReserved || !(p.isWord("mut") || p.isWord("mutable")) || !p.peek(1).kind.word() {
		return
	}
	keyword := p.last()
	d := findings.Errorf("let-mut", p.tok.span(), "`mut` is Rust, not WGSL.")
	if p.text[keyword.Start:keyword.End] == "let" {
		d.Message = "`let mut` is Rust; in WGSL, a variable that changes is a `var`."
		d.Span = keyword.To(p.tok.span())
		d.Try("Write `var`.").Replace(d.Span, "var", "write `var`")
	} else {
		d.Try("Delete it.").Replace(Span{Start: p.tok.start, End: p.peek(1).start}, "", "delete it")
	}
	p.mend(d)
	p.next()
}

// foreignTyped reads what follows a name without a colon: a type, as in Go, or, if the name was a
// type, the name, as in C.
func (p *parser) foreignTyped(name *Ident) (*Ident, Expr) {
	if p.newLine() || p.lost {
		return name, nil
	}
	switch p.tok.kind {
	case tokIdent, tokReserved:
		if isTypeWord(name.Name) && !isTypeWord(p.slice(p.tok)) {
			real := p.ident("a variable")
			typ := typeOf(wgslType(name.Name), name.span)
			write := fmt.Sprintf("%s: %s", real.Name, wgslType(name.Name))
			p.mend(findings.Errorf("type-before-name", name.span, "The type comes after the name in WGSL.").
				Try("Write `%s`.", write).Replace(name.span.To(real.span), write, "write `"+write+"`"))
			return real, typ
		}
		if p.peek(1).kind == tokAssign || p.peek(1).kind == tokSemicolon || p.peek(1).kind == tokTemplL || p.peek(1).kind == tokComma {
			return name, p.missingColon(name)
		}
	case tokTemplL:
		if isTypeWord(name.Name) { // var vec3<f32> v
			templ := p.templateArgs()
			typ := &IdentExpr{base{name.span.To(templ.span)}, name, templ}
			if real := p.ident("a variable"); !p.lost {
				write := real.Name + ": " + p.textOf(typ)
				p.mend(findings.Errorf("type-before-name", typ.span, "The type comes after the name in WGSL.").
					Try("Write `%s`.", write).Replace(typ.span.To(real.span), write, "write `"+write+"`"))
				return real, typ
			}
		}
	}
	return name, nil
}

func (p *parser) missingColon(name *Ident) Expr {
	typ := p.typ("`" + name.Name + "`")
	if p.lost {
		return typ
	}
	write := ": " + p.typeText(typ)
	p.mend(findings.Errorf("missing-colon", name.span, "There is no `:` between `%s` and its type.", name.Name).
		Try("Write `%s%s`.", name.Name, write).
		Replace(Span{Start: name.span.End, End: typ.Span().End}, write, "write `"+name.Name+write+"`"))
	return meant(typ)
}

// foreignInit reads the token that replaces `=` after a declared name. It returns nil if that is
// not foreign syntax.
func (p *parser) foreignInit(name *Ident) Expr {
	if p.lost || p.newLine() {
		return nil
	}
	switch p.tok.kind {
	case tokEqual:
		p.mend(findings.Errorf("equal-for-assign", p.tok.span(), "`==` compares; it does not assign to `%s`.", name.Name).
			Try("Write `=`.").Replace(p.tok.span(), "=", "write `=`"))
		p.next()
		return p.initializer()
	case tokBracketL:
		at := p.tok.start
		count := p.arrayBrackets()
		if p.lost {
			return nil
		}
		write := name.Name + ": array<f32>"
		if count != nil {
			write = name.Name + ": array<f32, " + p.textOf(count) + ">"
		}
		p.mend(findings.Errorf("array-brackets", Span{Start: at, End: p.end()}, "An array is declared by its type in WGSL, not by `[ ]` after the name.").
			Try("Write `%s`, with the type of its elements.", write))
		if p.accept(tokColon) {
			p.typ("this array")
		}
		if p.accept(tokAssign) {
			return p.initializer()
		}
	case tokComma:
		p.fail(findings.Errorf("two-names", p.tok.span(), "A declaration in WGSL declares one name.").Try("Write a declaration for each."))
	}
	return nil
}

// declaresTarget reports whether the keyword of a declaration is before an assignment, such as
// `let out[0] = 1.0` or `let sum += x`, where a variable out or sum exists.
func (p *parser) declaresTarget() bool {
	if p.is(tokConstAssert) || p.peek(1).kind != tokIdent {
		return false
	}
	end := p.targetEnd()
	op, assign := assignOps[p.peek(end).kind]
	if !assign || end == 2 && op == OpNone {
		return false
	}
	after := p.peek(end + 1)
	array := after.kind == tokBraceL || after.kind == tokBracketL || p.slice(after) == "array" // var x[2] = {1, 2}
	return !array && p.hasVariable(p.slice(p.peek(1)))
}

// targetEnd returns how many tokens after the current one the target `name[i].x` ends, if the name
// is the next token.
func (p *parser) targetEnd() int {
	depth := 0
	for n := 2; n < 200; n++ {
		switch p.peek(n).kind {
		case tokBracketL:
			depth++
		case tokBracketR:
			depth--
		case tokEOF, tokSemicolon, tokBraceL, tokBraceR:
			return n
		case tokDot:
			n++
		default:
			if depth == 0 {
				return n
			}
		}
	}
	return 0
}

// hasVariable reports whether a var of this name is declared anywhere in the shader.
func (p *parser) hasVariable(name string) bool {
	for i := 1; i < len(p.tokens); i++ {
		if t := p.tokens[i]; t.kind == tokIdent && p.slice(t) == name && p.tokens[i+1].kind != tokBracketL {
			if before := p.tokens[i-1].kind; before == tokVar || before == tokTemplR {
				return true
			}
		}
	}
	return false
}

// dropKeyword reports a keyword that declares what the statement only assigns to, and skips it.
func (p *parser) dropKeyword() {
	keyword, name := p.tok, p.slice(p.peek(1))
	target := p.text[p.peek(1).start:p.peek(p.targetEnd()-1).end]
	operator := p.slice(p.peek(p.targetEnd()))
	p.mend(findings.Errorf("declaring-assignment", keyword.span(), "`%s` declares a new name, but `%s` exists already.", p.slice(keyword), name).
		Try("Write `%s %s …` without the `%s`.", target, operator, p.slice(keyword)).
		Replace(Span{Start: keyword.start, End: p.peek(1).start}, "", "delete `"+p.slice(keyword)+"`"))
	p.next()
}

// declShape describes an upcoming declaration in C's order.
type declShape struct {
	qualifiers int // words before the type
	typeTokens int
}

var qualifiers = wordSet(`static const constexpr auto mutable mut shared groupshared extern inline uniform highp mediump
lowp precise volatile register restrict threadgroup device constant thread private in out inout final readonly writeonly`)

// cShape looks for `[qualifiers] Type name`, where name is on the type's line.
func (p *parser) cShape() (declShape, bool) {
	s := declShape{}
	for s.qualifiers < 6 && qualifiers[p.slice(p.peek(s.qualifiers))] && p.peek(s.qualifiers+1).kind.word() && p.peek(s.qualifiers).kind != tokConst &&
		(p.peek(s.qualifiers+2).kind.word() || p.peek(s.qualifiers+2).kind == tokTemplL) {
		s.qualifiers++
	}
	at := s.qualifiers
	if k := p.peek(at).kind; k != tokIdent && k != tokReserved {
		return s, false
	}
	if p.slice(p.peek(at)) == "unsigned" && isTypeWord(p.slice(p.peek(at+1))) {
		s.typeTokens = 2
	} else {
		s.typeTokens = p.typeLength(at)
	}
	name := p.peek(at + s.typeTokens)
	if name.kind == tokStar && foreignTypes[p.slice(p.peek(at))] { // float *x
		s.typeTokens++
		name = p.peek(at + s.typeTokens)
	}
	if name.kind != tokIdent && name.kind != tokReserved {
		return s, false
	}
	gap := p.text[p.peek(at+s.typeTokens-1).end:name.start]
	return s, !strings.ContainsAny(gap, "\r\n")
}

// typeLength returns the number of tokens in `Name` or `Name<…>`; ahead is the distance to its
// first token.
func (p *parser) typeLength(ahead int) int {
	if p.peek(ahead+1).kind != tokTemplL {
		return 1
	}
	depth := 0
	for n := 1; ; n++ {
		switch p.peek(ahead + n).kind {
		case tokTemplL:
			depth++
		case tokTemplR:
			if depth--; depth == 0 {
				return n + 1
			}
		case tokEOF:
			return 1
		}
	}
}

// cType reads the type that cShape has found.
func (p *parser) cType(s declShape) (typ Expr, words string) {
	for range s.qualifiers {
		p.next()
	}
	start := p.tok
	switch {
	case p.isWord("unsigned") && s.typeTokens == 2 && p.peek(1).kind != tokStar:
		p.next()
		p.next()
		return typeOf("u32", Span{Start: start.start, End: p.end()}), "u32"
	default:
		x := p.identExpr("a type")
		for p.is(tokStar) {
			p.next()
		}
		return meant(x), p.typeText(x)
	}
}

// foreignDecl reads `int i = 0` in a function, or returns nil if there is no such declaration. It
// leaves the semicolon.
func (p *parser) foreignDecl() Decl {
	if d := p.walrus(); d != nil {
		return d
	}
	s, ok := p.cShape()
	if !ok {
		return nil
	}
	after := p.peek(s.qualifiers + s.typeTokens + 1)
	first := p.slice(p.peek(s.qualifiers))
	switch after.kind {
	case tokAssign, tokSemicolon, tokComma:
	case tokBracketL: // `Name x[4]`, but not `x x[4] = …`
		if !isTypeWord(first) && upper(first) != first {
			return nil
		}
	default:
		if !isTypeWord(first) || after.kind == tokParenL {
			return nil
		}
	}
	start := p.tok
	qualifier := p.slice(start)
	typ, words := p.cType(s)
	d := &VarDecl{Keyword: start.span(), Name: p.ident("a variable"), Type: typ}
	head := Span{Start: start.start, End: d.Name.span.End}
	write := "var " + d.Name.Name + ": " + words
	inferred := words == "auto"
	if inferred {
		d.Type, write = nil, "var "+d.Name.Name
	}
	if p.is(tokBracketL) {
		count := p.arrayBrackets()
		head.End = p.end()
		write = "var " + d.Name.Name + ": array<" + words
		if count != nil {
			write += ", " + p.textOf(count)
		}
		write += ">"
		d.Type = arrayOf(typ, count, head)
	}
	e := findings.Errorf("type-before-name", head, "`%s` declares a variable in C's order; in WGSL the name comes first, then its type.", shorten(p.text[head.Start:head.End])).
		Try("Write `%s`, or `let` for a value that never changes.", write).Replace(head, write, "write `"+write+"`")
	if s.qualifiers > 0 && (qualifier == "shared" || qualifier == "groupshared" || qualifier == "threadgroup") {
		e.Try("Shared memory is declared outside of functions: `var<workgroup> %s;`.", strings.TrimPrefix(write, "var "))
		e.Fixes = nil
	}
	p.mend(e)
	if p.accept(tokAssign) {
		d.Init = p.initializer()
	} else if p.is(tokComma) {
		p.fail(findings.Errorf("two-names", p.tok.span(), "A declaration in WGSL declares one name.").Try("Write a declaration for each."))
	}
	d.base = p.from(start.start)
	return d
}

// walrus reads Go's `x := value`.
func (p *parser) walrus() Decl {
	if !p.is(tokIdent) || p.peek(1).kind != tokColon || p.peek(2).kind != tokAssign || p.peek(2).start != p.peek(1).end {
		return nil
	}
	start := p.tok
	d := &VarDecl{Keyword: start.span(), Name: p.ident("a variable")}
	op := Span{Start: p.tok.start, End: p.peek(1).end}
	p.next()
	p.next()
	e := findings.Errorf("foreign-declaration", op, "`:=` is Go, not WGSL.").
		Try("Write `let %s = …` for a value that never changes, `var %s = …` for one that does.", d.Name.Name, d.Name.Name)
	e.Fixes = append(e.Fixes, findings.Fix{Title: "write `var " + d.Name.Name + " =`", Edits: []findings.Edit{{Span: Span{Start: start.start, End: start.start}, New: "var "}, {Span: op, New: "="}}})
	p.mend(e)
	d.Init = p.initializer()
	d.base = p.from(start.start)
	return d
}

// walrusAssignment reads the `:` of Go's `:=` after something that already exists: `out[0] := 1`.
func (p *parser) walrusAssignment() {
	if !p.is(tokColon) || p.peek(1).kind != tokAssign || p.peek(1).start != p.tok.end {
		return
	}
	op := Span{Start: p.tok.start, End: p.peek(1).end}
	p.mend(findings.Errorf("foreign-declaration", op, "`:=` is Go, not WGSL.").
		Try("This is no new variable, so write just `=`.").Replace(op, "=", "write `=`"))
	p.next()
}

// foreignMember reads a member or parameter in C's order, `float x` or `vec3<f32> x`, or in Go's,
// `x f32`.
func (p *parser) foreignMember() (*Ident, Expr) {
	start := p.tok.start
	if p.is(tokConst) && p.peek(1).kind.word() && p.peek(1).kind != tokConst { // `const float* x`
		p.next()
	}
	s, ok := p.cShape()
	if !ok || p.peek(s.qualifiers+s.typeTokens+1).kind == tokColon && !isTypeWord(p.slice(p.peek(s.qualifiers))) {
		if start != p.tok.start {
			p.mend(findings.Errorf("foreign-declaration", p.last(), "`const` has no meaning here: parameters never change.").
				Try("Delete it.").Replace(Span{Start: start, End: p.tok.start}, "", "delete it"))
		}
		return nil, nil
	}
	first, second := p.slice(p.peek(s.qualifiers)), p.slice(p.peek(s.qualifiers+s.typeTokens))
	if s.qualifiers == 0 && s.typeTokens == 1 && !isTypeWord(first) && (isTypeWord(second) || p.peek(2).kind == tokTemplL) {
		name := p.ident("a member")
		return name, p.missingColon(name)
	}
	typ, words := p.cType(s)
	name := p.ident("a member")
	span := Span{Start: start, End: name.span.End}
	write := name.Name + ": " + words
	if p.is(tokBracketL) {
		count := p.arrayBrackets()
		span.End = p.end()
		write = name.Name + ": array<" + words
		if count != nil {
			write += ", " + p.textOf(count)
		}
		write += ">"
		typ = arrayOf(typ, count, span)
	}
	d := findings.Errorf("type-before-name", span, "The type comes after the name in WGSL.").
		Try("Write `%s`.", write).Replace(span, write, "write `"+write+"`")
	if p.is(tokColon) && p.peek(1).kind == tokIdent { // HLSL's `float x : SV_Position`
		if a, known := Foreign(p.slice(p.peek(1))); known {
			d.Hint = a.Hint
		} else {
			d.Try("Write `%s`, with `@builtin(…)` or `@location(…)` before it instead of `: %s`.", write, p.slice(p.peek(1)))
		}
		d.Fixes = nil
		p.next()
		p.next()
	}
	p.mend(d)
	return name, typ
}

// foreignArrow reads `: f32` or `f32` in the place of `-> f32`.
func (p *parser) foreignArrow() bool {
	t := p.tok
	switch {
	case t.kind == tokColon:
		p.mend(findings.Errorf("missing-arrow", t.span(), "A function's return type comes after `->`, not after `:`.").
			Try("Write `->`.").Replace(t.span(), " ->", "write `->`"))
		p.next()
		return true
	case t.kind == tokAssign && p.peek(1).kind == tokGreater && p.peek(1).start == t.end:
		p.mend(findings.Errorf("missing-arrow", t.span().To(p.peek(1).span()), "A function's return type comes after `->`, not after `=>`.").
			Try("Write `->`.").Replace(t.span().To(p.peek(1).span()), "->", "write `->`"))
		p.next()
		p.next()
		return true
	case t.kind == tokIdent && !p.newLine() || t.kind == tokBracketL && !p.newLine():
		p.mend(findings.Errorf("missing-arrow", p.last(), "There is no `->` before the function's return type.").
			Try("Write `-> %s`.", wgslType(p.slice(t))).Replace(p.after(), " ->", "write `->`"))
		return true
	}
	return false
}

// foreignVoid reads `void` or `()` after the arrow.
func (p *parser) foreignVoid() bool {
	start := p.tok
	switch {
	case p.isWord("void") || p.isWord("unit"):
		p.next()
	case p.is(tokParenL) && p.peek(1).kind == tokParenR:
		p.next()
		p.next()
	default:
		return false
	}
	p.mend(findings.Errorf("void", Span{Start: start.start, End: p.end()}, "WGSL has no `%s`: a function that returns nothing has no `->`.", p.text[start.start:p.end()]).
		Try("Delete `-> %s`.", p.text[start.start:p.end()]))
	return true
}

// --- statements

// foreignStmt reads statements of other languages.
func (p *parser) foreignStmt() (Stmt, bool) {
	start := p.tok.start
	if next := p.peek(1).kind; qualifiers[p.slice(p.tok)] && p.is(tokReserved) && (next == tokConst || next == tokVar || next == tokLet) {
		p.mend(findings.Errorf("foreign-declaration", p.tok.span(), "`%s` has no meaning in WGSL.", p.slice(p.tok)).
			Try("Delete it.").Replace(Span{Start: p.tok.start, End: p.peek(1).start}, "", "delete it"))
		p.next()
		return p.plainStmt(start), true
	}
	if s := p.misspelledKeyword(); s != nil {
		return s, true
	}
	if d := p.foreignDecl(); d != nil {
		p.semicolon(declName(d))
		return &DeclStmt{p.from(d.Span().Start), d}, true
	}
	if p.is(tokReserved) && p.isWord("do") && p.peek(1).kind == tokBraceL {
		return p.doWhile(), true
	}
	if p.is(tokIdent) && p.peek(1).kind == tokColon {
		p.fail(findings.Errorf("label", p.tok.span().To(p.peek(1).span()), "WGSL has no labels and no `name: value` statements.").
			Try("Declare with `let name: type = value;`."))
		return &BadStmt{p.from(start)}, true
	}
	if p.is(tokIdent) || p.is(tokReserved) {
		if p.unknownStatement() {
			return &BadStmt{p.from(start)}, true
		}
	}
	return nil, false
}

var statementKeywords = []string{"let", "var", "const", "if", "for", "while", "loop", "switch", "return", "break",
	"continue", "discard"}

// misspelledKeyword reads `retrun x;` and `While (x) {` as the intended statements, or returns nil.
func (p *parser) misspelledKeyword() Stmt {
	if !p.is(tokIdent) || !p.beginsUnknown() || isTypeWord(p.slice(p.tok)) || p.newLineAfter() {
		return nil
	}
	word := p.slice(p.tok)
	keyword := Closest(word, statementKeywords)
	if keyword == "" {
		return nil
	}
	p.mend(findings.Errorf("unknown-statement", p.tok.span(), "No WGSL statement begins with `%s`.", word).
		Try("Did you mean `%s`?", keyword).Replace(p.tok.span(), keyword, "write `"+keyword+"`"))
	p.tokens[p.index].kind = keywordKinds[keyword]
	p.tok = p.tokens[p.index]
	return p.stmt()
}

// beginsUnknown reports whether a word is directly followed by a name, a number, `{`, or
// parentheses and then `{`.
func (p *parser) beginsUnknown() bool {
	switch p.peek(1).kind {
	case tokIdent, tokNumber, tokBraceL, tokTrue, tokFalse:
		return true
	case tokParenL:
		return p.callBeforeBrace()
	}
	return false
}

func (p *parser) unknownStatement() bool {
	if !p.beginsUnknown() {
		return false
	}
	word := p.slice(p.tok)
	if strings.HasPrefix(word, "__") { // the lexer has reported it
		p.lost = true
		return true
	}
	d := findings.Errorf("unknown-statement", p.tok.span(), "No WGSL statement begins with `%s`.", word)
	d.Try("Statements begin with `let`, `var`, `if`, `switch`, `for`, `while`, `loop`, or a name that gets a value.")
	if a, ok := Foreign(word); ok {
		d.Message, d.Hint = fmt.Sprintf("`%s` is %s, not WGSL.", word, a.From), a.Hint
	}
	p.fail(d)
	return true
}

// callBeforeBrace reports whether `name(…)` is followed by `{`.
func (p *parser) callBeforeBrace() bool {
	depth := 0
	for n := 1; n < 200; n++ {
		switch p.peek(n).kind {
		case tokParenL:
			depth++
		case tokParenR:
			if depth--; depth == 0 {
				return p.peek(n+1).kind == tokBraceL
			}
		case tokEOF, tokSemicolon, tokBraceL, tokBraceR:
			return false
		}
	}
	return false
}

// doWhile reads `do { … } while (cond);`.
func (p *parser) doWhile() Stmt {
	start := p.tok
	p.mend(findings.Errorf("do-while", start.span(), "WGSL has no `do … while`.").
		Try("Write `loop { …  if !(condition) { break; } }`."))
	p.next()
	s := &LoopStmt{Body: p.block(nil, "this loop")}
	if p.accept(tokWhile) {
		p.expr()
		p.semicolon("this loop")
	}
	s.base = p.from(start.start)
	return s
}

// prefixIncrementStmt reads `++i;`.
func (p *parser) prefixIncrementStmt() Stmt {
	t := p.tok
	op := p.slice(t)
	p.next()
	if !p.startsTarget() {
		p.missingStmt()
		return nil
	}
	x := p.unary()
	if p.lost {
		return nil
	}
	write := p.textOf(x) + op
	p.mend(findings.Errorf("prefix-increment", t.span(), "`%s` comes after the variable in WGSL, not before it.", op).
		Try("Write `%s`.", write).Replace(t.span().To(x.Span()), write, "write `"+write+"`"))
	p.assignable(x)
	return &IncDecStmt{p.from(t.start), x, t.kind == tokMinusMinus}
}

// exprStmt explains a value in the place of a statement.
func (p *parser) exprStmt(x Expr) Stmt {
	start := x.Span().Start
	x = p.afterExpr(p.binaryRest(x, 1))
	if p.lost {
		return nil
	}
	b, binary := x.(*BinaryExpr)
	id, name := x.(*IdentExpr)
	switch {
	case binary && b.Op == OpEqual && p.is(tokSemicolon):
		p.mend(findings.Errorf("equal-for-assign", b.OpPos, "`==` compares; it does not assign to `%s`.", shorten(p.textOf(b.X))).
			Try("Write `=`.").Replace(b.OpPos, "=", "write `=`"))
		return &AssignStmt{p.from(start), b.X, OpNone, b.OpPos, b.Y}
	case name && id.Templ == nil && p.is(tokSemicolon):
		d := findings.Errorf("no-effect", x.Span(), "`%s` alone does nothing.", id.Name.Name)
		if a, ok := Foreign(id.Name.Name); ok {
			d.Hint = a.Hint
		} else {
			d.Try("Call a function with `%s()`, or give a variable a value with `%s = …`.", id.Name.Name, id.Name.Name)
		}
		p.mend(d)
	case p.is(tokSemicolon):
		p.mend(findings.Errorf("no-effect", x.Span(), "The value of `%s` goes nowhere, so this statement does nothing.", shorten(p.textOf(x))).
			Try("Assign it to a variable, as in `x = …;`, or delete it."))
	case p.is(tokColon) && name:
		p.fail(findings.Errorf("label", x.Span(), "No WGSL statement begins with `%s:`.", id.Name.Name).Try("Declare with `let %s: type = value;`.", id.Name.Name))
	default:
		p.fail(findings.Errorf("missing-assignment", p.tok.span(), "After `%s` there should be `=` and a value, but there is %s.", shorten(p.textOf(x)), p.describe()).
			Try("Write an assignment, or `;` where a statement ends."))
	}
	return &BadStmt{p.from(start)}
}

// foreignTail explains tokens after a complete statement on its line.
func (p *parser) foreignTail() bool {
	if p.is(tokComma) {
		p.fail(findings.Errorf("comma-statement", p.tok.span(), "A comma cannot join two statements or declarations.").
			Try("End the first with `;` and write the second in full."))
		return true
	}
	if p.is(tokString) {
		p.lost = true
		return true
	}
	return false
}

func (p *parser) foreignElseIf() bool {
	if !p.is(tokIdent) || !(p.isWord("elif") || p.isWord("elsif") || p.isWord("elseif") || p.isWord("elsef")) {
		return false
	}
	p.mend(findings.Errorf("else-if", p.tok.span(), "`%s` is two words in WGSL.", p.slice(p.tok)).
		Try("Write `else if`.").Replace(p.tok.span(), "else if", "write `else if`"))
	return true
}

// foreignLabel skips the label in `break outer;`.
func (p *parser) foreignLabel() {
	if p.is(tokIdent) && !p.newLine() {
		p.mend(findings.Errorf("label", p.tok.span(), "`break` takes no label; it leaves the innermost loop or switch.").
			Try("Set a variable before it and check it in the outer loop, or put the loops in a function and `return`."))
		p.next()
	}
}

// foreignIn explains `for (x in xs)`.
func (p *parser) foreignIn() {
	at := 0
	if p.is(tokVar) || p.is(tokLet) || p.is(tokConst) {
		at = 1
	}
	word := p.peek(at + 1)
	if p.peek(at).kind == tokIdent && (p.slice(word) == "in" || p.slice(word) == "of") {
		p.forIn(word)
	}
}

func (p *parser) forIn(word token) {
	p.fail(findings.Errorf("for-in", word.span(), "WGSL has no `for … %s`.", p.slice(word)).
		Try("Count: `for (var i = 0u; i < n; i++) { … }`."))
}

// foreignFor reads a for without parentheses, as in Go and Rust; the current token follows `for`.
func (p *parser) foreignFor(keyword token, s *ForStmt) {
	if p.is(tokIdent) && (p.slice(p.peek(1)) == "in" || p.slice(p.peek(1)) == "of") {
		p.forIn(p.peek(1))
		return
	}
	if p.is(tokBraceL) {
		p.mend(findings.Errorf("for-without-parens", keyword.span(), "An endless loop is written `loop { … }` in WGSL.").
			Try("Write `loop`.").Replace(keyword.span(), "loop", "write `loop`"))
		return
	}
	semicolons := 0
	for n := 0; n < 200; n++ {
		k := p.peek(n).kind
		if k == tokBraceL || k == tokEOF {
			break
		}
		if k == tokSemicolon {
			semicolons++
		}
	}
	if semicolons == 0 {
		p.mend(findings.Errorf("for-without-parens", keyword.span(), "A loop with only a condition is a `while` in WGSL.").
			Try("Write `while`.").Replace(keyword.span(), "while", "write `while`"))
		s.Cond = p.expr()
		return
	}
	open := p.tok.start
	before := len(p.diagnostics)
	if p.is(tokSemicolon) {
		open = p.end()
	} else {
		s.Init = p.forClause(true)
	}
	inner := p.diagnostics[before:]
	if p.accept(tokSemicolon) && !p.is(tokSemicolon) {
		s.Cond = p.expr()
	}
	if !p.lost && p.accept(tokSemicolon) && !p.is(tokBraceL) {
		s.Post = p.forClause(false)
	}
	if p.lost {
		return
	}
	d := findings.Errorf("for-without-parens", keyword.span(), "WGSL needs parentheses around the three parts of a `for`.").
		Try("Write `for (…; …; …) {`.")
	edits := []findings.Edit{{Span: Span{Start: open, End: open}, New: "("}, {Span: p.after(), New: ")"}}
	if len(inner) == 1 && inner[0].Kind == "foreign-declaration" && len(p.diagnostics) == before+1 { // Go's for: one message
		d.Try("Write `for (var i = …; …; …) {`.")
		edits = append(edits, inner[0].Fixes[0].Edits...)
		p.diagnostics = p.diagnostics[:before]
	}
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write parentheses", Edits: edits})
	p.mend(d)
}

// foreignCaseBody reads the statements after `case 1:` up to the next case, as in C.
func (p *parser) foreignCaseBody() *BlockStmt {
	b := &BlockStmt{Open: p.after()}
	colon := p.last()
	start := p.tok.start
	for !p.is(tokBraceR) && !p.is(tokCase) && !p.is(tokDefault) && !p.atBlockEnd() {
		p.appendStmt(&b.List)
	}
	b.Close = p.after()
	b.base = p.from(start)
	d := findings.Errorf("case-without-braces", colon, "WGSL needs braces around the statements of a case.").
		Try("Write `{` after the value and `}` at the end; no `break` is needed, a case never falls through.")
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write braces", Edits: []findings.Edit{{Span: colon, New: " {"}, {Span: p.after(), New: " }"}}})
	p.mend(d)
	return b
}
