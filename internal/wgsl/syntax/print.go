package syntax

import "strings"

// Print writes a tree as WGSL in one style: tabs, one statement a line, a space around operators. Comments stay beside
// what they stood beside; single blank lines between items and line breaks within lists stay as they were. Printing
// what was printed changes nothing. A tree with *Bad… nodes is printed with their source text in place.
func Print(file *File) string {
	p := &printer{text: file.Source.Text, comments: file.Comments}
	p.file(file)
	return p.out.String()
}

type printer struct {
	out      strings.Builder
	text     string
	comments []Comment // not yet printed
	indent   int
	at       int32 // up to where the source has been printed
	fresh    bool  // nothing stands on the current line yet
	opened   bool  // a block has just been opened: no blank line here
}

func (p *printer) write(parts ...string) {
	if p.fresh {
		for range p.indent {
			p.out.WriteByte('\t')
		}
		p.fresh = false
	}
	for _, s := range parts {
		p.out.WriteString(s)
	}
}

func (p *printer) newline() {
	p.out.WriteByte('\n')
	p.fresh = true
}

// breaks counts the line breaks in the source from where printing is up to the offset.
func (p *printer) breaks(to int32) int {
	if to <= p.at {
		return 0
	}
	n, gap := 0, p.text[p.at:to]
	for i := 0; i < len(gap); i++ {
		if gap[i] == '\n' || gap[i] == '\r' && (i+1 == len(gap) || gap[i+1] != '\n') {
			n++
		}
	}
	return n
}

// lead ends the line before an item that starts at the offset, with the comments before it and, moved there, those up to
// the other offset.
func (p *printer) lead(start, upTo int32) {
	p.before(start, upTo)
	p.gap(start)
	p.opened = false
}

// before prints the comments up to an offset: on the line of what they stood behind, or on lines of their own.
func (p *printer) before(start, upTo int32) {
	for len(p.comments) > 0 && p.comments[0].Span.Start < upTo {
		c := p.comments[0]
		p.comments = p.comments[1:]
		behind := p.out.Len() > 0 && !p.fresh && p.breaks(c.Span.Start) == 0 && c.Span.Start < start
		if behind && !(p.opened && c.Block) {
			p.write(" ")
		} else {
			p.gap(c.Span.Start)
		}
		p.write(p.text[c.Span.Start:c.Span.End])
		p.at = max(p.at, c.Span.End)
		p.opened = false
	}
}

// gap begins a new line, after a blank one if the source had one here.
func (p *printer) gap(to int32) {
	if p.out.Len() == 0 {
		p.fresh = true
		return
	}
	if !p.fresh {
		p.newline()
	}
	if p.breaks(to) > 1 && !p.opened {
		p.out.WriteByte('\n')
	}
}

func (p *printer) file(f *File) {
	for _, d := range f.Directives {
		p.lead(d.Span().Start, d.Span().End)
		p.directive(d)
		p.at = d.Span().End
	}
	for _, d := range f.Decls {
		p.lead(d.Span().Start, p.headEnd(d))
		p.decl(d)
		p.at = d.Span().End
	}
	end := int32(len(p.text)) + 1
	p.before(end, end)
	if p.out.Len() > 0 && !p.fresh {
		p.newline()
	}
}

// headEnd is up to where comments in an item are moved before it: to its block, if it has one.
func (p *printer) headEnd(n Node) int32 {
	switch n := n.(type) {
	case *FuncDecl:
		return n.Body.Open.Start
	case *StructDecl:
		if len(n.Members) > 0 {
			return n.Name.span.End
		}
	case *IfStmt:
		return n.Then.Open.Start
	case *ForStmt:
		return n.Body.Open.Start
	case *WhileStmt:
		return n.Body.Open.Start
	case *LoopStmt:
		return n.Body.Open.Start
	case *ContinuingStmt:
		return n.Body.Open.Start
	case *BlockStmt:
		return n.Open.Start
	case *SwitchStmt:
		return n.X.Span().End
	case *CaseClause:
		return n.Body.Open.Start
	}
	return n.Span().End
}

func (p *printer) source(s Span) {
	for len(p.comments) > 0 && p.comments[0].Span.Start < s.End {
		p.comments = p.comments[1:]
	}
	p.write(strings.TrimSpace(p.text[s.Start:s.End]))
}

func (p *printer) directive(d Directive) {
	switch d := d.(type) {
	case *EnableDirective:
		p.write("enable ", names(d.Names), ";")
	case *RequiresDirective:
		p.write("requires ", names(d.Names), ";")
	case *DiagnosticDirective:
		p.write("diagnostic", control(d.Control), ";")
	}
}

func names(list []*Ident) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = n.Name
	}
	return strings.Join(words, ", ")
}

func control(c *DiagnosticControl) string { return "(" + c.Severity.Name + ", " + c.RuleName() + ")" }

func (p *printer) decl(d Decl) {
	switch d := d.(type) {
	case *VarDecl, *LetDecl, *ConstDecl, *ConstAssert:
		p.local(d)
		p.write(";")
	case *OverrideDecl:
		p.attrs(d.Attrs, d.Keyword.Start)
		p.write("override ")
		p.typed(d.Name, d.Type, d.Init)
		p.write(";")
	case *AliasDecl:
		p.write("alias ", d.Name.Name, " = ")
		p.expr(d.Type)
		p.write(";")
	case *StructDecl:
		p.structure(d)
	case *FuncDecl:
		p.function(d)
	case *EmptyDecl:
		p.write(";")
	case *BadDecl:
		p.source(d.span)
	}
}

// local prints var, let, const and const_assert without the semicolon.
func (p *printer) local(d Decl) {
	switch d := d.(type) {
	case *VarDecl:
		p.attrs(d.Attrs, d.Keyword.Start)
		p.write("var")
		p.templ(d.Templ)
		p.write(" ")
		p.typed(d.Name, d.Type, d.Init)
	case *LetDecl:
		p.write("let ")
		p.typed(d.Name, d.Type, d.Init)
	case *ConstDecl:
		p.attrs(d.Attrs, d.Keyword.Start)
		p.write("const ")
		p.typed(d.Name, d.Type, d.Init)
	case *ConstAssert:
		p.write("const_assert ")
		p.expr(d.Cond)
	}
}

func (p *printer) typed(name *Ident, typ, init Expr) {
	p.write(name.Name)
	p.at = name.span.End
	if typ != nil {
		p.write(": ")
		p.expr(typ)
	}
	if init != nil {
		p.write(" =")
		p.spaceOrBreak(init.Span().Start)
		p.expr(init)
	}
}

// spaceOrBreak separates two parts of an item by a space, or by a line break where the source has one.
func (p *printer) spaceOrBreak(start int32) {
	if p.breaks(start) == 0 {
		p.write(" ")
		return
	}
	p.newline()
	p.indent++
	p.write("")
	p.indent--
}

func (p *printer) attrs(list []*Attribute, next int32) {
	for i, a := range list {
		p.attr(a)
		p.at = a.span.End
		if i+1 < len(list) {
			p.attrGap(list[i+1].span.Start)
		} else {
			p.attrGap(next)
		}
	}
}

func (p *printer) attrGap(next int32) {
	if p.breaks(next) == 0 {
		p.write(" ")
		return
	}
	p.newline()
}

func (p *printer) attr(a *Attribute) {
	p.write("@", a.Name.Name)
	if a.Control != nil {
		p.write(control(a.Control))
	} else if a.Parens {
		p.list("(", a.Args, ")", a.Name.span.End)
	}
}

func (p *printer) structure(d *StructDecl) {
	p.write("struct ", d.Name.Name, " {")
	p.at = d.Name.span.End
	p.indent++
	p.opened = true
	for _, m := range d.Members {
		p.lead(m.span.Start, m.span.End)
		p.attrs(m.Attrs, m.Name.span.Start)
		p.write(m.Name.Name, ": ")
		p.expr(m.Type)
		p.write(",")
		p.at = m.span.End
	}
	p.before(d.span.End, d.span.End)
	p.indent--
	p.newlineUnlessFresh()
	p.opened = false
	p.write("}")
}

func (p *printer) newlineUnlessFresh() {
	if !p.fresh {
		p.newline()
	}
}

func (p *printer) function(d *FuncDecl) {
	p.at = d.span.Start
	next := d.Name.span.Start
	if len(d.Attrs) > 0 {
		after := d.Attrs[len(d.Attrs)-1].span.End
		next = after + int32(strings.LastIndex(p.text[after:next], "fn"))
	}
	p.attrs(d.Attrs, next)
	p.write("fn ", d.Name.Name, "(")
	p.at = d.Name.span.End
	for i, q := range d.Params {
		p.item(i, q.span.Start)
		p.attrs(q.Attrs, q.Name.span.Start)
		p.write(q.Name.Name, ": ")
		p.at = q.Name.span.End
		p.expr(q.Type)
		p.at = q.span.End
		if i+1 < len(d.Params) {
			p.write(",")
		}
	}
	p.write(")")
	if d.Result != nil {
		p.write(" -> ")
		for _, a := range d.ResultAttrs {
			p.at = a.span.Start
			p.attr(a)
			p.write(" ")
		}
		p.at = d.Result.Span().Start
		p.expr(d.Result)
	}
	p.write(" ")
	p.block(d.Body)
}

// item separates the items of a list, on a line of its own where the source has it so.
func (p *printer) item(i int, start int32) {
	if i > 0 {
		p.spaceOrBreak(start)
	} else if p.breaks(start) > 0 {
		p.spaceOrBreak(start)
	}
}

// block prints attributes, braces and statements.
func (p *printer) block(b *BlockStmt) { p.blockAnd(b, nil) }

func (p *printer) blockAnd(b *BlockStmt, c *ContinuingStmt) {
	p.inlineAttrs(b.Attrs)
	p.write("{")
	p.at = b.Open.End
	p.indent++
	p.opened = true
	for _, s := range b.List {
		p.stmtItem(s)
	}
	if c != nil {
		p.stmtItem(c)
	}
	p.closeBrace(b.Close)
}

// inlineAttrs prints attributes on the current line.
func (p *printer) inlineAttrs(list []*Attribute) {
	for _, a := range list {
		p.at = a.span.Start
		p.attr(a)
		p.write(" ")
	}
}

func (p *printer) closeBrace(closing Span) {
	empty := p.opened
	before := len(p.comments)
	p.before(closing.Start, closing.Start)
	p.indent--
	if !empty || len(p.comments) != before {
		p.newlineUnlessFresh()
	}
	p.opened = false
	p.write("}")
	p.at = max(p.at, closing.End)
}

func (p *printer) stmtItem(s Stmt) {
	p.lead(s.Span().Start, p.headEnd(s))
	p.stmt(s)
	p.at = s.Span().End
}

func (p *printer) stmt(s Stmt) {
	p.at = s.Span().Start
	switch s := s.(type) {
	case *BlockStmt:
		p.block(s)
	case *IfStmt:
		p.inlineAttrs(s.Attrs)
		p.ifStmt(s)
	case *SwitchStmt:
		p.switchStmt(s)
	case *LoopStmt:
		p.inlineAttrs(s.Attrs)
		p.write("loop ")
		p.blockAnd(s.Body, s.Continuing)
	case *ContinuingStmt:
		p.write("continuing ")
		p.block(s.Body)
	case *ForStmt:
		p.inlineAttrs(s.Attrs)
		p.forStmt(s)
	case *WhileStmt:
		p.inlineAttrs(s.Attrs)
		p.write("while ")
		p.inline(s.Cond)
		p.write(" ")
		p.block(s.Body)
	case *EmptyStmt:
		p.write(";")
	case *BadStmt:
		p.source(s.span)
	default:
		p.simple(s)
		p.write(";")
	}
}

// inline prints an expression in the head of a statement.
func (p *printer) inline(x Expr) {
	p.at = x.Span().Start
	p.expr(x)
}

// simple prints a statement that ends with a semicolon, without it.
func (p *printer) simple(s Stmt) {
	switch s := s.(type) {
	case *DeclStmt:
		p.local(s.Decl)
	case *AssignStmt:
		p.assign(s)
	case *IncDecStmt:
		p.expr(s.X)
		p.write(map[bool]string{false: "++", true: "--"}[s.Dec])
	case *CallStmt:
		p.expr(s.Call)
	case *BreakStmt:
		p.write("break")
	case *BreakIfStmt:
		p.write("break if ")
		p.inline(s.Cond)
	case *ContinueStmt:
		p.write("continue")
	case *ReturnStmt:
		p.write("return")
		if s.X != nil {
			p.write(" ")
			p.inline(s.X)
		}
	case *DiscardStmt:
		p.write("discard")
	}
}

func (p *printer) assign(s *AssignStmt) {
	if s.LHS == nil {
		p.write("_")
	} else {
		p.expr(s.LHS)
	}
	if s.Op == OpNone {
		p.write(" =")
	} else {
		p.write(" ", s.Op.String(), "=")
	}
	p.at = s.OpPos.End
	p.spaceOrBreak(s.RHS.Span().Start)
	p.expr(s.RHS)
}

func (p *printer) ifStmt(s *IfStmt) {
	for {
		p.write("if ")
		p.inline(s.Cond)
		p.write(" ")
		p.block(s.Then)
		switch e := s.Else.(type) {
		case *IfStmt:
			p.write(" else ")
			s = e
			continue
		case *BlockStmt:
			p.write(" else ")
			p.block(e)
		}
		return
	}
}

func (p *printer) switchStmt(s *SwitchStmt) {
	p.inlineAttrs(s.Attrs)
	p.write("switch ")
	p.inline(s.X)
	p.write(" ")
	p.inlineAttrs(s.BodyAttrs)
	p.write("{")
	p.at = s.X.Span().End
	p.indent++
	p.opened = true
	for _, c := range s.Cases {
		p.lead(c.span.Start, p.headEnd(c))
		p.caseClause(c)
		p.at = c.span.End
	}
	p.closeBrace(Span{s.span.End, s.span.End})
}

func (p *printer) caseClause(c *CaseClause) {
	if len(c.Selectors) == 1 && c.Selectors[0].X == nil && c.Selectors[0].span.Start == c.span.Start {
		p.write("default")
	} else {
		p.write("case ")
		for i, sel := range c.Selectors {
			if i > 0 {
				p.write(", ")
			}
			if sel.X == nil {
				p.write("default")
			} else {
				p.inline(sel.X)
			}
		}
	}
	p.write(": ")
	p.block(c.Body)
}

func (p *printer) forStmt(s *ForStmt) {
	p.write("for (")
	if s.Init != nil {
		p.at = s.Init.Span().Start
		p.simple(s.Init)
	}
	p.write(";")
	if s.Cond != nil {
		p.write(" ")
		p.inline(s.Cond)
	}
	p.write(";")
	if s.Post != nil {
		p.write(" ")
		p.at = s.Post.Span().Start
		p.simple(s.Post)
	}
	p.write(") ")
	p.block(s.Body)
}

func (p *printer) templ(t *TemplateArgs) {
	if t == nil {
		return
	}
	p.write("<")
	for i, x := range t.Args {
		if i > 0 {
			p.write(", ")
		}
		p.at = x.Span().Start
		p.expr(x)
	}
	p.write(">")
	p.at = t.span.End
}

func (p *printer) list(opening string, items []Expr, closing string, start int32) {
	p.write(opening)
	p.at = start
	for i, x := range items {
		p.item(i, x.Span().Start)
		p.expr(x)
		p.at = x.Span().End
		if i+1 < len(items) {
			p.write(",")
		}
	}
	p.write(closing)
}

func (p *printer) expr(x Expr) {
	switch x := x.(type) {
	case *IdentExpr:
		p.write(x.Name.Name)
		p.templ(x.Templ)
	case *Literal:
		p.write(x.Text)
	case *ParenExpr:
		p.write("(")
		p.inline(x.X)
		p.write(")")
	case *UnaryExpr:
		p.write(x.Op.String())
		if inner, ok := x.X.(*UnaryExpr); ok && inner.Op == x.Op && (x.Op == OpSub || x.Op == OpAddressOf) {
			p.write(" ")
		}
		p.inline(x.X)
	case *BinaryExpr:
		p.expr(x.X)
		p.write(" ", x.Op.String())
		p.at = x.OpPos.End
		p.spaceOrBreak(x.Y.Span().Start)
		p.expr(x.Y)
	case *CallExpr:
		p.expr(x.Callee)
		p.list("(", x.Args, ")", x.Parens.Start)
	case *IndexExpr:
		p.expr(x.X)
		p.write("[")
		p.inline(x.Index)
		p.write("]")
	case *MemberExpr:
		p.expr(x.X)
		p.write(".", x.Name.Name)
	case *BadExpr:
		p.write(p.text[x.span.Start:x.span.End])
	}
	p.at = max(p.at, x.Span().End)
}
