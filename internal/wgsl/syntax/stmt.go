package syntax

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// block reads `{ … }` with the attributes before it. owner names the owner of the braces: "this
// function".
func (p *parser) block(attrs []*Attribute, owner string) *BlockStmt {
	b := &BlockStmt{Attrs: attrs}
	start := startOf(attrs, p.tok)
	if !p.openBlock(b, owner) {
		b.base = p.from(start)
		return b
	}
	for !p.is(tokBraceR) && !p.atBlockEnd() {
		p.appendStmt(&b.List)
	}
	p.closeBlock(b, owner)
	b.base = p.from(start)
	return b
}

func startOf(attrs []*Attribute, t token) int32 {
	if len(attrs) > 0 {
		return attrs[0].span.Start
	}
	return t.start
}

// openBlock skips `{` and counts the level. If there is no `{`, it reports that and returns false.
func (p *parser) openBlock(b *BlockStmt, owner string) bool {
	b.Open, b.Close = p.after(), p.after()
	if p.lost {
		p.skipTo(func() bool { return p.is(tokBraceL) || p.is(tokSemicolon) })
		if !p.is(tokBraceL) {
			return false
		}
		p.lost = false
	}
	if !p.is(tokBraceL) {
		return p.missingBrace(b, owner)
	}
	b.Open = p.tok.span()
	p.braces++
	if p.braces == MaxBraces+1 {
		p.fail(findings.Errorf("too-deep", p.tok.span(), "Braces nest more than %d levels deep here, more than WGSL allows in a function.", MaxBraces).
			Try("Move a part into a function of its own."))
		p.skipBraces()
		p.lost = false
		p.braces--
		b.Close = p.last()
		return false
	}
	p.next()
	return true
}

// skipBraces skips `{` and everything up to its `}`.
func (p *parser) skipBraces() {
	p.next()
	p.skipTo(func() bool { return false })
	p.accept(tokBraceR)
}

// missingBrace reports a missing `{`. If a single statement follows, it is read as if in braces.
func (p *parser) missingBrace(b *BlockStmt, owner string) bool {
	d := findings.Errorf("missing-braces", p.last(), "The body of %s needs braces, but after `%s` there is %s.", owner, p.lastText(), p.describe())
	d.Try("Write `{` and `}` around it.")
	if p.is(tokEOF) || p.is(tokBraceR) || p.atModuleItem() {
		p.mend(d)
		return false
	}
	if p.is(tokSemicolon) {
		p.mend(d.Try("Write `{ }` for a body that does nothing."))
		p.next()
		return false
	}
	if p.is(tokColon) && p.newLineAfter() {
		d.Try("Write `{` instead of `:`, and `}` at the end: WGSL goes by braces, not by indentation.")
		p.next()
	}
	if p.closedByIndent() {
		d.Message = "A `{` is missing after `" + p.lastText() + "`."
		d.Try("Write `{` here; its `}` is there already.")
		d.Fixes = append(d.Fixes, findings.Fix{Title: "write `{`", Edits: []findings.Edit{{Span: p.after(), New: " {"}}})
		p.report(d)
		b.Open = p.after()
		p.braces++
		return true
	}
	p.report(d)
	body := p.tok
	p.appendStmt(&b.List)
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write braces", Edits: []findings.Edit{{Span: Span{Start: body.start, End: body.start}, New: "{ "}, {Span: p.after(), New: " }"}}})
	b.Close = p.after()
	return false
}

// closedByIndent reports whether the next lines are indented and end with a `}` that is indented as
// the line before them. Then only the `{` is missing.
func (p *parser) closedByIndent() bool {
	if !p.newLine() {
		return false
	}
	owner := p.indent(p.last().Start)
	for n := 0; n < 1000; n++ {
		t := p.peek(n)
		if t.kind == tokEOF {
			return false
		}
		if before := p.tokens[p.index+n-1].end; !strings.ContainsAny(p.text[before:t.start], "\n\r") {
			continue
		}
		if in := p.indent(t.start); in <= owner {
			return n > 0 && t.kind == tokBraceR && in == owner
		}
	}
	return false
}

// indent returns the number of blank bytes at the start of the line that contains the offset.
func (p *parser) indent(offset int32) int {
	start := strings.LastIndexAny(p.text[:offset], "\n\r") + 1
	return len(p.text[start:]) - len(strings.TrimLeft(p.text[start:], " \t"))
}

func (p *parser) newLineAfter() bool {
	at := p.index
	defer func() { p.index = at; p.tok = p.tokens[at] }()
	p.next()
	return p.newLine()
}

// closeBlock skips `}`, or reports that it is missing.
func (p *parser) closeBlock(b *BlockStmt, owner string) {
	p.braces--
	p.lost = false
	if p.is(tokBraceR) {
		b.Close = p.tok.span()
		p.next()
		return
	}
	b.Close = p.after()
	if p.unclosed == p.tok.start+1 {
		return // already reported for a block within this one
	}
	p.unclosed = p.tok.start + 1
	d := findings.Errorf("missing-brace", p.last(), "A `}` is missing: the `{` of %s is still open at %s.", owner, p.describe()).
		Try("Write `}` where it ends; the indentation shows which one is missing.").See(b.Open, "the `{` that is open")
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write `}`", Edits: []findings.Edit{{Span: p.after(), New: "\n}"}}})
	p.report(d)
}

// atBlockEnd reports whether the current token can only be outside of functions.
func (p *parser) atBlockEnd() bool { return p.is(tokEOF) || p.atModuleItem() }

func (p *parser) atModuleItem() bool {
	switch p.tok.kind {
	case tokStruct, tokOverride, tokEnable, tokRequires:
		return true
	case tokAlias:
		return p.peek(2).kind == tokAssign
	case tokFn:
		return p.peek(1).kind == tokIdent && p.peek(2).kind == tokParenL
	case tokAt:
		switch p.slice(p.peek(1)) {
		case "compute", "vertex", "fragment", "workgroup_size", "group", "binding", "must_use":
			return p.newLine()
		}
	}
	return false
}

// appendStmt reads a statement and recovers if it is broken.
func (p *parser) appendStmt(list *[]Stmt) {
	index, start := p.index, p.tok.start
	s := p.stmt()
	if s != nil {
		*list = append(*list, s)
	}
	if p.lost {
		p.recoverStmt()
		if s == nil {
			*list = append(*list, &BadStmt{p.from(start)})
		}
	}
	if p.index == index && !p.is(tokBraceR) && !p.atBlockEnd() {
		p.next()
	}
}

// recoverStmt skips to the token where the next statement seems to begin.
func (p *parser) recoverStmt() {
	p.skipTo(func() bool {
		return p.is(tokSemicolon) || p.newLine() && p.startsStmt() || p.is(tokBraceL) || p.atModuleItem()
	})
	p.accept(tokSemicolon)
	p.lost = false
}

func (p *parser) startsStmt() bool {
	switch p.tok.kind {
	case tokLet, tokVar, tokConst, tokIf, tokFor, tokWhile, tokLoop, tokSwitch, tokReturn, tokBreak, tokContinue,
		tokContinuing, tokDiscard, tokConstAssert, tokCase, tokDefault, tokFn:
		return true
	case tokIdent:
		k := p.peek(1).kind
		return k == tokAssign || k == tokParenL || k == tokDot || k == tokBracketL || assignOps[k] != OpNone ||
			k == tokPlusPlus || k == tokMinusMinus || k == tokIdent
	}
	return false
}

func (p *parser) stmt() Stmt {
	if !p.enter() {
		p.depth--
		return nil
	}
	defer func() { p.depth-- }()
	start := p.tok.start
	attrs := p.attributes()
	switch p.tok.kind {
	case tokBraceL:
		return p.block(attrs, "this block")
	case tokIf:
		return p.ifStmt(attrs)
	case tokSwitch:
		return p.switchStmt(attrs)
	case tokLoop:
		return p.loopStmt(attrs)
	case tokFor:
		return p.forStmt(attrs)
	case tokWhile:
		return p.whileStmt(attrs)
	}
	if len(attrs) > 0 && !p.lost {
		p.mend(findings.Errorf("misplaced-attribute", attrs[0].span, "Attributes are not allowed on this statement.").
			Try("Delete it; only `@diagnostic` can be on a statement: `if`, `switch`, `for`, `while`, `loop` or a block."))
	}
	return p.plainStmt(start)
}

// plainStmt reads a statement that allows no attributes.
func (p *parser) plainStmt(start int32) Stmt {
	switch p.tok.kind {
	case tokSemicolon:
		p.next()
		return &EmptyStmt{p.from(start)}
	case tokVar, tokLet, tokConst, tokConstAssert:
		if p.declaresTarget() {
			p.dropKeyword()
			break
		}
		d := p.localDecl()
		p.semicolon(declName(d))
		return &DeclStmt{p.from(d.Span().Start), d}
	case tokReturn:
		return p.returnStmt()
	case tokBreak:
		return p.breakStmt()
	case tokContinue:
		p.next()
		s := &ContinueStmt{}
		p.semicolon("this `continue`")
		s.base = p.from(start)
		return s
	case tokDiscard:
		p.next()
		s := &DiscardStmt{}
		p.semicolon("this `discard`")
		s.base = p.from(start)
		return s
	case tokContinuing:
		p.fail(findings.Errorf("misplaced-continuing", p.tok.span(), "`continuing` is only allowed once, at the end of a `loop`.").
			Try("Make it the last part of the loop's body."))
		p.next()
		if p.is(tokBraceL) {
			p.lost = false
			p.block(nil, "this `continuing`")
		}
		return &BadStmt{p.from(start)}
	}
	if s, ok := p.foreignStmt(); ok {
		return s
	}
	s := p.updateStmt()
	if s == nil {
		return nil
	}
	p.semicolon("this statement")
	setSpan(s, p.from(start))
	return s
}

func setSpan(s Stmt, b base) {
	switch s := s.(type) {
	case *AssignStmt:
		s.base = b
	case *IncDecStmt:
		s.base = b
	case *CallStmt:
		s.base = b
	}
}

func declName(d Decl) string {
	switch d := d.(type) {
	case *VarDecl:
		return nameOr(d.Name, "this `var`")
	case *LetDecl:
		return nameOr(d.Name, "this `let`")
	case *ConstDecl:
		return nameOr(d.Name, "this `const`")
	case *OverrideDecl:
		return nameOr(d.Name, "this `override`")
	}
	return "this `const_assert`"
}

func nameOr(name *Ident, other string) string {
	if name.Name == "" {
		return other
	}
	return "the declaration of `" + name.Name + "`"
}

// localDecl reads var, let, const or const_assert in a function, without the semicolon.
func (p *parser) localDecl() Decl {
	t := p.tok
	switch t.kind {
	case tokVar:
		return p.varDecl(nil, t.start)
	case tokConst:
		return p.constDecl(nil, t.start)
	case tokConstAssert:
		return p.constAssert()
	}
	p.next()
	p.foreignMut()
	d := &LetDecl{Keyword: t.span()}
	d.Name, d.Type = p.typedName("a `let`")
	d.Init = p.requiredInit("let", d.Name)
	d.base = p.from(t.start)
	return d
}

// updateStmt reads an assignment, increment, decrement or call, without the semicolon. It returns
// nil if there is none of them.
func (p *parser) updateStmt() Stmt {
	start := p.tok.start
	if p.is(tokUnderscore) {
		return p.phony()
	}
	if p.is(tokPlusPlus) || p.is(tokMinusMinus) {
		return p.prefixIncrementStmt()
	}
	if !p.startsTarget() {
		p.missingStmt()
		return nil
	}
	x := p.unary()
	if p.lost {
		return nil
	}
	p.walrusAssignment()
	op, assign := assignOps[p.tok.kind]
	switch {
	case assign:
		p.assignable(x)
		at := p.tok.span()
		p.next()
		y := p.assigned()
		return &AssignStmt{p.from(start), x, op, at, y}
	case p.is(tokPlusPlus), p.is(tokMinusMinus):
		p.assignable(x)
		dec := p.is(tokMinusMinus)
		p.next()
		return &IncDecStmt{p.from(start), x, dec}
	}
	if call, ok := x.(*CallExpr); ok && p.tok.kind.binaryOp() == OpNone && !p.is(tokQuestion) {
		return &CallStmt{p.from(start), call}
	}
	return p.exprStmt(x)
}

// startsTarget reports whether the current token can begin an assignment or call.
func (p *parser) startsTarget() bool {
	switch p.tok.kind {
	case tokIdent, tokReserved, tokParenL, tokStar, tokAnd, tokAndAnd:
		return true
	case tokNumber, tokTrue, tokFalse, tokMinus, tokNot, tokTilde:
		return true // an expression, which exprStmt explains
	}
	return false
}

func (p *parser) missingStmt() {
	t := p.tok
	if p.foreignToken("a statement") {
		return
	}
	switch {
	case t.kind == tokElse:
		p.fail(findings.Errorf("else-without-if", t.span(), "This `else` has no `if` before it.").
			Try("Put it right after the `}` of its `if`, without a `;` in between."))
	case t.kind == tokCase || t.kind == tokDefault:
		p.fail(findings.Errorf("misplaced-case", t.span(), "`%s` is only allowed directly inside the braces of a `switch`.", p.slice(t)).
			Try("Each case has its own braces: `case 1 { … }`."))
	case t.kind == tokFn:
		p.fail(findings.Errorf("function-in-function", t.span(), "A function cannot be declared inside another one.").
			Try("Move it out, before or after this function."))
	case t.kind == tokParenR || t.kind == tokBracketR:
		p.fail(findings.Errorf("unexpected-token", t.span(), "This %s has no opening counterpart.", p.describe()).
			Try("Delete it, or add the opening one before it."))
	default:
		p.fail(findings.Errorf("missing-statement", t.span(), "A statement should begin here, but there is %s.", p.describe()).
			Try("Statements begin with `let`, `var`, `if`, `for`, a name that gets a value, or the like."))
	}
}

func (p *parser) phony() Stmt {
	start := p.tok.start
	p.next()
	at := p.tok.span()
	if !p.is(tokAssign) {
		p.fail(findings.Errorf("underscore", Span{Start: start, End: start + 1}, "`_` alone is not a name in WGSL.").
			Try("`_ = value;` discards a value; anything else needs a name."))
		return nil
	}
	p.next()
	x := p.assigned()
	return &AssignStmt{p.from(start), nil, OpNone, at, x}
}

// assigned reads the right side of an assignment.
func (p *parser) assigned() Expr {
	x := p.expr()
	if p.is(tokAssign) && !p.lost {
		p.fail(findings.Errorf("assignment-in-expression", p.tok.span(), "An assignment has no value in WGSL, so assignments cannot be chained.").
			Try("Write one statement for each."))
	}
	return x
}

// assignable reports a target that the grammar forbids (§ 8.19, lhs_expression).
func (p *parser) assignable(x Expr) {
	for {
		switch y := x.(type) {
		case *ParenExpr:
			x = y.X
			continue
		case *UnaryExpr:
			if y.Op == OpDeref || y.Op == OpAddressOf {
				x = y.X
				continue
			}
		case *IndexExpr:
			x = y.X
			if isTargetRoot(x) {
				continue
			}
		case *MemberExpr:
			x = y.X
			if isTargetRoot(x) {
				continue
			}
		case *IdentExpr:
			if y.Templ == nil {
				return
			}
		case *CallExpr, *BadExpr:
			return
		}
		break
	}
	p.mend(findings.Errorf("not-assignable", x.Span(), "`%s` cannot be given a value: it is not a variable.", shorten(p.text[x.Span().Start:x.Span().End])).
		Try("Write a variable on the left, such as `name`, `name[i]`, `name.x` or `*pointer`."))
}

func isTargetRoot(x Expr) bool {
	switch x.(type) {
	case *ParenExpr, *IndexExpr, *MemberExpr, *IdentExpr, *CallExpr, *BadExpr:
		return true
	}
	return false
}

func (p *parser) returnStmt() Stmt {
	start := p.tok
	p.next()
	s := &ReturnStmt{}
	switch {
	case p.is(tokSemicolon) || p.is(tokBraceR):
	case p.newLine() && (p.startsStmt() && !p.startsValue() || p.is(tokEOF)):
	default:
		s.X = p.expr()
	}
	p.semicolon("this `return`")
	s.base = p.from(start.start)
	return s
}

// startsValue reports whether the text up to the next `;` can be a value and no statement. A line
// break says nothing about that: it separates tokens as a space does (§ 3.3).
func (p *parser) startsValue() bool {
	if !p.startsExpr() || p.peek(1).kind == tokIdent {
		return false
	}
	for ahead := 1; ; ahead++ {
		switch k := p.peek(ahead).kind; {
		case k == tokSemicolon:
			return true
		case k == tokAssign || assignOps[k] != OpNone || k == tokPlusPlus || k == tokMinusMinus,
			k == tokBraceL || k == tokBraceR || k == tokEOF,
			k.keyword() && k != tokTrue && k != tokFalse:
			return false
		}
	}
}

func (p *parser) breakStmt() Stmt {
	start := p.tok
	p.next()
	if p.is(tokIf) && !p.newLine() {
		p.next()
		cond := p.condition("break if")
		p.semicolon("this `break if`")
		p.mend(findings.Errorf("misplaced-break-if", Span{Start: start.start, End: start.end}.To(p.last()), "`break if` is only allowed at the very end of a loop's `continuing { … }`.").
			Try("Write `if condition { break; }`."))
		return &BreakIfStmt{p.from(start.start), cond}
	}
	p.foreignLabel()
	s := &BreakStmt{}
	p.semicolon("this `break`")
	s.base = p.from(start.start)
	return s
}

// condition reads the condition after if, while and the like.
func (p *parser) condition(keyword string) Expr {
	if p.is(tokBraceL) {
		p.mend(findings.Errorf("missing-expression", p.last(), "The condition of this `%s` is missing.", keyword).
			Try("Write a condition, such as `i < n`, before the `{`."))
		return p.bad(p.end())
	}
	x := p.expr()
	if p.is(tokAssign) && !p.lost {
		p.assignmentInCondition()
	}
	return x
}

func (p *parser) assignmentInCondition() {
	p.mend(findings.Errorf("assignment-in-condition", p.tok.span(), "`=` assigns to a variable; it does not compare.").
		Try("Write `==` to ask whether two values are equal.").
		Replace(p.tok.span(), "==", "write `==`"))
	p.next()
	p.expr()
}

func (p *parser) ifStmt(attrs []*Attribute) Stmt {
	first := p.ifClause(attrs)
	last := first
	for n := 0; p.is(tokElse) || p.foreignElseIf(); n++ {
		if p.accept(tokElse) {
			at := p.attributes()
			if !p.is(tokIf) {
				last.Else = p.block(at, "this `else`")
				break
			}
			if len(at) > 0 {
				p.misplacedBefore(at, "`if`")
			}
		}
		if n == MaxNesting {
			p.fail(findings.Errorf("too-deep", p.tok.span(), "There are more than %d `else if` in a row.", MaxNesting).Try("Use `switch`, or a loop over an array."))
			break
		}
		clause := p.ifClause(nil)
		last.Else = clause
		last = clause
	}
	end := p.end()
	for s := first; s != nil; s, _ = s.Else.(*IfStmt) {
		s.span.End = max(end, s.span.Start)
	}
	return first
}

func (p *parser) misplacedBefore(attrs []*Attribute, what string) {
	p.mend(findings.Errorf("misplaced-attribute", attrs[0].span, "Attributes are not allowed on this %s.", what).Try("Delete it."))
}

func (p *parser) ifClause(attrs []*Attribute) *IfStmt {
	s := &IfStmt{Attrs: attrs}
	start := startOf(attrs, p.tok)
	p.next()
	s.Cond = p.condition("if")
	s.Then = p.block(p.bodyAttributes(), "this `if`")
	s.base = p.from(start)
	return s
}

// bodyAttributes reads the attributes before a `{`.
func (p *parser) bodyAttributes() []*Attribute {
	if p.lost {
		return nil
	}
	return p.attributes()
}

func (p *parser) whileStmt(attrs []*Attribute) Stmt {
	s := &WhileStmt{Attrs: attrs}
	start := startOf(attrs, p.tok)
	p.next()
	s.Cond = p.condition("while")
	s.Body = p.block(p.bodyAttributes(), "this `while`")
	s.base = p.from(start)
	return s
}

func (p *parser) forStmt(attrs []*Attribute) Stmt {
	s := &ForStmt{Attrs: attrs}
	start := startOf(attrs, p.tok)
	keyword := p.tok
	p.next()
	if p.is(tokParenL) {
		p.forHeader(s)
	} else {
		p.foreignFor(keyword, s)
	}
	s.Body = p.block(p.bodyAttributes(), "this `for`")
	s.base = p.from(start)
	return s
}

// forHeader reads `(init; cond; post)`.
func (p *parser) forHeader(s *ForStmt) {
	open := p.tok
	p.next()
	p.foreignIn()
	if !p.lost && !p.is(tokSemicolon) {
		s.Init = p.forClause(true)
	}
	if !p.lost {
		p.forSemicolon("beginning")
	}
	if !p.lost && !p.is(tokSemicolon) && !p.is(tokParenR) {
		s.Cond = p.expr()
		if p.is(tokAssign) && !p.lost {
			p.assignmentInCondition()
		}
	}
	if !p.lost {
		p.forSemicolon("condition")
	}
	if !p.lost && !p.is(tokParenR) {
		s.Post = p.forClause(false)
	}
	if p.lost {
		p.skipTo(func() bool { return p.is(tokParenR) || p.is(tokBraceL) })
		p.lost = p.is(tokBraceL) || !p.accept(tokParenR)
		return
	}
	if p.is(tokSemicolon) && p.peek(1).kind == tokParenR {
		p.mend(findings.Errorf("unexpected-token", p.tok.span(), "The third part of a `for` has no `;` after it.").Try("Delete the `;`.").
			Replace(p.tok.span(), "", "delete it"))
		p.next()
	}
	if p.is(tokComma) {
		p.fail(findings.Errorf("comma-in-for", p.tok.span(), "Each part of a `for` is one statement; a comma cannot join two.").
			Try("Move the second one into the loop's body."))
		p.skipTo(func() bool { return p.is(tokParenR) })
		p.lost = false
	}
	if !p.accept(tokParenR) {
		d := findings.Errorf("missing-paren", p.last(), "The `(` of this `for` is not closed: there is %s after `%s`.", p.describe(), p.lastText()).
			Try("Write `)` before the `{`.").See(open.span(), "the `(`")
		p.mend(d)
	}
}

func (p *parser) forSemicolon(part string) {
	if p.accept(tokSemicolon) {
		return
	}
	d := findings.Errorf("missing-semicolon", p.last(), "There is no `;` after the %s of this `for`.", part).
		Try("A `for` has three parts: `for (var i = 0u; i < n; i++) { … }`.")
	if p.is(tokComma) {
		d.Span = p.tok.span()
		d.Replace(p.tok.span(), ";", "write `;`")
		p.mend(d)
		p.next()
		return
	}
	if p.is(tokParenR) {
		p.mend(d)
		return
	}
	p.fail(d)
}

// forClause reads the first or third part of a for.
func (p *parser) forClause(init bool) Stmt {
	start := p.tok.start
	if init {
		if p.is(tokVar) || p.is(tokLet) || p.is(tokConst) {
			d := p.localDecl()
			return &DeclStmt{p.from(start), d}
		}
		if d := p.foreignDecl(); d != nil {
			return &DeclStmt{p.from(start), d}
		}
	} else if p.is(tokVar) || p.is(tokLet) {
		p.fail(findings.Errorf("misplaced-declaration", p.tok.span(), "The third part of a `for` changes a variable; it cannot declare one.").
			Try("Write something like `i++`."))
		return nil
	}
	return p.updateStmt()
}

func (p *parser) loopStmt(attrs []*Attribute) Stmt {
	s := &LoopStmt{Attrs: attrs}
	start := startOf(attrs, p.tok)
	p.next()
	b := &BlockStmt{Attrs: p.bodyAttributes()}
	s.Body = b
	from := startOf(b.Attrs, p.tok)
	if p.openBlock(b, "this `loop`") {
		for !p.is(tokBraceR) && !p.is(tokContinuing) && !p.atBlockEnd() {
			p.appendStmt(&b.List)
		}
		if p.is(tokContinuing) {
			s.Continuing = p.continuing()
		}
		for !p.is(tokBraceR) && !p.atBlockEnd() {
			p.fail(findings.Errorf("after-continuing", p.tok.span(), "Nothing may follow the `continuing` part of a loop.").
				Try("Move it before `continuing`."))
			p.appendStmt(&b.List)
		}
		p.closeBlock(b, "this `loop`")
	}
	b.base = p.from(from)
	s.base = p.from(start)
	return s
}

func (p *parser) continuing() *ContinuingStmt {
	c := &ContinuingStmt{}
	start := p.tok.start
	p.next()
	b := &BlockStmt{Attrs: p.bodyAttributes()}
	c.Body = b
	from := startOf(b.Attrs, p.tok)
	if p.openBlock(b, "this `continuing`") {
		for !p.is(tokBraceR) && !p.atBlockEnd() {
			if p.is(tokBreak) && p.peek(1).kind == tokIf {
				p.breakIf(b)
				continue
			}
			p.appendStmt(&b.List)
		}
		p.closeBlock(b, "this `continuing`")
	}
	b.base = p.from(from)
	c.base = p.from(start)
	return c
}

// breakIf reads the `break if` at the end of a continuing part.
func (p *parser) breakIf(b *BlockStmt) {
	start := p.tok.start
	p.next()
	p.next()
	s := &BreakIfStmt{Cond: p.condition("break if")}
	p.semicolon("this `break if`")
	if p.lost {
		p.recoverStmt()
	}
	s.base = p.from(start)
	b.List = append(b.List, s)
	if !p.is(tokBraceR) && !p.atBlockEnd() {
		p.mend(findings.Errorf("misplaced-break-if", s.span, "`break if` must be the last statement of its `continuing { … }`.").
			Try("Move it to the end."))
	}
}

func (p *parser) switchStmt(attrs []*Attribute) Stmt {
	s := &SwitchStmt{Attrs: attrs}
	start := startOf(attrs, p.tok)
	keyword := p.tok.span()
	p.next()
	s.X = p.condition("switch")
	s.BodyAttrs = p.bodyAttributes()
	b := &BlockStmt{}
	if p.openBlock(b, "this `switch`") {
		p.caseClauses(s)
		p.closeBlock(b, "this `switch`")
		if len(s.Cases) == 0 {
			p.mend(findings.Errorf("empty-switch", keyword, "This `switch` has no cases.").
				Try("Write at least `default { }`."))
		}
	}
	s.base = p.from(start)
	return s
}

func (p *parser) caseClauses(s *SwitchStmt) {
	for !p.is(tokBraceR) && !p.atBlockEnd() {
		index := p.index
		switch p.tok.kind {
		case tokCase, tokDefault:
			s.Cases = append(s.Cases, p.caseClause())
		default:
			p.fail(findings.Errorf("missing-case", p.tok.span(), "Only `case` and `default` are allowed inside a `switch`, but there is %s.", p.describe()).
				Try("Write `case value { … }`."))
			p.skipTo(func() bool { return p.is(tokCase) || p.is(tokDefault) })
		}
		p.lost = false
		if p.index == index {
			p.next()
		}
	}
}

func (p *parser) caseClause() *CaseClause {
	c := &CaseClause{}
	start := p.tok
	p.next()
	if start.kind == tokDefault {
		c.Selectors = []*CaseSelector{{base: base{start.span()}}}
	} else {
		p.caseSelectors(c, start)
	}
	colon := p.accept(tokColon)
	if colon && !p.is(tokBraceL) && !p.is(tokAt) {
		c.Body = p.foreignCaseBody()
	} else {
		c.Body = p.block(p.bodyAttributes(), "this case")
	}
	c.base = p.from(start.start)
	return c
}

func (p *parser) caseSelectors(c *CaseClause, keyword token) {
	for !p.lost && !p.is(tokColon) && !p.is(tokBraceL) && !p.is(tokAt) {
		start := p.tok
		sel := &CaseSelector{}
		if !p.accept(tokDefault) {
			sel.X = p.expr()
		}
		sel.base = p.from(start.start)
		c.Selectors = append(c.Selectors, sel)
		if !p.accept(tokComma) {
			break
		}
	}
	if len(c.Selectors) == 0 {
		p.mend(findings.Errorf("missing-expression", keyword.span(), "This `case` names no value.").
			Try("Write `case 1 { … }`, or `default { … }`."))
	}
}
