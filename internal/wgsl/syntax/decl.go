package syntax

import "github.com/wgslab/wgslab/internal/wgsl/findings"

// parseFile reads directives, then declarations.
func (p *parser) parseFile() {
	for !p.is(tokEOF) {
		index := p.index
		switch p.tok.kind {
		case tokEnable, tokRequires, tokDiagnostic:
			p.directive()
		default:
			p.globalDecl()
		}
		if p.lost {
			p.recoverDecl()
		}
		if p.index == index {
			p.next()
		}
	}
}

// recoverDecl skips to the token where the next declaration seems to begin.
func (p *parser) recoverDecl() {
	p.skipTo(func() bool { return p.is(tokSemicolon) || p.newLine() && p.startsDecl() })
	if p.is(tokBraceR) && !p.newLine() {
		p.next()
	}
	p.accept(tokSemicolon)
	p.lost = false
}

func (p *parser) startsDecl() bool {
	switch p.tok.kind {
	case tokFn, tokStruct, tokVar, tokConst, tokOverride, tokAlias, tokAt, tokConstAssert, tokEnable, tokRequires, tokLet:
		return true
	case tokIdent: // a function or variable in the style of another language
		word := p.slice(p.tok)
		return functionWords[word] || isTypeWord(word) && p.peek(1).kind == tokIdent
	}
	return false
}

func (p *parser) directive() {
	t := p.tok
	if p.file.Decls != nil {
		p.mend(findings.Errorf("misplaced-directive", t.span(), "`%s` must come before every declaration.", p.slice(t)).
			Try("Move it to the top of the shader.").See(p.file.Decls[0].Span(), "the first declaration"))
	}
	p.next()
	var d Directive
	switch t.kind {
	case tokDiagnostic:
		n := &DiagnosticDirective{Control: p.diagnosticControl()}
		p.semicolon("this `diagnostic`")
		n.base = p.from(t.start)
		d = n
	case tokEnable:
		n := &EnableDirective{Names: p.names("an extension")}
		for _, name := range n.Names {
			p.f16 = p.f16 || name.Name == "f16"
		}
		p.semicolon("this `enable`")
		n.base = p.from(t.start)
		d = n
	default:
		n := &RequiresDirective{Names: p.names("a language feature")}
		p.semicolon("this `requires`")
		n.base = p.from(t.start)
		d = n
	}
	p.file.Directives = append(p.file.Directives, d)
}

func (p *parser) names(what string) []*Ident {
	var list []*Ident
	for !p.lost {
		list = append(list, p.ident(what))
		if !p.accept(tokComma) || p.is(tokSemicolon) {
			break
		}
	}
	return list
}

// diagnosticControl reads `(severity, rule)`. It always returns a control, with empty names for the
// missing ones.
func (p *parser) diagnosticControl() *DiagnosticControl {
	start := p.tok.start
	c := &DiagnosticControl{Severity: &Ident{base: base{p.after()}}, Rule: &Ident{base: base{p.after()}}}
	if p.expect(tokParenL, "(", "`diagnostic`") {
		c.Severity = p.ident("a severity")
		if !p.lost && p.expect(tokComma, ",", "`diagnostic`, after the severity,") {
			c.Rule = p.ident("a diagnostic rule")
			if p.accept(tokDot) {
				c.Namespace, c.Rule = c.Rule, p.ident("a diagnostic rule")
			}
			p.accept(tokComma)
			if !p.lost {
				p.expect(tokParenR, ")", "`diagnostic`")
			}
		}
	}
	c.base = p.from(start)
	switch c.Severity.Name {
	case "error", "warning", "info", "off", "":
	default:
		p.mend(findings.Errorf("unknown-severity", c.Severity.span, "`%s` is not a severity.", c.Severity.Name).
			Try("Write `error`, `warning`, `info` or `off`."))
	}
	return c
}

func (p *parser) add(d Decl) { p.file.Decls = append(p.file.Decls, d) }

// globalDecl reads a declaration at module scope.
func (p *parser) globalDecl() {
	start := p.tok.start
	attrs := p.attributes()
	if p.lost {
		p.add(&BadDecl{p.from(start)})
		return
	}
	switch p.tok.kind {
	case tokSemicolon:
		p.noAttributes(attrs, "a lone `;`")
		p.next()
		p.add(&EmptyDecl{p.from(start)})
	case tokFn:
		p.add(p.function(attrs, start))
	case tokVar:
		d := p.varDecl(attrs, start)
		p.semicolon(declName(d))
		d.base = p.from(start)
		p.add(d)
	case tokOverride:
		p.add(p.override(attrs, start))
	case tokConst:
		p.noAttributes(attrs, "a `const`")
		d := p.constDecl(attrs, start)
		p.semicolon(declName(d))
		d.base = p.from(start)
		p.add(d)
	case tokConstAssert:
		p.noAttributes(attrs, "a `const_assert`")
		d := p.constAssert()
		p.semicolon("this `const_assert`")
		d.base = p.from(start)
		p.add(d)
	case tokStruct:
		p.noAttributes(attrs, "a `struct`")
		p.add(p.structDecl())
	case tokAlias:
		p.noAttributes(attrs, "an `alias`")
		p.add(p.alias())
	default:
		p.strayGlobal(attrs, start)
	}
}

func (p *parser) noAttributes(attrs []*Attribute, what string) {
	if len(attrs) > 0 {
		p.mend(findings.Errorf("misplaced-attribute", attrs[0].span, "`@%s` is not allowed on %s.", attrs[0].Name.Name, what).
			Try("Delete it, or move it to the declaration that it belongs to."))
	}
}

// strayGlobal handles tokens that begin no declaration.
func (p *parser) strayGlobal(attrs []*Attribute, start int32) {
	t := p.tok
	if d, done := p.foreignGlobal(attrs, start); done {
		if d != nil {
			p.add(d)
		}
		return
	}
	switch {
	case p.lost:
	case t.kind == tokEOF:
		p.fail(findings.Errorf("missing-declaration", p.last(), "Nothing follows this attribute.").
			Try("Write what it belongs to: a function, variable or override."))
	case t.kind == tokBraceR:
		p.fail(findings.Errorf("unexpected-brace", t.span(), "This `}` closes nothing.").
			Try("Delete it, or look above for a missing `{`."))
		p.next()
		p.lost = false
		p.add(&BadDecl{p.from(start)})
		return
	case t.kind == tokLet:
		p.globalLet(start)
		return
	case t.kind.keyword() || t.kind == tokBraceL:
		p.fail(findings.Errorf("statement-outside", t.span(), "%s is outside of any function.", upper(p.describe())).
			Try("Statements go inside the braces of a function; perhaps a `}` above closes one too early."))
	case p.foreignToken("a declaration"):
	default:
		p.fail(findings.Errorf("missing-declaration", t.span(), "A declaration should begin here, but there is %s.", p.describe()).
			Try("Declarations begin with `fn`, `var`, `const`, `override`, `struct`, `alias` or `const_assert`."))
	}
	if p.is(tokBraceL) {
		p.skipBraces()
	} else {
		p.recoverDecl()
	}
	p.lost = false
	p.add(&BadDecl{p.from(start)})
}

// globalLet reads a `let` at module scope as the `const` that it should be.
func (p *parser) globalLet(start int32) {
	p.mend(findings.Errorf("let-outside", p.tok.span(), "`let` is only allowed in functions.").
		Try("Write `const` for a value known in advance, or `override` for one that the host may set.").
		Replace(p.tok.span(), "const", "write `const`"))
	d := p.constDecl(nil, start)
	p.semicolon(declName(d))
	d.base = p.from(start)
	p.add(d)
}

// typedName reads `name` or `name: type`.
func (p *parser) typedName(what string) (*Ident, Expr) {
	name := p.ident(what)
	if p.lost {
		return name, nil
	}
	if p.accept(tokColon) {
		if p.is(tokAssign) && p.tok.start == p.end() {
			p.mend(findings.Errorf("foreign-declaration", p.last().To(p.tok.span()), "`:=` is Go, not WGSL: after `let` or `var`, write just `=`.").
				Try("Write `=`.").Replace(p.last().To(p.tok.span()), "=", "write `=`"))
			return name, nil
		}
		return name, p.typ("`" + name.Name + "`")
	}
	return p.foreignTyped(name)
}

// requiredInit reads `= value`, which let and const require.
func (p *parser) requiredInit(keyword string, name *Ident) Expr {
	if p.lost {
		return p.bad(p.end())
	}
	if p.accept(tokAssign) {
		return p.initializer()
	}
	if x := p.foreignInit(name); x != nil {
		return x
	}
	d := findings.Errorf("missing-initializer", name.span, "`%s` gets no value, but every `%s` needs one.", name.Name, keyword)
	if keyword == "let" {
		d.Try("Write `= value`, or `var` for a variable that gets its value later.")
	} else {
		d.Try("Write `= value`.")
	}
	if p.is(tokSemicolon) || p.newLine() {
		p.mend(d)
	} else {
		p.fail(d)
	}
	return p.bad(p.end())
}

// initializer reads the value after `=`.
func (p *parser) initializer() Expr {
	if p.is(tokBraceL) {
		return p.foreignBraces()
	}
	return p.assigned()
}

// varDecl reads a var without its semicolon.
func (p *parser) varDecl(attrs []*Attribute, start int32) *VarDecl {
	d := &VarDecl{Attrs: attrs, Keyword: p.tok.span()}
	p.next()
	if p.is(tokTemplL) {
		d.Templ = p.templateArgs()
	}
	p.foreignMut()
	d.Name, d.Type = p.typedName("a variable")
	if !p.lost {
		if p.accept(tokAssign) {
			d.Init = p.initializer()
		} else {
			d.Init = p.foreignInit(d.Name)
		}
	}
	d.base = p.from(start)
	return d
}

// constDecl reads a const without its semicolon. The current token is `const`, or a `let` that is
// read as one.
func (p *parser) constDecl(attrs []*Attribute, start int32) *ConstDecl {
	d := &ConstDecl{Attrs: attrs, Keyword: p.tok.span()}
	p.next()
	d.Name, d.Type = p.typedName("a `const`")
	d.Init = p.requiredInit("const", d.Name)
	d.base = p.from(start)
	return d
}

func (p *parser) override(attrs []*Attribute, start int32) Decl {
	d := &OverrideDecl{Attrs: attrs, Keyword: p.tok.span()}
	p.next()
	d.Name, d.Type = p.typedName("an `override`")
	if !p.lost && p.accept(tokAssign) {
		d.Init = p.initializer()
	}
	p.semicolon(declName(d))
	d.base = p.from(start)
	return d
}

func (p *parser) constAssert() *ConstAssert {
	start := p.tok.start
	p.next()
	d := &ConstAssert{Cond: p.expr()}
	d.base = p.from(start)
	return d
}

func (p *parser) alias() Decl {
	start := p.tok.start
	p.next()
	d := &AliasDecl{Name: p.ident("an alias")}
	if !p.lost && p.expect(tokAssign, "=", "An `alias`") {
		d.Type = p.typ("this alias")
	} else {
		d.Type = p.bad(p.end())
	}
	p.semicolon("this `alias`")
	d.base = p.from(start)
	return d
}

func (p *parser) structDecl() Decl {
	start := p.tok.start
	p.next()
	d := &StructDecl{Name: p.ident("a structure")}
	b := &BlockStmt{}
	if p.openBlock(b, "this structure") {
		p.members(d)
		p.closeBlock(b, "this structure")
	}
	p.braces = 0
	d.base = p.from(start)
	if len(d.Members) == 0 && d.Name.Name != "" {
		p.mend(findings.Errorf("empty-struct", d.Name.span, "The structure `%s` has no members, but WGSL needs at least one.", d.Name.Name).
			Try("Write a member, such as `x: f32,`."))
	}
	return d
}

func (p *parser) members(d *StructDecl) {
	for !p.is(tokBraceR) && !p.atStructEnd() {
		index := p.index
		if m := p.member_(); m != nil {
			d.Members = append(d.Members, m)
		}
		p.afterMember()
		if p.index == index {
			p.next()
		}
	}
}

// atStructEnd reports whether the current token can only follow the structure.
func (p *parser) atStructEnd() bool {
	switch p.tok.kind {
	case tokEOF, tokFn, tokVar, tokStruct, tokOverride, tokConstAssert:
		return true
	case tokConst:
		return p.peek(2).kind == tokAssign || p.peek(2).kind == tokColon
	}
	return p.atModuleItem()
}

func (p *parser) member_() *Member {
	start := p.tok.start
	m := &Member{Attrs: p.attributes()}
	if p.lost {
		return nil
	}
	if name, typ := p.foreignMember(); name != nil {
		m.Name, m.Type = name, typ
	} else {
		m.Name = p.ident("a member")
		if p.lost {
			return nil
		}
		m.Type = p.typeAfterColon(m.Name, "member")
	}
	m.base = p.from(start)
	return m
}

// typeAfterColon reads `: type`.
func (p *parser) typeAfterColon(name *Ident, what string) Expr {
	if p.accept(tokColon) {
		return p.typ("`" + name.Name + "`")
	}
	d := findings.Errorf("missing-type", name.span, "The type of the %s `%s` is missing.", what, name.Name).
		Try("Write `%s: f32`, or whatever its type is.", name.Name)
	if p.is(tokComma) || p.is(tokParenR) || p.is(tokBraceR) || p.is(tokSemicolon) {
		p.mend(d)
	} else {
		p.fail(d)
	}
	return p.bad(p.end())
}

// afterMember skips the comma after a member, or reports the token in its place.
func (p *parser) afterMember() {
	if p.lost {
		p.skipTo(func() bool {
			return p.is(tokComma) || p.is(tokSemicolon) || p.newLine() && (p.is(tokIdent) && p.peek(1).kind == tokColon || p.is(tokAt)) || p.atStructEnd()
		})
		_ = p.accept(tokComma) || p.accept(tokSemicolon)
		p.lost = false
		return
	}
	if p.accept(tokComma) || p.is(tokBraceR) {
		return
	}
	d := findings.Errorf("missing-comma", p.last(), "Members of a structure are separated by `,`, but after `%s` there is %s.", p.lastText(), p.describe())
	if p.is(tokSemicolon) {
		d.Span = p.tok.span()
		p.mend(d.Try("Write `,` instead of `;`.").Replace(p.tok.span(), ",", "write `,`"))
		p.next()
		return
	}
	if p.atStructEnd() {
		return
	}
	d.Try("Write `,` after `%s`.", p.lastText())
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write `,`", Edits: []findings.Edit{{Span: p.after(), New: ","}}})
	if p.is(tokIdent) || p.is(tokAt) || p.is(tokReserved) {
		p.mend(d)
		return
	}
	p.fail(d)
	p.afterMember()
}

// function reads a function; the current token is `fn` or its replacement.
func (p *parser) function(attrs []*Attribute, start int32) *FuncDecl {
	p.next()
	d := &FuncDecl{Attrs: attrs, Name: p.ident("a function")}
	p.functionRest(d, start)
	return d
}

// functionRest reads a function, starting at its parameters.
func (p *parser) functionRest(d *FuncDecl, start int32) {
	if !p.lost {
		p.parameters(d)
	}
	if !p.lost {
		p.result(d)
	}
	p.functionBody(d, start)
}

func (p *parser) functionBody(d *FuncDecl, start int32) {
	p.braces = 0
	owner := "this function"
	if d.Name.Name != "" {
		owner = "the function `" + d.Name.Name + "`"
	}
	d.Body = p.block(p.bodyAttributes(), owner)
	p.braces = 0
	d.base = p.from(start)
}

func (p *parser) parameters(d *FuncDecl) {
	open := p.tok
	if !p.expect(tokParenL, "(", "A function, after its name,") {
		return
	}
	for !p.lost && !p.is(tokParenR) && !p.is(tokEOF) {
		d.Params = append(d.Params, p.param())
		if p.lost || p.accept(tokComma) {
			continue
		}
		if p.is(tokIdent) || p.is(tokAt) {
			p.missingComma()
			continue
		}
		if p.is(tokSemicolon) {
			p.mend(findings.Errorf("missing-comma", p.tok.span(), "Parameters are separated by `,`, not by `;`.").Try("Write `,`.").
				Replace(p.tok.span(), ",", "write `,`"))
			p.next()
			continue
		}
		break
	}
	if p.lost {
		p.skipTo(func() bool { return p.is(tokParenR) || p.is(tokBraceL) })
		p.lost = false
		p.accept(tokParenR)
		return
	}
	if !p.accept(tokParenR) {
		d := findings.Errorf("missing-paren", p.last(), "The parameter list is not closed: there is %s after `%s`.", p.describe(), p.lastText()).
			Try("Write `)` after the last parameter.").See(open.span(), "the `(`")
		d.Fixes = append(d.Fixes, findings.Fix{Title: "write `)`", Edits: []findings.Edit{{Span: p.after(), New: ")"}}})
		if p.is(tokBraceL) || p.is(tokArrow) {
			p.mend(d)
		} else {
			p.fail(d)
		}
	}
}

func (p *parser) param() *Param {
	start := p.tok.start
	q := &Param{Attrs: p.attributes()}
	if p.lost {
		q.Name, q.Type = &Ident{base: base{p.after()}}, p.bad(p.end())
		return q
	}
	if name, typ := p.foreignMember(); name != nil {
		q.Name, q.Type = name, typ
	} else {
		q.Name = p.ident("a parameter")
		q.Type = p.bad(p.end())
		if !p.lost {
			q.Type = p.typeAfterColon(q.Name, "parameter")
		}
	}
	q.base = p.from(start)
	return q
}

// result reads `-> type`.
func (p *parser) result(d *FuncDecl) {
	if !p.accept(tokArrow) {
		if !p.foreignArrow() {
			return
		}
	}
	d.ResultAttrs = p.attributes()
	if p.foreignVoid() {
		return
	}
	if !p.lost {
		d.Result = p.typ("the function's result")
	}
}
