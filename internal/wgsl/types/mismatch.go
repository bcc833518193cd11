package types

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// mismatch reports a value of the wrong type.
func (c *checker) mismatch(x syntax.Expr, e *CheckedExpr, want Type) *findings.Finding {
	d := c.errorf("type-mismatch", x, "%s, but %s is needed here.", english.Capital(c.what(x, e)), noun(want))
	have := e.ValueType()
	if from, to := ElemOf(have), ElemOf(want); from != nil && to != nil && sameShape(have, want) {
		c.conversionHint(d, x, e, want)
		return d
	}
	switch w, vector := want.(*Vector); {
	case vector && isScalar(have) && conversionRank(have, w.Elem) < never:
		d.Try("Write `%s(%s)` for the same number in every component.", want, c.short(x)).
			Replace(x.Span(), want.String()+"("+c.text(x)+")", "write `"+want.String()+"(…)`")
	case isScalar(want) && isVector(have) && ElemOf(have) == want:
		d.Try("Take one component: `%s.x`.", c.short(x))
	case isPointer(want) && !isPointer(have) && e.Reference() == nil && isVariable(x):
		d.Try("Write `&%s`.", c.short(x))
	case isPointer(want) && e.Type != nil && e.Reference() != nil && Identical(e.Reference().Elem, want.(*Pointer).Elem):
		d.Try("Write `&%s`, its address.", c.short(x)).Replace(syntax.Span{Start: x.Span().Start, End: x.Span().Start}, "&", "write `&`")
	case isPointer(have) && Identical(have.(*Pointer).Elem, want):
		d.Try("Write `*%s`, what it points to.", c.short(x)).Replace(syntax.Span{Start: x.Span().Start, End: x.Span().Start}, "*", "write `*`")
	}
	return d
}

func isScalar(t Type) bool {
	_, ok := t.(*Scalar)
	return ok
}

func isVector(t Type) bool {
	_, ok := t.(*Vector)
	return ok
}

func isVariable(x syntax.Expr) bool {
	_, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	return ok
}

func sameShape(a, b Type) bool {
	return Identical(withElem(a, F32), withElem(b, F32)) && isShaped(a) && isShaped(b)
}

func isShaped(t Type) bool {
	switch t.(type) {
	case *Scalar, *Vector:
		return true
	}
	return false
}

// fromLiteral blames the declaration of a variable whose type comes from its initial literal: `var
// i = 0` is an i32, but `0u` was meant. The message says what it clashes with. A literal with a
// point or a suffix is left alone: it shows which type was meant. fromLiteral reports whether it
// found one, and reports each declaration once.
func (c *checker) fromLiteral(d *findings.Finding, x syntax.Expr, want Type, clash string) bool {
	o, lit := c.literalOf(x)
	if lit == nil {
		return false
	}
	meant, ok := withSuffix(lit, Concrete(want))
	if !ok || meant == lit.Text || Concrete(want) == U32 && c.goesNegative(o) {
		return false
	}
	d.Message = fmt.Sprintf("`%s` became an i32 on line %d, but %s.", o.Name, c.line(lit), clash)
	d.See(lit.Span(), "`%s` makes `%s` an i32.", lit.Text, o.Name)
	d.Fixes = nil
	d.Try("Start it at `%s`.", meant).Replace(lit.Span(), meant, "write `"+meant+"`")
	if o.bad {
		c.withdraw(d)
	}
	o.bad = true
	return true
}

// goesNegative reports whether a variable counts down, or is compared with a negative number. Then
// it has to be an i32.
func (c *checker) goesNegative(o *Object) (negative bool) {
	is := func(x syntax.Expr) bool {
		ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
		return ok && c.info.Uses[ident] == o || ok && ident.Name.Name == o.Name && c.info.Uses[ident] == nil // not read yet
	}
	syntax.Walk(c.function.Decl.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.IncDecStmt:
			negative = negative || n.Dec && is(n.X)
		case *syntax.AssignStmt:
			negative = negative || n.Op == syntax.OpSub && is(n.LHS)
		case *syntax.BinaryExpr:
			minus, ok := n.Y.(*syntax.UnaryExpr)
			negative = negative || is(n.X) && ok && minus.Op == syntax.OpSub
		}
		return true
	}, nil)
	return negative
}

// literalOf returns the variable that an expression names and the whole number that alone gives it
// its type, or nil.
func (c *checker) literalOf(x syntax.Expr) (*Object, *syntax.Literal) {
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok {
		return nil, nil
	}
	o := c.info.Uses[ident]
	typ, init := declared(o)
	lit, ok := init.(*syntax.Literal)
	if !ok || typ != nil || lit.Kind != syntax.IntLit {
		return nil, nil
	}
	return o, lit
}

// declared returns the type and initialiser in the declaration of a let or var in a function.
func declared(o *Object) (typ, init syntax.Expr) {
	if o == nil {
		return nil, nil
	}
	switch d := o.Decl.(type) {
	case *syntax.LetDecl:
		return d.Type, d.Init
	case *syntax.VarDecl:
		return d.Type, d.Init
	}
	return nil, nil
}

// withdraw removes the latest diagnostic if it only repeats an earlier one.
func (c *checker) withdraw(d *findings.Finding) {
	if n := len(c.diagnostics); n > 0 && c.diagnostics[n-1] == d {
		c.diagnostics = c.diagnostics[:n-1]
	}
}

// conversionHint adds a hint on how to convert: WGSL never converts between concrete types by
// itself.
func (c *checker) conversionHint(d *findings.Finding, x syntax.Expr, e *CheckedExpr, want Type) {
	if c.suffixed(d, x, want, "") {
		return
	}
	if ElemOf(want) == Bool {
		if _, scalar := want.(*Scalar); scalar {
			d.Try("Compare it: `%s != 0`.", c.text(x))
		}
		return
	}
	d.Message = strings.TrimSuffix(d.Message, ".") + ": WGSL never converts between them by itself."
	if c.fromLiteral(d, x, want, noun(want)+" is needed here") || c.shiftedLiteral(d, x, want) {
		return
	}
	c.convert(d, x, want)
}

// shiftedLiteral suggests a suffix for the literal that a shift gives its type: 1u << b for 1 << b.
func (c *checker) shiftedLiteral(d *findings.Finding, x syntax.Expr, want Type) bool {
	shift, ok := shiftOfLiteral(x, want)
	return ok && c.suffixed(d, shift.X, want, c.text(shift)[len(c.text(shift.X)):])
}

// shiftOfLiteral returns the shift of a literal that could have the required type.
func shiftOfLiteral(x syntax.Expr, want Type) (*syntax.BinaryExpr, bool) {
	shift, ok := syntax.Unparen(x).(*syntax.BinaryExpr)
	if !ok || shift.Op != syntax.OpShl && shift.Op != syntax.OpShr {
		return nil, false
	}
	_, ok = withSuffix(shift.X, want)
	return shift, ok
}

// suffixed suggests a literal of the required type, shown with the code after it.
func (c *checker) suffixed(d *findings.Finding, x syntax.Expr, want Type, after string) bool {
	text, ok := withSuffix(x, want)
	if ok {
		d.Try("Write `%s`.", text+after).Replace(x.Span(), text, "write `"+text+"`")
	}
	return ok
}

// withSuffix rewrites a literal for the required type: 1u for 1i, 2 for 2.0.
func withSuffix(x syntax.Expr, want Type) (string, bool) {
	lit, ok := syntax.Unparen(x).(*syntax.Literal)
	if !ok || strings.HasPrefix(lit.Text, "0x") {
		return "", false
	}
	digits := strings.TrimRight(lit.Text, "iufh")
	switch want {
	case U32, I32:
		if whole, ok := strings.CutSuffix(digits, ".0"); ok {
			digits = whole
		}
		if strings.ContainsAny(digits, ".eE") {
			return "", false
		}
		if want == U32 {
			return digits + "u", true
		}
		return digits, true
	case F32:
		if lit.Kind == syntax.BoolLit {
			return "", false
		}
		if !strings.ContainsAny(digits, ".eE") {
			digits += ".0"
		}
		return digits, true
	}
	return "", false
}

func (c *checker) badUnary(x *syntax.UnaryExpr, e *CheckedExpr) {
	d := c.errorf("bad-operand", x, "`%s` does not go with %s: %s.", x.Op, noun(e.ValueType()), c.what(x.X, e))
	s := ElemOf(e.ValueType())
	switch {
	case x.Op == syntax.OpSub && s == U32:
		d.Message = fmt.Sprintf("%s, and a u32 has no sign.", english.Capital(c.what(x.X, e)))
		d.Try("Use an i32: `-i32(%s)`.", c.short(x.X))
	case x.Op == syntax.OpNot && s != nil && s.Integer():
		d.Try("To flip the bits write `~%s`; to compare, `%s == 0`.", c.short(x.X), c.short(x.X))
	case x.Op == syntax.OpComplement && s == Bool:
		d.Try("Write `!%s`.", c.short(x.X)).Replace(x.OpPos, "!", "write `!`")
	}
}

// badBinary reports operands that do not fit together.
func (c *checker) badBinary(x *syntax.BinaryExpr, left, right *CheckedExpr) {
	a, b := left.ValueType(), right.ValueType()
	d := c.errorf("bad-operands", x, "%s and %s: `%s` does not go with these two.", english.Capital(c.what(x.X, left)), c.what(x.Y, right), x.Op)
	sa, sb := ElemOf(a), ElemOf(b)
	_, va := a.(*Vector)
	_, vb := b.(*Vector)
	switch {
	case x.Op == syntax.OpXor && (isFloat(sa) || isFloat(sb)):
		c.xorForPower(d, x.X, x.Y, x.Span())
	case (x.Op == syntax.OpLogicalAnd || x.Op == syntax.OpLogicalOr) && sa == Bool && sb == Bool:
		op := x.Op.String()[:1]
		d.Message = fmt.Sprintf("`%s` takes two bools, but these are vectors of bools.", x.Op)
		d.Try("Write `%s`, which works component by component; or `all(…)` and `any(…)` to turn each into one bool.", op).
			Replace(x.OpPos, op, "write `"+op+"`")
	case (x.Op == syntax.OpShl || x.Op == syntax.OpShr) && sa != nil && sa.Integer() && sb != nil:
		d.Message = fmt.Sprintf("%s shifts by a u32, but %s.", english.Capital("`"+x.Op.String()+"`"), c.what(x.Y, right))
		if va == vb && isShaped(b) {
			want := withElem(b, U32)
			d.Try("Write `%s(%s)`.", want, c.short(x.Y)).Replace(x.Y.Span(), want.String()+"("+c.text(x.Y)+")", "convert to u32")
		} else if va {
			d.Try("A vector is shifted by a vector: `vec%du(%s)`.", a.(*Vector).Size, c.short(x.Y))
		}
	case sa != nil && sb != nil && sa != sb && sa != Bool && sb != Bool && isShaped(a) && isShaped(b):
		c.mixedOperands(d, x, left, right)
	case va && b == sb && sa == sb:
		c.oneOf(d, x.Op, x.X, left)
	case vb && a == sa && sa == sb:
		c.oneOf(d, x.Op, x.Y, right)
	case va && vb && sa == sb:
		d.Message = fmt.Sprintf("%s and %s: vectors must have the same size.", english.Capital(c.what(x.X, left)), c.what(x.Y, right))
	case sa == Bool && sb == Bool && x.Op != syntax.OpEqual && x.Op != syntax.OpNotEqual:
		d.Message = fmt.Sprintf("`%s` works on numbers, but these are bools.", x.Op)
	}
}

func isFloat(s *Scalar) bool { return s != nil && s.Float() }

// xorForPower explains `^` between floats: a power was surely meant.
func (c *checker) xorForPower(d *findings.Finding, base, exponent syntax.Expr, whole syntax.Span) {
	d.Kind = findings.NoPower
	d.Message = "`^` is xor in WGSL, not a power: it compares two whole numbers bit by bit."
	write := fmt.Sprintf("pow(%s, %s)", c.text(base), c.text(exponent))
	if literal, ok := syntax.Unparen(exponent).(*syntax.Literal); ok {
		if power, ok := syntax.Power(c.text(base), base, literal); ok {
			write = power
		}
	}
	d.Try("For a power, write `%s`.", c.brief(write, "pow(…, …)")).Replace(whole, write, "write `"+write+"`")
}

// oneOf explains an operator between a vector and a single number, such as a comparison.
func (c *checker) oneOf(d *findings.Finding, op syntax.Op, vector syntax.Expr, e *CheckedExpr) {
	d.Message = fmt.Sprintf("%s, so it has %d numbers, and the other side of `%s` is one number.", english.Capital(c.what(vector, e)), e.ValueType().(*Vector).Size, op)
	d.Try("Take one of them: `%s.x`.", c.text(vector)).Replace(vector.Span().At(), ".x", "write `.x`")
}

// mixedOperands explains mixed operands: i32 and u32, or u32 and a float.
func (c *checker) mixedOperands(d *findings.Finding, x *syntax.BinaryExpr, left, right *CheckedExpr) {
	a, b := left.ValueType(), right.ValueType()
	d.Message = fmt.Sprintf("%s and %s: WGSL never converts between them by itself.", english.Capital(c.what(x.X, left)), c.what(x.Y, right))
	if c.fromLiteral(d, x.X, b, c.what(x.Y, right)) || c.fromLiteral(d, x.Y, a, c.what(x.X, left)) {
		return
	}
	if compares(x.Op) && (c.floatLiteral(d, x.X, b) || c.floatLiteral(d, x.Y, a)) {
		return
	}
	if c.shiftedLiteral(d, x.X, b) || c.shiftedLiteral(d, x.Y, a) {
		return
	}
	if !isLiteral(x.X) && !isLiteral(x.Y) {
		switch [2]*Scalar{ElemOf(a), ElemOf(b)} {
		case [2]*Scalar{U32, I32}:
			c.oneSign(d, x.X, a, x.Y, b)
			return
		case [2]*Scalar{I32, U32}:
			c.oneSign(d, x.Y, b, x.X, a)
			return
		}
	}
	change, other, want := x.Y, right, withElem(b, ElemOf(a))
	if ElemOf(b).Float() && !ElemOf(a).Float() || ElemOf(a).Abstract() {
		concrete := Concrete(b)
		change, other, want = x.X, left, withElem(a, ElemOf(concrete))
	}
	if ElemOf(want).Abstract() {
		want = Concrete(want)
	}
	if other.Type == other.ValueType() && fits(other, want) && c.suffixed(d, change, want, "") {
		return
	}
	c.convert(d, change, want)
}

// convert suggests a conversion. Of a quotient it converts the operands first: f32(7 / 255) is 0.
func (c *checker) convert(d *findings.Finding, x syntax.Expr, want Type) {
	bare := syntax.Unparen(x)
	whole := c.brief(want.String()+"("+c.text(bare)+")", want.String()+"(…)")
	quotient, ok := bare.(*syntax.BinaryExpr)
	if !ok || quotient.Op != syntax.OpDiv || !ElemOf(want).Float() {
		d.Try("Write `%s`.", whole).Replace(x.Span(), want.String()+"("+c.text(bare)+")", "write `"+want.String()+"(…)`")
		return
	}
	by, ok := withSuffix(quotient.Y, want)
	if !ok {
		by = fmt.Sprintf("%s(%s)", want, c.text(syntax.Unparen(quotient.Y)))
	}
	exact := fmt.Sprintf("%s(%s) / %s", want, c.text(syntax.Unparen(quotient.X)), by)
	write := exact
	if bare != x {
		write = "(" + exact + ")"
	}
	d.Try("Write `%s`, or `%s` for a quotient without its fraction.", exact, whole).Replace(x.Span(), write, "convert before the division")
}

// oneSign suggests i32 where a u32 and an i32 meet, because only an i32 can be negative. The other
// way round is the second choice: the result may have to be a u32.
func (c *checker) oneSign(d *findings.Finding, unsigned syntax.Expr, u Type, signed syntax.Expr, i Type) {
	for _, choice := range []struct {
		operand syntax.Expr
		want    Type
	}{{unsigned, withElem(u, I32)}, {signed, withElem(i, U32)}} {
		hint := fmt.Sprintf("Write `%s(%s)`.", choice.want, c.short(choice.operand))
		d.Else(choice.operand.Span(), choice.want.String()+"("+c.text(choice.operand)+")", "write `"+choice.want.String()+"(…)`", hint)
	}
	d.Hint = d.Fixes[0].Hint
	c.signedTarget(d, unsigned)
}

func compares(op syntax.Op) bool {
	switch op {
	case syntax.OpEqual, syntax.OpNotEqual, syntax.OpLess, syntax.OpLessEqual, syntax.OpGreater, syntax.OpGreaterEqual:
		return true
	}
	return false
}

func isLiteral(x syntax.Expr) bool {
	_, ok := syntax.Unparen(x).(*syntax.Literal)
	return ok
}

// floatLiteral suggests a whole number in the place of a literal such as 0.0 that is compared with
// one.
func (c *checker) floatLiteral(d *findings.Finding, x syntax.Expr, other Type) bool {
	lit, ok := syntax.Unparen(x).(*syntax.Literal)
	s, scalar := other.(*Scalar)
	if !ok || !scalar || !s.Integer() || s.Abstract() || lit.Kind != syntax.FloatLit {
		return false
	}
	whole, ok := withSuffix(lit, s)
	if !ok {
		return false
	}
	d.Try("Write `%s`.", whole).Replace(x.Span(), whole, "write `"+whole+"`")
	return true
}

// fits reports whether a literal keeps its value in the type.
func fits(e *CheckedExpr, want Type) bool {
	s, ok := want.(*Scalar)
	if !ok || !e.Value.Valid() {
		return false
	}
	n := e.Value.number()
	return !s.Integer() || n == float64(int64(n))
}

func (c *checker) badCompound(s *syntax.AssignStmt, left, right *CheckedExpr, target Type) {
	d := c.errorf("bad-operands", s, "%s is %s and %s: `%s=` does not go with these two.", english.Capital(c.quote(s.LHS)), noun(target), c.what(s.RHS, right), s.Op)
	from, to := ElemOf(right.ValueType()), ElemOf(target)
	if s.Op == syntax.OpXor && isFloat(to) {
		text := c.text(s.LHS)
		c.xorForPower(d, s.LHS, s.RHS, s.RHS.Span())
		d.Hint, d.Fixes = fmt.Sprintf("For a power, multiply: `%s *= %s`.", text, text), nil
		return
	}
	if from != nil && to != nil && from != to && sameShape(right.ValueType(), target) {
		want := target
		if s.Op == syntax.OpShl || s.Op == syntax.OpShr {
			want = withElem(target, U32)
		} else if c.targetFromLiteral(d, s, right) {
			return
		}
		c.conversionHint(d, s.RHS, right, want)
		if _, literal := shiftOfLiteral(s.RHS, want); to == U32 && from == I32 && !literal {
			c.signedTarget(d, s.LHS)
		}
	}
}

// signedTarget suggests to declare a variable as i32 if an i32 is added to it. This comes before a
// conversion to u32, which can't hold a negative number.
func (c *checker) signedTarget(d *findings.Finding, target syntax.Expr) {
	ident, ok := syntax.Unparen(target).(*syntax.IdentExpr)
	if !ok {
		return
	}
	o := c.info.Uses[ident]
	if o == nil || o.Kind != VarObject {
		return
	}
	typ, init := declared(o)
	fix := findings.Fix{Title: "make `" + o.Name + "` an i32"}
	if typ != nil {
		fix.Edits = append(fix.Edits, findings.Edit{Span: typ.Span(), New: "i32"})
	}
	if lit, ok := init.(*syntax.Literal); ok && lit.Kind == syntax.U32Lit {
		fix.Edits = append(fix.Edits, findings.Edit{Span: lit.Span(), New: strings.TrimSuffix(lit.Text, "u")})
	}
	if len(fix.Edits) == 0 {
		return
	}
	fix.Hint = fmt.Sprintf("Make `%s` an i32 on line %d: a u32 can't be negative.", o.Name, c.line(o.Ident))
	for i := range d.Fixes {
		if d.Fixes[i].Hint == "" {
			d.Fixes[i].Hint = d.Hint
		}
	}
	d.Hint, d.Fixes = fix.Hint, append([]findings.Fix{fix}, d.Fixes...)
}

// targetFromLiteral blames the declaration of the variable that an assignment writes, unless the
// value has its type from a literal too.
func (c *checker) targetFromLiteral(d *findings.Finding, s *syntax.AssignStmt, right *CheckedExpr) bool {
	if _, lit := c.literalOf(s.RHS); lit != nil || !c.fromLiteral(d, s.LHS, right.ValueType(), c.what(s.RHS, right)) {
		return false
	}
	d.Span = s.RHS.Span()
	return true
}

// badCall reports arguments that fit no overload of a builtin function.
func (c *checker) badCall(x *syntax.CallExpr, b *Builtin, explicit []Type, es []*CheckedExpr) {
	counts := map[int]bool{}
	for _, o := range b.Overloads() {
		counts[len(o.params)] = true
	}
	if !counts[len(es)] {
		wanted := make([]string, 0, len(counts))
		for n := range 20 {
			if counts[n] {
				wanted = append(wanted, fmt.Sprint(n))
			}
		}
		d := c.errorf("argument-count", x, "`%s` takes %s, not %d.", b.Name, argumentsText(wanted), len(es))
		d.Span = x.Parens
		d.Hint = b.usage(b.Overloads()[0])
		return
	}
	if len(explicit) == 0 && b.Overloads()[0].explicit != nil && !b.Overloads()[0].optional {
		c.errorf("missing-template", x.Callee, "`%s` needs the type in angle brackets.", b.Name).Try("Write, for example, `%s<u32>(…)`.", b.Name)
		return
	}
	d := c.errorf("bad-arguments", x, "`%s` cannot take %s.", b.Name, c.listAll(es))
	o := overloadWith(b, len(es))
	d.Hint = b.usage(o)
	if !c.wrongArgument(d, x, o, es) {
		c.mixedArguments(d, x, es)
	}
}

// usage shows how to call a builtin and says what it does.
func (b *Builtin) usage(o *Overload) string {
	return fmt.Sprintf("`%s(%s)`: %s", b.Name, strings.Join(o.Names, ", "), b.Doc)
}

// wrongArgument blames the one argument with numbers of a kind that the builtin never accepts:
// sqrt(i) with an integer i.
func (c *checker) wrongArgument(d *findings.Finding, x *syntax.CallExpr, o *Overload, es []*CheckedExpr) bool {
	culprit := -1
	for i, e := range es {
		s, set := ElemOf(e.ValueType()), o.params[i].scalars(o)
		if s == nil || set == 0 || convertible[s.Kind]&set != 0 {
			continue
		}
		if culprit >= 0 {
			return false
		}
		culprit = i
	}
	if culprit < 0 {
		return false
	}
	e, arg, set := es[culprit], x.Args[culprit], o.params[culprit].scalars(o)
	d.Span = arg.Span()
	d.Message = fmt.Sprintf("`%s` takes %s for `%s`, but %s.", o.Builtin.Name, setNoun(set), o.Names[culprit], c.what(arg, e))
	if !isShaped(e.ValueType()) || ElemOf(e.ValueType()) == Bool || set == 1<<BoolKind {
		return true
	}
	for _, s := range []*Scalar{F32, U32, I32} {
		if set&(1<<s.Kind) != 0 {
			want := withElem(e.ValueType(), s)
			c.convert(d, arg, want)
			break
		}
	}
	return true
}

// scalars returns the set of numbers or bools that a pattern accepts; 0 if it accepts others, or
// none.
func (p *pattern) scalars(o *Overload) scalarSet {
	switch p.kind {
	case scalarPattern:
		return o.vars[p.index]
	case vectorPattern, matrixPattern:
		return p.elem.scalars(o)
	case fixedPattern:
		if s, ok := p.typ.(*Scalar); ok {
			return 1 << s.Kind
		}
	}
	return 0
}

// setNoun returns a set of scalars in words.
func setNoun(set scalarSet) string {
	switch concrete := set &^ abstractSet; concrete {
	case setOf(Bool):
		return "bools"
	case setOf(F32, F16):
		return "floats"
	case setOf(I32, U32):
		return "whole numbers (i32 or u32)"
	case setOf(I32), setOf(U32), setOf(F32), setOf(F16):
		for _, s := range scalars {
			if concrete == 1<<s.Kind {
				return s.String()
			}
		}
	case setOf(I32, F32, F16):
		return "numbers with a sign"
	}
	return "numbers"
}

func argumentsText(counts []string) string {
	text := strings.Join(counts, " or ")
	if text == "1" {
		return "1 argument"
	}
	if text == "0" {
		return "no arguments"
	}
	return text + " arguments"
}

// listAll lists the arguments' types in order.
func (c *checker) listAll(es []*CheckedExpr) string {
	names := make([]string, len(es))
	for i, e := range es {
		names[i] = noun(e.ValueType())
	}
	if len(names) == 0 {
		return "no arguments"
	}
	return english.List(names)
}

// overloadWith returns the first overload with the given number of parameters.
func overloadWith(b *Builtin, params int) *Overload {
	for _, o := range b.Overloads() {
		if len(o.params) == params {
			return o
		}
	}
	return b.Overloads()[0]
}

func wantsPointer(b *Builtin) bool {
	o := b.Overloads()[0]
	return len(o.params) > 0 && o.params[0].kind == pointerPattern
}

// mixedArguments explains arguments of mixed types, such as max(i, 1.5) with an integer i.
func (c *checker) mixedArguments(d *findings.Finding, x *syntax.CallExpr, es []*CheckedExpr) {
	for i, e := range es {
		for j, other := range es[:i] {
			a, b := ElemOf(other.ValueType()), ElemOf(e.ValueType())
			if a == nil || b == nil || a == b || a == Bool || b == Bool || a.Abstract() && b.Abstract() ||
				!sameShape(other.ValueType(), e.ValueType()) {
				continue
			}
			if rankOf(a, b) < never || rankOf(b, a) < never {
				continue
			}
			d.Message = fmt.Sprintf("%s and %s: WGSL never converts between them by itself.", english.Capital(c.what(x.Args[j], other)), c.what(x.Args[i], e))
			if c.fromLiteral(d, x.Args[j], e.ValueType(), c.what(x.Args[i], e)) || c.fromLiteral(d, x.Args[i], other.ValueType(), c.what(x.Args[j], other)) {
				return
			}
			want := Concrete(other.ValueType())
			change := x.Args[i]
			if b.Float() && !a.Float() {
				want, change = Concrete(e.ValueType()), x.Args[j]
			}
			if !c.suffixed(d, x.Args[i], Concrete(other.ValueType()), "") && !c.suffixed(d, x.Args[j], Concrete(e.ValueType()), "") {
				c.convert(d, change, want)
			}
			return
		}
	}
}

func (c *checker) badConstructor(x *syntax.CallExpr, b *Builtin, explicit []Type, es []*CheckedExpr) {
	name := c.text(x.Callee)
	d := c.errorf("bad-arguments", x, "`%s` cannot be made from %s.", name, c.listAll(es))
	want := 0
	switch {
	case strings.HasPrefix(b.Name, "vec"):
		want = int(b.Name[3] - '0')
	case strings.HasPrefix(b.Name, "mat"):
		want = int(b.Name[3]-'0') * int(b.Name[5]-'0')
	default:
		d.Try("`%s(…)` takes one number or bool.", name)
		if s := scalarNamed(b.Name); len(es) == 1 && isVector(es[0].ValueType()) && s != nil {
			d.Try("Take one component, `%s.x`, or convert all of them: `%s(%s)`.", c.short(x.Args[0]), withElem(es[0].ValueType(), s), c.short(x.Args[0]))
		}
		return
	}
	have, whole := 0, true
	for _, e := range es {
		switch t := e.ValueType().(type) {
		case *Scalar:
			have++
		case *Vector:
			have += t.Size
		default:
			whole = false
		}
	}
	switch {
	case whole && have != want:
		d.Try("It has %d components, but these are %d.", want, have)
	case len(explicit) > 0:
		d.Try("Convert the parts to %s first.", explicit[0])
		c.wrongPart(d, x, explicit[0].(*Scalar), es)
	default:
		d.Try("All parts must have the same type.")
	}
}

// wrongPart blames the one part of a vector or matrix that has another type.
func (c *checker) wrongPart(d *findings.Finding, x *syntax.CallExpr, elem *Scalar, es []*CheckedExpr) {
	culprit := -1
	for i, e := range es {
		if s := ElemOf(e.ValueType()); s != nil && convertible[s.Kind]&(1<<elem.Kind) == 0 {
			if culprit >= 0 {
				return
			}
			culprit = i
		}
	}
	if culprit < 0 || !isShaped(es[culprit].ValueType()) {
		return
	}
	arg := x.Args[culprit]
	want := withElem(es[culprit].ValueType(), elem)
	d.Span = arg.Span()
	d.Message = fmt.Sprintf("`%s` is made of %s, but %s.", c.text(x.Callee), elem, c.what(arg, es[culprit]))
	c.convert(d, arg, want)
}

func scalarNamed(name string) *Scalar {
	for _, s := range scalars {
		if s.String() == name {
			return s
		}
	}
	return nil
}
