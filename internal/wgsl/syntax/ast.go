// Package syntax parses WGSL: it turns source text into a tree whose every node knows its span.
//
//	source := syntax.NewSource("shader.wgsl", text)
//	file, diagnostics := syntax.Parse(source)
//	syntax.Walk(file, func(n syntax.Node) bool { …; return true }, nil)
//	text, err := findings.Apply(text, []findings.Edit{{Span: node.Span(), New: "…"}})
//
// Parse always returns a tree, even for a shader that is still being typed. Code that changes a
// shader edits its text at the spans of nodes. The rest stays as the learner wrote it.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package syntax

// A Node is a piece of the tree. Nodes are pointers and never shared, so they can be map keys:
// later stages store their results in maps keyed by nodes.
type Node interface {
	Span() Span
	node()
}

// A Decl is a declaration at module scope: *VarDecl, *ConstDecl, *OverrideDecl, *AliasDecl,
// *StructDecl, *FuncDecl, *ConstAssert, *EmptyDecl or *BadDecl. Functions contain *VarDecl,
// *LetDecl, *ConstDecl and *ConstAssert as well, within a *DeclStmt.
type Decl interface {
	Node
	decl()
}

// A Directive is an *EnableDirective, *RequiresDirective or *DiagnosticDirective (§ 3.10).
type Directive interface {
	Node
	directive()
}

// A Stmt is a statement (§ 9).
type Stmt interface {
	Node
	stmt()
}

// An Expr is an expression (§ 8). Types are expressions as well, because WGSL's grammar does not
// distinguish them.
type Expr interface {
	Node
	expr()
}

type base struct{ span Span }

// Span returns the span from the node's first token to its last, attributes included.
func (b *base) Span() Span { return b.span }
func (b *base) node()      {}

// A TranslationUnit is a whole shader (§ 3: translation unit).
type TranslationUnit struct {
	base
	Source     *Source
	Directives []Directive
	Decls      []Decl
	Comments   []Comment // in order
}

// A Comment is a line or block comment. Its span and text include the delimiters but not the end of
// the line.
type Comment struct {
	Span  Span
	Block bool
}

// An Ident is a name in a declaration, after a dot or in a directive. Name is exactly as written,
// because WGSL does not normalise names.
type Ident struct {
	base
	Name string
}

// An Attribute is `@name` or `@name(args)` (§ 12). Args are expressions; the words that builtin,
// interpolate and the like accept are *IdentExpr without template arguments. In @diagnostic,
// Control is set and Args is empty.
type Attribute struct {
	base
	Name    *Ident
	Args    []Expr
	Parens  bool // the source has parentheses
	Control *DiagnosticControl
}

// A DiagnosticControl is `(severity, rule)` or `(severity, namespace.rule)` (§ 2.3).
type DiagnosticControl struct {
	base
	Severity  *Ident
	Namespace *Ident // nil without a dot
	Rule      *Ident
}

// RuleName returns the rule as written, with its namespace.
func (c *DiagnosticControl) RuleName() string {
	if c.Namespace != nil {
		return c.Namespace.Name + "." + c.Rule.Name
	}
	return c.Rule.Name
}

// Directives.
type (
	// EnableDirective is `enable f16, subgroups;`.
	EnableDirective struct {
		base
		Names []*Ident
	}
	// RequiresDirective is `requires readonly_and_readwrite_storage_textures;`.
	RequiresDirective struct {
		base
		Names []*Ident
	}
	// DiagnosticDirective is `diagnostic(off, derivative_uniformity);`.
	DiagnosticDirective struct {
		base
		Control *DiagnosticControl
	}
)

// Declarations.
type (
	// VarDecl is `var<workgroup> name: type = init`, at module scope or in a function. Space and
	// Access are the template arguments as written, both nil for a plain `var`.
	VarDecl struct {
		base
		Attrs   []*Attribute
		Keyword Span          // `var`
		Templ   *TemplateArgs // nil without <…>
		Name    *Ident
		Type    Expr // nil when inferred
		Init    Expr // nil when there is none
	}
	// LetDecl is `let name: type = init` in a function.
	LetDecl struct {
		base
		Keyword Span // `let`
		Name    *Ident
		Type    Expr // nil when inferred
		Init    Expr
	}
	// ConstDecl is `const name: type = init`, at module scope or in a function.
	ConstDecl struct {
		base
		Attrs   []*Attribute // the grammar allows none; kept for messages
		Keyword Span         // `const`
		Name    *Ident
		Type    Expr // nil when inferred
		Init    Expr
	}
	// OverrideDecl is `@id(1) override name: type = init`.
	OverrideDecl struct {
		base
		Attrs   []*Attribute
		Keyword Span // `override`
		Name    *Ident
		Type    Expr // nil when inferred
		Init    Expr // nil when there is none
	}
	// AliasDecl is `alias Name = type`.
	AliasDecl struct {
		base
		Name *Ident
		Type Expr
	}
	// StructDecl is `struct Name { members }`.
	StructDecl struct {
		base
		Name    *Ident
		Members []*Member
	}
	// Member is one member of a structure.
	Member struct {
		base
		Attrs []*Attribute
		Name  *Ident
		Type  Expr
	}
	// FuncDecl is a function, entry point or not. Body is never nil.
	FuncDecl struct {
		base
		Attrs       []*Attribute
		Name        *Ident
		Params      []*Param
		ResultAttrs []*Attribute
		Result      Expr // nil if nothing is returned
		Body        *BlockStmt
	}
	// Param is a formal parameter of a function.
	Param struct {
		base
		Attrs []*Attribute
		Name  *Ident
		Type  Expr
	}
	// ConstAssert is `const_assert cond`, at module scope or in a function.
	ConstAssert struct {
		base
		Cond Expr
	}
	// EmptyDecl is a lone `;` at module scope.
	EmptyDecl struct{ base }
	// BadDecl covers tokens that form no declaration; the parser has already reported the mistake.
	BadDecl struct{ base }
)

// Statements.
type (
	// BlockStmt is `{ … }`.
	BlockStmt struct {
		base
		Attrs []*Attribute
		Open  Span // `{`, empty if missing
		Close Span // `}`, empty if missing
		List  []Stmt
	}
	// DeclStmt is a *VarDecl, *LetDecl, *ConstDecl or *ConstAssert in a function.
	DeclStmt struct {
		base
		Decl Decl
	}
	// AssignStmt is `lhs = rhs`, `lhs += rhs` or `_ = rhs`.
	AssignStmt struct {
		base
		LHS   Expr // nil for the phony assignment `_ = rhs`
		Op    Op   // OpNone for `=`, else the binary operator of the compound assignment
		OpPos Span
		RHS   Expr
	}
	// IncDecStmt is `lhs++` or `lhs--`.
	IncDecStmt struct {
		base
		X   Expr
		Dec bool
	}
	// CallStmt is a function call as a statement.
	CallStmt struct {
		base
		Call *CallExpr
	}
	// IfStmt is `if cond {…} else …`.
	IfStmt struct {
		base
		Attrs []*Attribute
		Cond  Expr
		Then  *BlockStmt
		Else  Stmt // nil, *IfStmt or *BlockStmt
	}
	// SwitchStmt is `switch x { cases }`.
	SwitchStmt struct {
		base
		Attrs     []*Attribute
		X         Expr
		BodyAttrs []*Attribute
		Cases     []*CaseClause
	}
	// CaseClause is `case 1, 2: {…}`, `case default: {…}` or `default: {…}`.
	CaseClause struct {
		base
		Selectors []*CaseSelector // one for a bare default
		Body      *BlockStmt
	}
	// CaseSelector is one value of a case, or `default`.
	CaseSelector struct {
		base
		X Expr // nil for default
	}
	// LoopStmt is `loop {…}`. Body holds everything but the continuing part, whose braces are
	// within Body's.
	LoopStmt struct {
		base
		Attrs      []*Attribute
		Body       *BlockStmt
		Continuing *ContinuingStmt // nil when there is none
	}
	// ContinuingStmt is `continuing {…}`, the end of a loop. A `break if` is the last statement of
	// its Body.
	ContinuingStmt struct {
		base
		Body *BlockStmt
	}
	// ForStmt is `for (init; cond; post) {…}`.
	ForStmt struct {
		base
		Attrs []*Attribute
		Init  Stmt // nil, *DeclStmt, *AssignStmt, *IncDecStmt or *CallStmt
		Cond  Expr // nil when there is none
		Post  Stmt // nil, *AssignStmt, *IncDecStmt or *CallStmt
		Body  *BlockStmt
	}
	// WhileStmt is `while cond {…}`.
	WhileStmt struct {
		base
		Attrs []*Attribute
		Cond  Expr
		Body  *BlockStmt
	}
	// BreakStmt is `break`.
	BreakStmt struct{ base }
	// BreakIfStmt is `break if cond`, at the end of a continuing part.
	BreakIfStmt struct {
		base
		Cond Expr
	}
	// ContinueStmt is `continue`.
	ContinueStmt struct{ base }
	// ReturnStmt is `return` or `return x`.
	ReturnStmt struct {
		base
		X Expr // nil when there is none
	}
	// DiscardStmt is `discard`.
	DiscardStmt struct{ base }
	// EmptyStmt is a lone `;`.
	EmptyStmt struct{ base }
	// BadStmt covers tokens that form no statement; the parser has already reported the mistake.
	BadStmt struct{ base }
)

// Expressions.
type (
	// IdentExpr is a use of a name, with its template arguments if there are any: a value, a type,
	// a called function, or a word such as `read_write`.
	IdentExpr struct {
		base
		Name  *Ident
		Templ *TemplateArgs // nil without <…>
	}
	// TemplateArgs is `<a, b>`.
	TemplateArgs struct {
		base
		Args []Expr
	}
	// Literal is a number or bool. Text is the source text, suffix included.
	Literal struct {
		base
		Kind  LiteralKind
		Text  string
		Int   int64   // value of IntLit, I32Lit, U32Lit; 1 for true
		Float float64 // value of FloatLit, F32Lit, F16Lit, rounded to that type
	}
	// ParenExpr is `(x)`.
	ParenExpr struct {
		base
		X Expr
	}
	// UnaryExpr is a prefix operator and its operand: - ! ~ * &.
	UnaryExpr struct {
		base
		Op    Op
		OpPos Span
		X     Expr
	}
	// BinaryExpr is an operator and its two operands.
	BinaryExpr struct {
		base
		Op    Op
		OpPos Span
		X, Y  Expr
	}
	// CallExpr is `callee(args)`: a function call or a value constructor.
	CallExpr struct {
		base
		Callee *IdentExpr
		Args   []Expr
		Parens Span // from `(` to `)`
	}
	// IndexExpr is `x[index]`.
	IndexExpr struct {
		base
		X, Index Expr
	}
	// MemberExpr is `x.name`: a structure's member or a vector's swizzle.
	MemberExpr struct {
		base
		X    Expr
		Name *Ident // its Name is empty if the word after the dot is still missing
	}
	// BadExpr marks a missing or unreadable expression; the parser has already reported the
	// mistake.
	BadExpr struct{ base }
)

// A LiteralKind is the type that the form of a literal implies (§ 3.5).
type LiteralKind uint8

// The literal kinds.
const (
	BoolLit  LiteralKind = iota // true, false
	IntLit                      // AbstractInt: 1, 0x1
	I32Lit                      // 1i
	U32Lit                      // 1u
	FloatLit                    // AbstractFloat: 1.0, 1e3, 0x1p4
	F32Lit                      // 1f, 1.0f
	F16Lit                      // 1h, 1.0h
)

// An Op is an operator of an expression.
type Op uint8

// The operators; OpNone means a plain assignment.
const (
	OpNone         Op = iota
	OpAdd             // +
	OpSub             // also the prefix operator
	OpMul             // *
	OpDiv             // /
	OpRem             // %
	OpAnd             // &
	OpOr              // |
	OpXor             // ^
	OpShl             // <<
	OpShr             // >>
	OpLogicalAnd      // &&
	OpLogicalOr       // ||
	OpEqual           // ==
	OpNotEqual        // !=
	OpLess            // <
	OpLessEqual       // <=
	OpGreater         // >
	OpGreaterEqual    // >=
	OpNot             // !x
	OpComplement      // ~x
	OpDeref           // *x
	OpAddressOf       // &x
)

var opText = [...]string{
	OpNone: "=", OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpRem: "%", OpAnd: "&", OpOr: "|", OpXor: "^",
	OpShl: "<<", OpShr: ">>", OpLogicalAnd: "&&", OpLogicalOr: "||", OpEqual: "==", OpNotEqual: "!=", OpLess: "<",
	OpLessEqual: "<=", OpGreater: ">", OpGreaterEqual: ">=", OpNot: "!", OpComplement: "~", OpDeref: "*",
	OpAddressOf: "&",
}

// String returns the operator as WGSL writes it.
func (o Op) String() string { return opText[o] }

// Unparen returns the expression inside any parentheses.
func Unparen(x Expr) Expr {
	for {
		p, ok := x.(*ParenExpr)
		if !ok {
			return x
		}
		x = p.X
	}
}

// FindAttribute returns the first attribute with the name, or nil.
func FindAttribute(attrs []*Attribute, name string) *Attribute {
	for _, a := range attrs {
		if a.Name.Name == name {
			return a
		}
	}
	return nil
}

func (*EnableDirective) directive()     {}
func (*RequiresDirective) directive()   {}
func (*DiagnosticDirective) directive() {}

func (*VarDecl) decl()      {}
func (*LetDecl) decl()      {}
func (*ConstDecl) decl()    {}
func (*OverrideDecl) decl() {}
func (*AliasDecl) decl()    {}
func (*StructDecl) decl()   {}
func (*FuncDecl) decl()     {}
func (*ConstAssert) decl()  {}
func (*EmptyDecl) decl()    {}
func (*BadDecl) decl()      {}

func (*BlockStmt) stmt()      {}
func (*DeclStmt) stmt()       {}
func (*AssignStmt) stmt()     {}
func (*IncDecStmt) stmt()     {}
func (*CallStmt) stmt()       {}
func (*IfStmt) stmt()         {}
func (*SwitchStmt) stmt()     {}
func (*LoopStmt) stmt()       {}
func (*ContinuingStmt) stmt() {}
func (*ForStmt) stmt()        {}
func (*WhileStmt) stmt()      {}
func (*BreakStmt) stmt()      {}
func (*BreakIfStmt) stmt()    {}
func (*ContinueStmt) stmt()   {}
func (*ReturnStmt) stmt()     {}
func (*DiscardStmt) stmt()    {}
func (*EmptyStmt) stmt()      {}
func (*BadStmt) stmt()        {}

func (*IdentExpr) expr()  {}
func (*Literal) expr()    {}
func (*ParenExpr) expr()  {}
func (*UnaryExpr) expr()  {}
func (*BinaryExpr) expr() {}
func (*CallExpr) expr()   {}
func (*IndexExpr) expr()  {}
func (*MemberExpr) expr() {}
func (*BadExpr) expr()    {}
