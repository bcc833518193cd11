package syntax

import "iter"

// Walk visits the node and all nodes below it in source order. It calls enter before a node's
// children; if enter returns false, Walk skips them. It calls leave, which may be nil, after the
// children, and also if enter returned false.
func Walk(n Node, enter func(Node) bool, leave func(Node)) {
	w := walker{enter, leave}
	w.visit(n)
}

// All yields the nodes of one type, the given node included, in source order.
func All[N Node](in Node) iter.Seq[N] {
	return func(yield func(N) bool) {
		more := true
		Walk(in, func(n Node) bool {
			if found, ok := n.(N); ok && more {
				more = yield(found)
			}
			return more
		}, nil)
	}
}

// Leaves reports whether a block ends with return, break or continue.
func (b *BlockStmt) Leaves() bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ReturnStmt, *BreakStmt, *ContinueStmt:
		return true
	}
	return false
}

// Assigned returns the expression that a statement gives a new value: a in `a = 1` and `a++`. It is
// nil for `_ = 1` and for any other node.
func Assigned(n Node) Expr {
	switch n := n.(type) {
	case *AssignStmt:
		return n.LHS
	case *IncDecStmt:
		return n.X
	}
	return nil
}

// Base returns the expression of which x names a part: a in (a[i]).x.
func Base(x Expr) Expr {
	for {
		switch whole := x.(type) {
		case *ParenExpr:
			x = whole.X
		case *IndexExpr:
			x = whole.X
		case *MemberExpr:
			x = whole.X
		default:
			return x
		}
	}
}

type walker struct {
	enter func(Node) bool
	leave func(Node)
}

func (w walker) visit(n Node) {
	if w.enter(n) {
		w.children(n)
	}
	if w.leave != nil {
		w.leave(n)
	}
}

func (w walker) expr(x Expr) {
	if x != nil {
		w.visit(x)
	}
}

func (w walker) stmt(s Stmt) {
	if s != nil {
		w.visit(s)
	}
}

func (w walker) templ(t *TemplateArgs) {
	if t != nil {
		w.visit(t)
	}
}

func walkAll[N Node](w walker, list []N) {
	for _, n := range list {
		w.visit(n)
	}
}

func (w walker) children(n Node) {
	switch n := n.(type) {
	case *TranslationUnit:
		walkAll(w, n.Directives)
		walkAll(w, n.Decls)
	case *Attribute:
		w.visit(n.Name)
		walkAll(w, n.Args)
		if n.Control != nil {
			w.visit(n.Control)
		}
	case *DiagnosticControl:
		w.visit(n.Severity)
		if n.Namespace != nil {
			w.visit(n.Namespace)
		}
		w.visit(n.Rule)
	case *EnableDirective:
		walkAll(w, n.Names)
	case *RequiresDirective:
		walkAll(w, n.Names)
	case *DiagnosticDirective:
		w.visit(n.Control)
	case Decl:
		w.declChildren(n)
	case *Member:
		walkAll(w, n.Attrs)
		w.visit(n.Name)
		w.expr(n.Type)
	case *Param:
		walkAll(w, n.Attrs)
		w.visit(n.Name)
		w.expr(n.Type)
	case Stmt:
		w.stmtChildren(n)
	case *CaseClause:
		walkAll(w, n.Selectors)
		w.visit(n.Body)
	case *CaseSelector:
		w.expr(n.X)
	case *TemplateArgs:
		walkAll(w, n.Args)
	case Expr:
		w.exprChildren(n)
	}
}

func (w walker) declChildren(n Decl) {
	switch n := n.(type) {
	case *VarDecl:
		walkAll(w, n.Attrs)
		w.templ(n.Templ)
		w.visit(n.Name)
		w.expr(n.Type)
		w.expr(n.Init)
	case *LetDecl:
		w.visit(n.Name)
		w.expr(n.Type)
		w.expr(n.Init)
	case *ConstDecl:
		walkAll(w, n.Attrs)
		w.visit(n.Name)
		w.expr(n.Type)
		w.expr(n.Init)
	case *OverrideDecl:
		walkAll(w, n.Attrs)
		w.visit(n.Name)
		w.expr(n.Type)
		w.expr(n.Init)
	case *AliasDecl:
		w.visit(n.Name)
		w.expr(n.Type)
	case *StructDecl:
		w.visit(n.Name)
		walkAll(w, n.Members)
	case *FuncDecl:
		walkAll(w, n.Attrs)
		w.visit(n.Name)
		walkAll(w, n.Params)
		walkAll(w, n.ResultAttrs)
		w.expr(n.Result)
		w.visit(n.Body)
	case *ConstAssert:
		w.expr(n.Cond)
	}
}

func (w walker) stmtChildren(n Stmt) {
	switch n := n.(type) {
	case *BlockStmt:
		walkAll(w, n.Attrs)
		walkAll(w, n.List)
	case *DeclStmt:
		w.visit(n.Decl)
	case *AssignStmt:
		w.expr(n.LHS)
		w.expr(n.RHS)
	case *IncDecStmt:
		w.expr(n.X)
	case *CallStmt:
		w.visit(n.Call)
	case *IfStmt:
		walkAll(w, n.Attrs)
		w.expr(n.Cond)
		w.visit(n.Then)
		w.stmt(n.Else)
	case *SwitchStmt:
		walkAll(w, n.Attrs)
		w.expr(n.X)
		walkAll(w, n.BodyAttrs)
		walkAll(w, n.Cases)
	case *LoopStmt:
		walkAll(w, n.Attrs)
		w.visit(n.Body)
		if n.Continuing != nil {
			w.visit(n.Continuing)
		}
	case *ContinuingStmt:
		w.visit(n.Body)
	case *ForStmt:
		walkAll(w, n.Attrs)
		w.stmt(n.Init)
		w.expr(n.Cond)
		w.stmt(n.Post)
		w.visit(n.Body)
	case *WhileStmt:
		walkAll(w, n.Attrs)
		w.expr(n.Cond)
		w.visit(n.Body)
	case *BreakIfStmt:
		w.expr(n.Cond)
	case *ReturnStmt:
		w.expr(n.X)
	}
}

func (w walker) exprChildren(n Expr) {
	switch n := n.(type) {
	case *IdentExpr:
		w.visit(n.Name)
		w.templ(n.Templ)
	case *ParenExpr:
		w.expr(n.X)
	case *UnaryExpr:
		w.expr(n.X)
	case *BinaryExpr:
		w.expr(n.X)
		w.expr(n.Y)
	case *CallExpr:
		w.visit(n.Callee)
		walkAll(w, n.Args)
	case *IndexExpr:
		w.expr(n.X)
		w.expr(n.Index)
	case *MemberExpr:
		w.expr(n.X)
		w.visit(n.Name)
	}
}
