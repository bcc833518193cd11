package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// precedence ranks the operators as C does. WGSL's grammar (§ 8.19) allows fewer combinations;
// mixed reports the others.
var precedence = [...]int{
	OpLogicalOr: 1, OpLogicalAnd: 2, OpOr: 3, OpXor: 4, OpAnd: 5, OpEqual: 6, OpNotEqual: 6, OpLess: 7, OpLessEqual: 7,
	OpGreater: 7, OpGreaterEqual: 7, OpShl: 8, OpShr: 8, OpAdd: 9, OpSub: 9, OpMul: 10, OpDiv: 10, OpRem: 10,
}

// expr reads an expression.
func (p *parser) expr() Expr {
	x := p.binary(1)
	return p.afterExpr(x)
}

// binary reads operators that bind at least as tightly as level.
func (p *parser) binary(level int) Expr {
	x := p.unary()
	return p.binaryRest(x, level)
}

func (p *parser) binaryRest(x Expr, level int) Expr {
	for !p.lost {
		op := p.tok.kind.binaryOp()
		if op == OpNone || precedence[op] < level {
			return x
		}
		height, at := p.height, p.tok.span()
		p.next()
		p.foreignOperator(op, at)
		y := p.binary(precedence[op] + 1)
		p.grow(max(height, p.height))
		b := &BinaryExpr{base{x.Span().To(y.Span())}, op, at, x, y}
		p.mixed(b)
		x = b
	}
	return x
}

// group is a set of operators that the grammar treats alike.
type group uint8

const (
	groupUnary group = iota
	groupMul
	groupAdd
	groupShift
	groupRelational
	groupAnd
	groupXor
	groupOr
	groupLogicalAnd
	groupLogicalOr
)

func groupOf(x Expr) group {
	b, ok := x.(*BinaryExpr)
	if !ok {
		return groupUnary
	}
	switch b.Op {
	case OpMul, OpDiv, OpRem:
		return groupMul
	case OpAdd, OpSub:
		return groupAdd
	case OpShl, OpShr:
		return groupShift
	case OpAnd:
		return groupAnd
	case OpXor:
		return groupXor
	case OpOr:
		return groupOr
	case OpLogicalAnd:
		return groupLogicalAnd
	case OpLogicalOr:
		return groupLogicalOr
	}
	return groupRelational
}

// operandAllowed reports whether an operand of group inner may be written without parentheses next
// to an operator of group outer.
func operandAllowed(outer, inner group, left bool) bool {
	switch outer {
	case groupMul, groupAnd, groupXor, groupOr:
		return inner == groupUnary || left && inner == outer
	case groupAdd:
		return inner <= groupMul || left && inner == groupAdd
	case groupShift:
		return inner == groupUnary
	case groupRelational:
		return inner <= groupShift
	default: // && and ||
		return inner <= groupRelational || left && inner == outer
	}
}

// mixed reports operators that have no relative precedence in WGSL.
func (p *parser) mixed(b *BinaryExpr) {
	outer := groupOf(b)
	for i, operand := range []Expr{b.X, b.Y} {
		inner, ok := operand.(*BinaryExpr)
		if !ok || operandAllowed(outer, groupOf(inner), i == 0) {
			continue
		}
		if outer == groupRelational && groupOf(inner) == groupRelational {
			p.comparisonChain(b, inner)
			return
		}
		if p.xorForPower(b, inner, i == 0) {
			return
		}
		span := inner.Span()
		d := findings.Errorf("mixed-operators", b.OpPos, "`%s` and `%s` cannot be combined without parentheses: in WGSL, neither takes precedence.", inner.Op, b.Op).
			Try("Put parentheses around what belongs together, such as `(%s)`.", shorten(p.text[span.Start:span.End])).
			See(inner.OpPos, "the other operator")
		d.Fixes = append(d.Fixes, findings.Fix{Title: "write `(" + shorten(p.text[span.Start:span.End]) + ")`",
			Edits: []findings.Edit{{Span: Span{Start: span.Start, End: span.Start}, New: "("}, {Span: span.At(), New: ")"}}})
		p.mend(d)
		return
	}
}

// xorForPower reports `a * v^3`, in which a power was surely meant: `^` is xor.
func (p *parser) xorForPower(b, inner *BinaryExpr, left bool) bool {
	power, before := b, inner // in v^3 + a, the power is the inner one, and nothing is before it
	if b.Op != OpXor {
		power, before = inner, nil
	} else if !left { // a ^ 3 * b
		before = nil
	}
	exponent := power.Y
	for {
		x, binary := Unparen(exponent).(*BinaryExpr)
		if !binary {
			break
		}
		exponent = x.X
	}
	literal, ok := Unparen(exponent).(*Literal)
	if power.Op != OpXor || !ok {
		return false
	}
	base := power.X
	for {
		x, binary := base.(*BinaryExpr)
		if !binary {
			break
		}
		before, base = x, x.Y
	}
	write, ok := Power(p.textOf(base), base, literal)
	if !ok {
		return false
	}
	if before != nil && before.Op != OpMul && before.Op != OpAdd && before.Op != OpSub {
		write = "(" + write + ")"
	}
	p.mend(findings.Errorf(findings.NoPower, power.OpPos, "`^` is xor in WGSL, not a power: it compares two numbers bit by bit.").
		Try("For a power, write `%s`. For xor, put parentheses around it.", write).
		Replace(Span{Start: base.Span().Start, End: exponent.Span().End}, write, "write `"+write+"`"))
	return true
}

// largestPower is the largest power that is written as a product.
const largestPower = 4

// Power returns how WGSL writes a power of a base: short ones as a product, which is right for
// negative numbers too. It returns false if the exponent is not a whole number from 2.
func Power(text string, base Expr, exponent *Literal) (string, bool) {
	n, err := strconv.ParseFloat(strings.TrimRight(exponent.Text, "fh"), 64)
	if err != nil || n < 2 || n != math.Trunc(n) {
		return "", false
	}
	switch base.(type) {
	case *IdentExpr, *MemberExpr, *IndexExpr, *ParenExpr:
		if n <= largestPower && len(text) <= 20 {
			return strings.TrimSuffix(strings.Repeat(text+" * ", int(n)), " * "), true
		}
	}
	return fmt.Sprintf("pow(%s, %.1f)", text, n), true
}

func (p *parser) comparisonChain(b, inner *BinaryExpr) {
	d := findings.Errorf("comparison-chain", b.OpPos, "Comparisons cannot be chained: `%s` compares two values and gives a bool.", inner.Op).
		See(inner.OpPos, "the first comparison")
	if inner == b.X && b.Op != OpEqual && b.Op != OpNotEqual && inner.Op != OpEqual && inner.Op != OpNotEqual {
		middle := p.text[inner.Y.Span().Start:inner.Y.Span().End]
		d.Try("Write `%s && %s %s …`.", shorten(p.text[inner.Span().Start:inner.Span().End]), shorten(middle), b.Op)
		d.Fixes = append(d.Fixes, findings.Fix{Title: "write two comparisons", Edits: []findings.Edit{{Span: inner.Span().At(), New: " && " + middle}}})
	} else {
		d.Try("Put parentheses around the comparison that should come first.")
	}
	p.mend(d)
}

func shorten(text string) string {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i] + "…"
	}
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

var unaryOps = map[kind]Op{
	tokMinus: OpSub, tokNot: OpNot, tokTilde: OpComplement, tokStar: OpDeref, tokAnd: OpAddressOf,
	tokMinusMinus: OpSub, tokAndAnd: OpAddressOf,
}

// unary reads prefix operators and their operand.
func (p *parser) unary() Expr {
	if !p.enter() {
		p.depth--
		return p.bad(p.tok.start)
	}
	defer func() { p.depth-- }()
	t := p.tok
	switch t.kind {
	case tokMinus, tokNot, tokTilde, tokStar, tokAnd:
		p.next()
		x := p.unary()
		p.grow(p.height)
		return &UnaryExpr{p.from(t.start), unaryOps[t.kind], t.span(), x}
	case tokAndAnd, tokMinusMinus: // & &x, which no type allows, and - -x: here the grammar prefers the shorter token
		return p.doubled(t, unaryOps[t.kind])
	case tokPlusPlus:
		return p.prefixIncrement()
	case tokPlus:
		p.mend(findings.Errorf("unary-plus", t.span(), "WGSL has no unary `+`.").Try("Delete the `+`.").
			Replace(t.span(), "", "delete it"))
		p.next()
		return p.unary()
	}
	return p.postfix(p.primary())
}

// doubled reads a two-character operator as the same operator twice.
func (p *parser) doubled(t token, op Op) Expr {
	p.next()
	x := p.unary()
	p.grow(p.height + 1)
	inner := &UnaryExpr{p.from(t.start + 1), op, Span{Start: t.start + 1, End: t.end}, x}
	return &UnaryExpr{p.from(t.start), op, Span{Start: t.start, End: t.start + 1}, inner}
}

// prefixIncrement reads ++x within an expression.
func (p *parser) prefixIncrement() Expr {
	t := p.tok
	p.next()
	x := p.unary()
	p.mend(findings.Errorf("increment-in-expression", t.span(), "`++` is not allowed before a value: in WGSL it is a statement and gives no value.").
		Try("Write `name++;` as a statement before this one."))
	return x
}

func (p *parser) bad(start int32) Expr {
	p.height = 1
	return &BadExpr{p.from(start)}
}

// primary reads the operand of an operator: a name, call, literal or parenthesised expression.
func (p *parser) primary() Expr {
	p.height = 1
	t := p.tok
	switch t.kind {
	case tokIdent, tokReserved:
		return p.identOrCall()
	case tokNumber:
		return p.number()
	case tokTrue, tokFalse:
		p.next()
		lit := &Literal{base: base{t.span()}, Kind: BoolLit, Text: p.slice(t)}
		if t.kind == tokTrue {
			lit.Int = 1
		}
		return lit
	case tokParenL:
		return p.paren()
	case tokString:
		p.next()
		return &BadExpr{base{t.span()}}
	case tokBracketL:
		return p.foreignList(tokBracketR, "[1, 2]")
	}
	p.missingExpr()
	return p.bad(t.start)
}

// missingExpr reports that an expression is missing.
func (p *parser) missingExpr() {
	if p.foreignExpr() {
		return
	}
	d := findings.Errorf("missing-expression", p.tok.span(), "A value should come here, but there is %s.", p.describe())
	if p.tok.kind == tokSemicolon || p.tok.kind == tokParenR || p.tok.kind == tokBraceR || p.tok.kind == tokEOF || p.newLine() {
		d.Span = p.last()
		d.Message = "A value should follow `" + p.lastText() + "`, but there is " + p.describe() + "."
	}
	p.fail(d.Try("Write a value: a number, a name, or a call such as `f32(x)`."))
}

func (p *parser) number() Expr {
	t := p.tok
	p.next()
	lit := &Literal{base: base{t.span()}}
	if d := parseNumber(p.slice(t), t.span(), lit); d != nil {
		p.mend(d)
	} else if lit.Kind == F16Lit && !p.f16 {
		p.mend(needF16(t.span(), "The suffix `h` makes a 16-bit float, which is an extension of WGSL."))
	}
	return lit
}

func needF16(span Span, message string) *findings.Finding {
	d := findings.Errorf("f16-not-enabled", span, "%s", message).
		Try("Write `enable f16;` at the top of the shader, or `f` for a 32-bit float.")
	return d.Replace(Span{}, "enable f16;\n", "write `enable f16;` at the top")
}

func (p *parser) paren() Expr {
	start := p.tok
	p.next()
	x := p.expr()
	if !p.lost && !p.accept(tokParenR) {
		if !p.foreignInParens(start) {
			p.fail(findings.Errorf("missing-paren", p.last(), "The `(` is not closed: there is %s after `%s`.", p.describe(), p.lastText()).
				Try("Write `)` where the parentheses end.").See(start.span(), "the `(`"))
		}
	}
	p.grow(p.height)
	paren := &ParenExpr{p.from(start.start), x}
	if cast := p.foreignCast(paren); cast != nil {
		return cast
	}
	return paren
}

// identExpr reads a name with its template arguments.
func (p *parser) identExpr(what string) *IdentExpr {
	var x *IdentExpr
	if t := p.tok; t.kind == tokIdent { // the common case; node and name share an allocation
		both := &struct {
			x    IdentExpr
			name Ident
		}{}
		both.name = Ident{base{t.span()}, p.slice(t)}
		both.x = IdentExpr{base: both.name.base, Name: &both.name}
		x = &both.x
		p.next()
	} else {
		name := p.ident(what)
		x = &IdentExpr{base: name.base, Name: name}
	}
	if p.is(tokTemplL) {
		x.Templ = p.templateArgs()
		x.span = p.from(x.span.Start).span
	}
	return x
}

// templateArgs reads `<a, b>`; template list discovery has already found the end.
func (p *parser) templateArgs() *TemplateArgs {
	start := p.tok.start
	p.next()
	t := &TemplateArgs{}
	height := 0
	for !p.lost && !p.is(tokTemplR) {
		t.Args = append(t.Args, p.expr())
		height = max(height, p.height)
		if !p.accept(tokComma) {
			break
		}
	}
	if len(t.Args) == 0 && !p.lost {
		p.mend(findings.Errorf("empty-template", p.tok.span(), "There is nothing between `<` and `>`.").
			Try("Write what belongs there, such as `array<f32>`, or delete `<>`."))
	}
	if !p.lost {
		p.expect(tokTemplR, ">", "The list that `<` opens")
	}
	p.grow(height)
	t.base = p.from(start)
	return t
}

func (p *parser) identOrCall() Expr {
	x := p.identExpr("a value")
	if !p.is(tokParenL) {
		return x
	}
	height := p.height
	args, parens := p.args("call")
	p.grow(max(height, p.height))
	return &CallExpr{p.from(x.span.Start), x, args, parens}
}

// args reads `(a, b)`.
func (p *parser) args(what string) ([]Expr, Span) {
	open := p.tok
	p.next()
	var list []Expr
	height := 1
	for !p.lost && !p.is(tokParenR) && !p.is(tokEOF) {
		list = append(list, p.expr())
		height = max(height, p.height)
		if p.lost || p.accept(tokComma) {
			continue
		}
		if p.startsExpr() && !p.newLine() {
			p.missingComma()
			continue
		}
		break
	}
	p.height = height
	if !p.lost && !p.accept(tokParenR) {
		d := findings.Errorf("missing-paren", p.last(), "The parentheses of this %s are not closed: there is %s after `%s`.", what, p.describe(), p.lastText()).
			Try("Write `)` after `%s`.", p.lastText()).See(open.span(), "the `(`")
		d.Fixes = append(d.Fixes, findings.Fix{Title: "write `)`", Edits: []findings.Edit{{Span: p.after(), New: ")"}}})
		if p.is(tokSemicolon) || p.is(tokBraceL) || p.is(tokBraceR) {
			p.mend(d)
		} else {
			p.fail(d)
		}
	}
	return list, Span{Start: open.start, End: max(open.end, p.end())}
}

func (p *parser) missingComma() {
	d := findings.Errorf("missing-comma", p.last(), "There is no `,` between `%s` and %s.", p.lastText(), p.describe()).
		Try("Write `,` after `%s`.", p.lastText())
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write `,`", Edits: []findings.Edit{{Span: p.after(), New: ","}}})
	p.mend(d)
}

// startsExpr reports whether the current token can begin an expression and is not an operator.
func (p *parser) startsExpr() bool {
	switch p.tok.kind {
	case tokIdent, tokReserved, tokNumber, tokTrue, tokFalse, tokNot, tokTilde:
		return true
	}
	return false
}

// postfix reads `.name` and `[index]` after a value.
func (p *parser) postfix(x Expr) Expr {
	start := x.Span().Start
	for !p.lost {
		height := p.height
		switch p.tok.kind {
		case tokDot:
			p.next()
			x = p.member(x, start)
		case tokBracketL:
			x = p.index_(x, start)
		case tokNumber:
			if p.text[p.tok.start] != '.' || p.tok.start != p.end() {
				return x
			}
			p.mend(findings.Errorf("missing-name", p.tok.span(), "`%s` is not a member: members have names.", p.slice(p.tok)).
				Try("Write `[%s]` for an element, or `.x` to `.w` for a component.", p.slice(p.tok)[1:]))
			p.next()
		default:
			if y, ok := p.foreignPostfix(x); ok {
				x = y
				break
			}
			return x
		}
		p.grow(max(height, p.height))
	}
	return x
}

func (p *parser) member(x Expr, start int32) Expr {
	name := &Ident{base{p.after()}, ""}
	if p.tok.kind.word() && !p.newLine() || p.is(tokIdent) {
		name = p.ident("a member")
	} else {
		p.fail(findings.Errorf("missing-name", p.last(), "The name of a member should follow the `.`, but there is %s.", p.describe()).
			Try("Write a member of the structure, or `x`, `y`, `z`, `w` of a vector."))
	}
	m := &MemberExpr{p.from(start), x, name}
	if p.is(tokParenL) {
		return p.method(m)
	}
	return m
}

func (p *parser) index_(x Expr, start int32) Expr {
	open := p.tok
	p.next()
	height := p.height
	index := p.expr()
	p.height = max(height, p.height)
	if !p.lost && !p.accept(tokBracketR) {
		d := findings.Errorf("missing-bracket", p.last(), "The `[` is not closed: there is %s after `%s`.", p.describe(), p.lastText()).
			Try("Write `]` after `%s`.", p.lastText()).See(open.span(), "the `[`")
		d.Fixes = append(d.Fixes, findings.Fix{Title: "write `]`", Edits: []findings.Edit{{Span: p.after(), New: "]"}}})
		if p.is(tokComma) {
			p.fail(findings.Errorf("two-indices", p.tok.span(), "An index is one number: `[a, b]` does not work in WGSL.").
				Try("Write `[a][b]` for an array of arrays, or `[a * width + b]` for a flat one."))
		} else if p.is(tokSemicolon) || p.is(tokBraceL) || p.is(tokParenR) || p.is(tokAssign) {
			p.mend(d)
		} else {
			p.fail(d)
		}
	}
	return &IndexExpr{p.from(start), x, index}
}

// typ reads a type. what names the owner of the type for messages: "this variable".
func (p *parser) typ(what string) Expr {
	if !p.enter() {
		p.depth--
		return p.bad(p.tok.start)
	}
	defer func() { p.depth-- }()
	if t := p.foreignType(); t != nil {
		return t
	}
	if p.is(tokIdent) || p.is(tokReserved) {
		p.height = 1
		return p.foreignArraySuffix(p.identExpr("a type"))
	}
	start := p.tok.start
	p.fail(findings.Errorf("missing-type", p.tok.span(), "The type of %s is missing: there is %s.", what, p.describe()).
		Try("Write a type, such as `f32`, `u32`, `vec3f` or `array<f32>`."))
	return p.bad(start)
}
