package types

import (
	"maps"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// flowContext describes what encloses the current statement.
type flowContext struct {
	loop       bool // within a loop, so continue is allowed
	breakable  bool // within a loop or switch
	continuing bool // within a continuing part, which forbids break, continue and return
	inner      bool // within a loop or switch that is itself within the continuing part
	body       *loopBody
}

// loopBody is a loop whose continuing part must not use declarations that a continue skips
// (§ 9.4.8).
type loopBody struct {
	scope     *Scope
	continued []continued
}

// continued is a continue statement and the number of names that the loop's body had declared
// before it.
type continued struct {
	at    *syntax.ContinueStmt
	known int
}

// functionBodies checks every function's body.
func (c *checker) functionBodies() {
	for _, f := range c.info.Functions {
		c.function, c.owner, c.flow = f, f.Object, flowContext{}
		maps.DeleteFunc(c.unknown, func(_ string, means role) bool { return means == asValue })
		c.openScope(f.Decl.Span())
		for _, p := range f.Params {
			if p.Ident != nil && p.Name != "" {
				c.declare(p, f.Decl.Body.Span().Start)
			}
		}
		if f.Decl.Body != nil {
			c.blockFilters(f.Decl.Body.Attrs)
			c.statements(f.Decl.Body.List)
		}
		c.closeScope()
		c.localSize(f)
	}
	c.function, c.owner = nil, nil
}

// localSize reports variables that no implementation accepts. The rules of package analysis check
// the 8192 bytes that every implementation must accept.
func (c *checker) localSize(f *Function) {
	for _, v := range f.Locals {
		if v.Type != nil && SizeOf(v.Store()) > maxVariableBytes {
			c.errorf("too-large", v.Ident, "`%s` needs %d bytes, more than any device has for it.", v.Name, SizeOf(v.Store()))
		}
	}
}

// maxVariableBytes is larger than the size of a function's variable that any implementation
// accepts.
const maxVariableBytes = 1 << 31

func (c *checker) statements(list []syntax.Stmt) {
	for _, s := range list {
		c.statement(s)
	}
}

func (c *checker) block(b *syntax.BlockStmt) {
	if b == nil {
		return
	}
	c.blockFilters(b.Attrs)
	c.openScope(b.Span())
	c.statements(b.List)
	c.closeScope()
}

func (c *checker) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.BlockStmt:
		c.block(s)
	case *syntax.DeclStmt:
		c.localDecl(s.Decl)
	case *syntax.AssignStmt:
		c.assign(s)
	case *syntax.IncDecStmt:
		c.incDec(s)
	case *syntax.CallStmt:
		c.callStmt(s)
	case *syntax.IfStmt:
		c.ifStmt(s)
	case *syntax.SwitchStmt:
		c.switchStmt(s)
	case *syntax.LoopStmt:
		c.loop(s)
	case *syntax.ForStmt:
		c.forLoop(s)
	case *syntax.WhileStmt:
		c.blockFilters(s.Attrs)
		c.condition(s.Cond, "while")
		c.within(flowContext{loop: true, breakable: true, inner: true}, func() { c.block(s.Body) })
	case *syntax.BreakStmt:
		c.breakStmt(s)
	case *syntax.BreakIfStmt:
		c.condition(s.Cond, "break if")
	case *syntax.ContinueStmt:
		c.continueStmt(s)
	case *syntax.ReturnStmt:
		c.returnStmt(s)
	case *syntax.DiscardStmt:
		c.stageNeed(s, "`discard`", 1<<FragmentStage)
	}
}

// within runs f in a flow context. Inside a continuing part, the new context is in it as well.
func (c *checker) within(flow flowContext, f func()) {
	outer := c.flow
	flow.continuing = flow.continuing || outer.continuing
	c.flow = flow
	f()
	c.flow = outer
}

func (c *checker) condition(x syntax.Expr, keyword string) {
	if x == nil {
		return
	}
	e := c.operand(x)
	if e == nil || e.ValueType() == Bool {
		return
	}
	d := c.errorf("condition", x, "The condition of `%s` must be a bool, but %s.", keyword, c.what(x, e))
	if s, ok := e.ValueType().(*Scalar); ok && s.Integer() {
		d.Try("Write `%s != 0`.", c.text(x))
	}
	if v, ok := e.ValueType().(*Vector); ok && v.Elem == Bool {
		d.Try("Write `all(%s)` or `any(%s)`.", c.text(x), c.text(x))
	}
}

// localDecl checks a declaration in a function; its name is in scope from the declaration's end on
// (§ 5).
func (c *checker) localDecl(decl syntax.Decl) {
	switch d := decl.(type) {
	case *syntax.VarDecl:
		c.local(VarObject, d.Name, d, func(o *Object) { c.localVar(o, d) })
	case *syntax.LetDecl:
		c.local(LetObject, d.Name, d, func(o *Object) { c.let(o, d) })
	case *syntax.ConstDecl:
		c.local(ConstObject, d.Name, d, func(o *Object) { c.constDecl(o, d) })
	case *syntax.ConstAssert:
		c.constAssert(d)
	}
}

func (c *checker) local(kind ObjectKind, name *syntax.Ident, decl syntax.Node, understand func(*Object)) {
	o := &Object{Kind: kind, Name: nameOf(name), Ident: name, Decl: decl, state: resolved}
	understand(o)
	if o.Name == "" {
		return
	}
	c.declare(o, decl.Span().End)
}

func (c *checker) let(o *Object, d *syntax.LetDecl) {
	t, e := c.initializer(d.Type, d.Init)
	if t == nil {
		return
	}
	if e != nil && !c.concretize(d.Init, e) {
		return
	}
	t = Concrete(t)
	switch t.(type) {
	case *Pointer:
	case *Texture, *Sampler:
		if !c.has(FeatureTextureAndSamplerLet) {
			c.needs(d.Init, "A `let` that holds a texture or sampler", FeatureTextureAndSamplerLet)
			return
		}
	default:
		if !c.storedValue(d.Init, t, "let") {
			return
		}
	}
	o.Type = t
}

func nameOf(name *syntax.Ident) string {
	if name == nil {
		return ""
	}
	return name.Name
}

func (c *checker) localVar(o *Object, d *syntax.VarDecl) {
	c.attributes(d.Attrs, "a variable in a function")
	ok := c.localSpace(d)
	if d.Type == nil && d.Init == nil {
		c.errorf("missing-type", d.Name, "`%s` has neither a type nor a value.", o.Name).
			Try("Write its type, as in `var %s: f32;`, or the value that it begins with after a `=`.", o.Name)
		return
	}
	t, e := c.initializer(d.Type, d.Init)
	if t == nil || !ok {
		return
	}
	at := syntax.Node(d.Name)
	if d.Type != nil {
		at = d.Type
	}
	if e != nil {
		if !c.concretize(d.Init, e) {
			return
		}
		t = Concrete(t)
	}
	if why := unfit(t, SpaceFunction, ReadWrite); why != "" {
		c.errorf("bad-store-type", at, "A variable in a function cannot hold %s: %s.", t, why)
		return
	}
	o.Type = &Reference{Space: SpaceFunction, Elem: t, Access: ReadWrite}
	c.function.Locals = append(c.function.Locals, o)
}

// localSpace checks that a variable in a function is in function memory: `<function>` is optional.
func (c *checker) localSpace(d *syntax.VarDecl) bool {
	if d.Templ == nil {
		return true
	}
	args := d.Templ.Args
	if len(args) == 0 || len(args) > 2 {
		c.errorf("template-count", d.Templ, "`var` takes one address space in angle brackets here.")
		return false
	}
	space := spaceNamed(c.enumerant(args[0], "address space"))
	switch {
	case space == SpaceFunction:
		_, ok := c.accessMode(args[1:], space)
		return ok
	case space == NoSpace:
		c.notASpace(args[0])
	default:
		c.errorf("bad-space", args[0], "`%s` is in %s memory, so declare it outside of the function.", d.Name.Name, space)
	}
	return false
}

// assign checks an assignment (§ 9.2).
func (c *checker) assign(s *syntax.AssignStmt) {
	if s.LHS == nil {
		c.phony(s)
		return
	}
	left := c.value(s.LHS)
	if left == nil || !c.assignable(s.LHS, left, s.Op != syntax.OpNone) {
		if left != nil && isAtomic(left) {
			c.atomicInstead(s, left)
		}
		c.quietly(func() { c.operand(s.RHS) })
		return
	}
	right := c.operand(s.RHS)
	if right == nil {
		return
	}
	target := left.Reference().Elem
	if s.Op == syntax.OpNone {
		if conversionRank(right.ValueType(), target) >= never {
			d := c.mismatch(s.RHS, right, target)
			if !c.targetFromLiteral(d, s, right) {
				d.See(s.LHS.Span(), "%s is %s.", english.Capital(c.quote(s.LHS)), target)
			}
			return
		}
		c.converted(s.RHS, right, target)
		return
	}
	c.compound(s, left, right, target)
}

// compound checks a compound assignment: `a += b` means `a = a + b` with a evaluated once.
func (c *checker) compound(s *syntax.AssignStmt, left, right *CheckedExpr, target Type) {
	b := LookupBuiltin(OperatorBuiltin, s.Op.String())
	chosen, ok := b.resolve(nil, []Type{target, right.ValueType()}, false)
	if !ok || !Identical(chosen.result, target) {
		c.badCompound(s, left, right, target)
		return
	}
	if !c.converted(s.RHS, right, chosen.params[1]) {
		return
	}
	if bad := partialFault(b, []Value{{}, right.Value}, chosen.params); bad != nil {
		c.fault(s, bad)
	}
}

// phony checks `_ = value` (§ 9.2.2). Nothing stores the value, so an abstract one is not converted
// and may be larger than any concrete type holds.
func (c *checker) phony(s *syntax.AssignStmt) {
	e := c.operand(s.RHS)
	if e == nil {
		return
	}
	t := e.ValueType()
	switch t.(type) {
	case *Pointer, *Texture, *Sampler:
	default:
		if !Constructible(t) {
			c.errorf("not-constructible", s.RHS, "`_ =` cannot take %s.", t)
		}
	}
}

// assignable reports whether an expression can be assigned to, and reports an error if not.
func (c *checker) assignable(x syntax.Expr, e *CheckedExpr, reads bool) bool {
	r := e.Reference()
	switch {
	case r == nil:
		c.notAssignable(x, e)
	case r.Space == SpaceHandle:
		c.errorf("not-assignable", x, "A texture or sampler cannot be assigned to.").Try("Write texels with `textureStore`.")
	case !r.Access.Writes():
		c.readOnly(x, r)
	case reads && !r.Access.Reads():
		c.errorf("not-assignable", x, "%s cannot be read here.", english.Capital(c.quote(x)))
	case HasAtomic(r.Elem):
		c.atomicAssignment(x, r)
	case !Constructible(r.Elem):
		c.errorf("array-as-value", x, "%s is %s and cannot be assigned as a whole.", english.Capital(c.quote(x)), r.Elem).
			Try("Say which element: `%s[i] = …`.", c.short(x))
	case r.Swizzle && repeated(x):
		c.errorf("bad-swizzle", x, "A component is named twice here, so it would get two values.")
	default:
		return true
	}
	return false
}

// isAtomic reports whether an expression refers to an atomic.
func isAtomic(e *CheckedExpr) bool {
	r := e.Reference()
	if r == nil {
		return false
	}
	_, ok := r.Elem.(*Atomic)
	return ok
}

func repeated(x syntax.Expr) bool {
	m, ok := syntax.Unparen(x).(*syntax.MemberExpr)
	if !ok {
		return false
	}
	seen := map[rune]bool{}
	for _, letter := range m.Name.Name {
		if seen[letter] {
			return true
		}
		seen[letter] = true
	}
	return false
}

func (c *checker) incDec(s *syntax.IncDecStmt) {
	e := c.value(s.X)
	if e == nil || !c.assignable(s.X, e, true) {
		if e != nil && isAtomic(e) {
			op := syntax.OpAdd
			if s.Dec {
				op = syntax.OpSub
			}
			c.atomicChange(s, s.X, op, "1", true)
		}
		return
	}
	t := e.Reference().Elem
	if t != I32 && t != U32 {
		d := c.errorf("type-mismatch", s.X, "`++` and `--` work on i32 and u32, but %s is %s.", c.quote(s.X), t)
		if scalar, ok := t.(*Scalar); ok && scalar.Float() {
			op, sign := "+=", "++"
			if s.Dec {
				op, sign = "-=", "--"
			}
			d.Try("Write `%s %s 1`.", c.short(s.X), op)
			after := syntax.Span{Start: s.X.Span().End, End: s.Span().End}
			if i := strings.Index(c.info.File.Source.Slice(after), sign); i >= 0 {
				at := after.Start + int32(i)
				d.Replace(syntax.Span{Start: at, End: at + 2}, " "+op+" 1", "write `"+op+" 1`")
			}
		}
	}
}

func (c *checker) callStmt(s *syntax.CallStmt) {
	e := c.expr(s.Call)
	if e == nil {
		return
	}
	call := c.info.Calls[s.Call]
	if call == nil {
		return // it has an error
	}
	unused := call.Kind == ConstructCall || call.Builtin != nil && call.Builtin.MustUse ||
		call.Function != nil && call.Function.MustUse
	if !unused {
		return
	}
	name := s.Call.Callee.Name.Name
	d := c.errorf("unused-result", s.Call, "The result of `%s` is not used, and the call does nothing else.", name).
		Try("Assign it, or write `_ = %s(…);` if it is really not needed.", name)
	if call.Function != nil {
		d.See(call.Function.Object.Span(), "`%s` is `@must_use`.", name)
	}
}

func (c *checker) ifStmt(s *syntax.IfStmt) {
	for s != nil {
		c.blockFilters(s.Attrs)
		c.condition(s.Cond, "if")
		c.block(s.Then)
		switch other := s.Else.(type) {
		case *syntax.IfStmt:
			s = other
		case *syntax.BlockStmt:
			c.block(other)
			s = nil
		default:
			s = nil
		}
	}
}

// maxSelectors is the maximum number of values in all cases of a switch together; every
// implementation accepts 1023 (§ 2.4).
const maxSelectors = 16383

func (c *checker) switchStmt(s *syntax.SwitchStmt) {
	c.blockFilters(s.Attrs)
	c.blockFilters(s.BodyAttrs)
	selector := c.operand(s.X)
	var xs []syntax.Expr
	var es []*CheckedExpr
	if selector != nil {
		xs, es = append(xs, s.X), append(es, selector)
	}
	var fallback *syntax.CaseSelector
	count := 0
	for _, clause := range s.Cases {
		for _, sel := range clause.Selectors {
			count++
			switch {
			case sel.X != nil:
				if e := c.operand(sel.X); e != nil && c.caseConstant(sel.X, e) {
					xs, es = append(xs, sel.X), append(es, e)
				}
			case fallback != nil:
				c.errorf("duplicate-default", sel, "A `switch` can have only one `default`, and this is the second.").See(fallback.Span(), "The first is here.")
			default:
				fallback = sel
			}
		}
	}
	if fallback == nil {
		c.errorf("missing-default", s, "This `switch` has no `default`.").Try("Add `default: {}` as its last case.").Span = headOf(s)
	}
	if count > maxSelectors {
		c.errorf("too-many", s, "A `switch` can have at most %d cases, but this one has %d.", maxSelectors, count).Span = headOf(s)
	}
	if selector != nil {
		c.caseTypes(xs, es)
	}
	c.within(flowContext{loop: c.flow.loop, breakable: true, inner: true, body: c.flow.body}, func() {
		for _, clause := range s.Cases {
			c.block(clause.Body)
		}
	})
}

// headOf returns the head of a switch: from its start to the end of its selector.
func headOf(s *syntax.SwitchStmt) syntax.Span {
	span := s.Span()
	if s.X != nil {
		span.End = s.X.Span().End
	}
	return span
}

func (c *checker) caseConstant(x syntax.Expr, e *CheckedExpr) bool {
	if e.Stage != ConstStage {
		c.errorf("not-constant", x, "A case must be a constant, but %s is only known later.", c.quote(x)).
			Try("Use `if` and `else if` to compare with values that change.")
		return false
	}
	return true
}

// caseTypes checks that the selector and all cases have one type, i32 or u32 (§ 9.4.2).
func (c *checker) caseTypes(xs []syntax.Expr, es []*CheckedExpr) {
	target := Type(nil)
	for i, e := range es {
		t, ok := e.ValueType().(*Scalar)
		if !ok || !t.Integer() {
			c.errorf("type-mismatch", xs[i], "A `switch` compares whole numbers, but %s.", c.what(xs[i], e))
			return
		}
		if target == nil && !t.Abstract() {
			target = t
		}
	}
	if target == nil {
		target = I32
	}
	seen := make(map[int64]syntax.Expr, len(es))
	for i, e := range es {
		if !c.convertTo(xs[i], e, target) || i == 0 || !e.Value.Valid() {
			continue
		}
		if first := seen[e.Value.Int()]; first != nil {
			c.errorf("duplicate-case", xs[i], "The case %s appears here a second time.", strconv.FormatInt(e.Value.Int(), 10)).See(first.Span(), "The first is here.")
			continue
		}
		seen[e.Value.Int()] = xs[i]
	}
}

// loop checks a loop; the continuing part sees the names that the body declares (§ 9.4.3).
func (c *checker) loop(s *syntax.LoopStmt) {
	c.blockFilters(s.Attrs)
	if s.Body == nil {
		return
	}
	c.blockFilters(s.Body.Attrs)
	c.openScope(s.Body.Span())
	body := &loopBody{scope: c.scope}
	c.within(flowContext{loop: true, breakable: true, inner: true, body: body}, func() { c.statements(s.Body.List) })
	if s.Continuing != nil && s.Continuing.Body != nil {
		c.within(flowContext{continuing: true, breakable: false}, func() { c.block(s.Continuing.Body) })
		c.skippedNames(s.Continuing, body)
	}
	c.closeScope()
}

// skippedNames reports names in the continuing part whose declarations a continue skips (§ 9.4.8).
func (c *checker) skippedNames(continuing *syntax.ContinuingStmt, body *loopBody) {
	if len(body.continued) == 0 {
		return
	}
	skipped := map[*Object]*syntax.ContinueStmt{}
	for _, jump := range body.continued {
		for _, o := range body.scope.Objects[jump.known:] {
			skipped[o] = jump.at
		}
	}
	for x := range syntax.All[*syntax.IdentExpr](continuing) {
		if o := c.info.Uses[x]; o != nil && skipped[o] != nil {
			c.errorf("skipped-declaration", x, "`%s` may not exist here: a `continue` jumps over its declaration.", o.Name).
				See(skipped[o].Span(), "This `continue` comes before the declaration.").
				See(o.Span(), "`%s` is declared here.", o.Name).
				Try("Declare `%s` before the `continue`.", o.Name)
			delete(skipped, o)
		}
	}
}

// forLoop checks a for loop. The names of the head and of the body go out of scope together, but
// the body's braces are their own scope (§ 9.4.4).
func (c *checker) forLoop(s *syntax.ForStmt) {
	c.blockFilters(s.Attrs)
	c.openScope(s.Span())
	if s.Init != nil {
		c.statement(s.Init)
	}
	c.condition(s.Cond, "for")
	if s.Post != nil {
		c.statement(s.Post)
	}
	c.within(flowContext{loop: true, breakable: true, inner: true}, func() { c.block(s.Body) })
	c.closeScope()
}

func (c *checker) breakStmt(s *syntax.BreakStmt) {
	switch {
	case c.flow.breakable:
	case c.flow.continuing:
		c.errorf("misplaced-break", s, "`break` is not allowed in `continuing`.").Try("Write `break if condition;` as its last line.")
	default:
		c.errorf("misplaced-break", s, "`break` leaves a loop or a `switch`, but there is none around it.")
	}
}

func (c *checker) continueStmt(s *syntax.ContinueStmt) {
	switch {
	case c.flow.loop:
		if b := c.flow.body; b != nil {
			b.continued = append(b.continued, continued{s, len(b.scope.Objects)})
		}
	case c.flow.continuing:
		c.errorf("misplaced-continue", s, "`continue` is not allowed in `continuing`: it would jump to where it is.")
	default:
		c.errorf("misplaced-continue", s, "`continue` starts a loop's next round, but there is no loop around it.")
	}
}

func (c *checker) returnStmt(s *syntax.ReturnStmt) {
	f := c.function
	if c.flow.continuing {
		c.errorf("misplaced-return", s, "`return` is not allowed in `continuing`.")
	}
	if s.X == nil {
		if f.Decl.Result != nil {
			c.errorf("missing-result", s, "`%s` returns %s, but this `return` has no value.", f.Object.Name, c.text(f.Decl.Result)).
				See(f.Decl.Result.Span(), "This is what it returns.")
		}
		return
	}
	if f.Decl.Result == nil {
		c.unexpectedResult(s)
		return
	}
	e := c.operand(s.X)
	switch {
	case e == nil || f.Result == nil:
	case conversionRank(e.ValueType(), f.Result) >= never:
		c.mismatch(s.X, e, f.Result).See(f.Decl.Result.Span(), "`%s` returns %s.", f.Object.Name, f.Result)
	default:
		c.converted(s.X, e, f.Result)
	}
}

// unexpectedResult reports a value that a function without a result returns. A value on the next
// line is probably a statement of its own.
func (c *checker) unexpectedResult(s *syntax.ReturnStmt) {
	f := c.function
	if c.line(s) < c.line(s.X) {
		c.quietly(func() { c.operand(s.X) })
		after := s.Span().Start + int32(len("return"))
		c.errorf("unexpected-result", s.X, "`%s` declares no return type, but line %d is the value of this `return`.", f.Object.Name, c.line(s.X)).
			Try("Write `;` after `return`.").Replace(syntax.Span{Start: after, End: after}, ";", "write `;`")
		return
	}
	e := c.operand(s.X)
	d := c.errorf("unexpected-result", s.X, "`%s` declares no return type, but this `return` has a value.", f.Object.Name)
	if e != nil && f.Entry == nil {
		t := Concrete(e.ValueType())
		at := f.Decl.Body.Open
		d.Try("Write `-> %s` before the `{` of the function.", t).
			Replace(syntax.Span{Start: at.Start, End: at.Start}, "-> "+t.String()+" ", "write `-> "+t.String()+"`")
	}
}
