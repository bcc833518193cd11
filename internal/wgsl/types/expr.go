package types

import (
	"math"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// record stores the result for an expression.
func (c *checker) record(x syntax.Expr, e CheckedExpr) *CheckedExpr {
	if len(c.slab) == cap(c.slab) {
		c.slab = make([]CheckedExpr, 0, 64)
	}
	c.slab = append(c.slab, e)
	kept := &c.slab[len(c.slab)-1]
	c.info.Exprs[x] = kept
	return kept
}

// expr checks an expression of any kind. It returns nil after an error, which it has reported.
func (c *checker) expr(x syntax.Expr) *CheckedExpr {
	switch x := x.(type) {
	case *syntax.IdentExpr:
		return c.ident(x)
	case *syntax.Literal:
		return c.literal(x)
	case *syntax.ParenExpr:
		if e := c.expr(x.X); e != nil {
			return c.record(x, *e)
		}
	case *syntax.UnaryExpr:
		return c.unary(x)
	case *syntax.BinaryExpr:
		return c.binary(x)
	case *syntax.CallExpr:
		return c.call(x)
	case *syntax.IndexExpr:
		return c.index(x)
	case *syntax.MemberExpr:
		return c.member(x)
	}
	return nil
}

// value checks an expression that must be a value or a reference. It returns nil after an error.
func (c *checker) value(x syntax.Expr) *CheckedExpr {
	if x == nil {
		return nil
	}
	e := c.expr(x)
	switch {
	case e == nil || e.Mode == ValueMode:
		return e
	case e.Mode == NothingMode:
		c.nothing(syntax.Unparen(x).(*syntax.CallExpr))
	default:
		c.notAValue(x, e)
	}
	return nil
}

// nothing reports a call that returns no value. If the function contains a `return` with a value,
// the error is reported there.
func (c *checker) nothing(call *syntax.CallExpr) {
	name := call.Callee.Name.Name
	d := findings.Errorf("no-value", call.Span(), "`%s` returns nothing, but a value is needed here.", name)
	known := c.info.Calls[call]
	if known == nil {
		return // it has an error
	}
	if known.Function == nil {
		c.report(d)
		return
	}
	returns := false
	syntax.Walk(known.Function.Decl.Body, func(n syntax.Node) bool {
		r, ok := n.(*syntax.ReturnStmt)
		returns = returns || ok && r.X != nil
		return !returns
	}, nil)
	if !returns {
		c.report(d.See(known.Function.Object.Span(), "`%s` is declared here, without `->` and a type.", name))
	}
}

// operand checks a value and loads it if it is a reference.
func (c *checker) operand(x syntax.Expr) *CheckedExpr {
	e := c.value(x)
	if e == nil || !c.load(x, e) {
		return nil
	}
	return e
}

// load applies the load rule (§ 6.5.3).
func (c *checker) load(x syntax.Expr, e *CheckedExpr) bool {
	r := e.Reference()
	if r == nil {
		return true
	}
	if !c.loadable(x, r) {
		return false
	}
	c.as(x, e, r.Elem)
	return true
}

func (c *checker) loadable(x syntax.Expr, r *Reference) bool {
	switch {
	case r.Space == SpaceHandle || Constructible(r.Elem):
		return true
	case HasAtomic(r.Elem):
		d := c.errorf("atomic-access", x, "%s is %s, which only the atomic functions may access.", c.quote(x), r.Elem)
		if _, atomic := r.Elem.(*Atomic); atomic {
			d.Try("Write `atomicLoad(&%s)`.", c.text(x)).
				Replace(x.Span(), "atomicLoad(&"+c.text(x)+")", "write `atomicLoad(&"+c.text(x)+")`")
		}
	default:
		c.errorf("unsized-value", x, "%s is %s, which has no size of its own and cannot be copied as a whole.", c.quote(x), r.Elem).
			Try("Take an element, `%s[i]`, or its address, `&%s`.", c.text(x), c.text(x))
	}
	return false
}

// as records the type that the context requires; parentheses pass it on.
func (c *checker) as(x syntax.Expr, e *CheckedExpr, t Type) {
	e.As = t
	if p, ok := x.(*syntax.ParenExpr); ok {
		if inner := c.info.Exprs[p.X]; inner != nil {
			inner.Value = e.Value
			c.as(p.X, inner, t)
		}
	}
}

// convertTo converts a value to the type that the context requires, by the rules of § 6.1.2. It
// reports an error if there is no such conversion.
func (c *checker) convertTo(x syntax.Expr, e *CheckedExpr, t Type) bool {
	if !c.load(x, e) {
		return false
	}
	if conversionRank(e.Type, t) >= never {
		c.mismatch(x, e, t)
		return false
	}
	return c.converted(x, e, t)
}

// converted performs a conversion that is known to be feasible.
func (c *checker) converted(x syntax.Expr, e *CheckedExpr, t Type) bool {
	if loaded(e.Type) == t {
		return true
	}
	if e.Value.Valid() {
		v, bad := convert(e.Value, t)
		if bad != nil {
			c.fault(x, bad)
			return false
		}
		e.Value = v
	}
	c.as(x, e, t)
	return true
}

// concretize converts a value to the type that it has if the context requires no other (§ 6.1.2).
func (c *checker) concretize(x syntax.Expr, e *CheckedExpr) bool {
	return c.load(x, e) && c.converted(x, e, Concrete(e.ValueType()))
}

func (c *checker) ident(x *syntax.IdentExpr) *CheckedExpr {
	o := c.lookup(x.Name.Name)
	if o == nil {
		c.unknownName(x, asValue)
		return nil
	}
	c.info.Uses[x] = o
	if !c.use(x, o) || !c.available(x, o) {
		return nil
	}
	if o.Kind == GeneratorObject && x.Templ != nil {
		if t := c.generate(x, o.Name); t != nil {
			return c.record(x, CheckedExpr{Mode: TypeMode, Type: t})
		}
		return nil
	}
	if x.Templ != nil && o.Kind != BuiltinObject {
		c.errorf("no-template", x.Templ, "`%s` takes no arguments in angle brackets.", o.Name)
		return nil
	}
	switch o.Kind {
	case GeneratorObject:
		return c.record(x, CheckedExpr{Mode: GeneratorMode})
	case EnumerantObject:
		return c.record(x, CheckedExpr{Mode: EnumerantMode})
	case BuiltinObject, FunctionObject:
		return c.record(x, CheckedExpr{Mode: FunctionMode})
	}
	if o.Type == nil {
		return nil // its declaration has an error
	}
	switch o.Kind {
	case TypeObject, AliasObject, StructObject:
		return c.record(x, CheckedExpr{Mode: TypeMode, Type: o.Type})
	case ConstObject:
		e := CheckedExpr{Type: o.Type}
		if c.unevaluated == 0 {
			e.Value = o.Value
		}
		return c.record(x, e)
	case OverrideObject:
		return c.record(x, CheckedExpr{Type: o.Type, Stage: OverrideStage})
	}
	return c.record(x, CheckedExpr{Type: o.Type, Stage: RuntimeStage})
}

// available reports whether the available features include a predeclared name.
func (c *checker) available(x *syntax.IdentExpr, o *Object) bool {
	switch {
	case o.Ident != nil:
		return true
	case o.Kind == TypeObject && !c.info.Enabled.Has(FeatureF16) && ElemOf(o.Type) == F16:
		c.needs(x, "`"+o.Name+"`", FeatureF16)
		return false
	case o.Kind == BuiltinObject && !c.has(o.Builtin.Needs):
		c.needs(x, "`"+o.Name+"`", o.Builtin.Needs)
		return false
	}
	return true
}

var literalTypes = [...]*Scalar{
	syntax.BoolLit: Bool, syntax.IntLit: AbstractInt, syntax.I32Lit: I32, syntax.U32Lit: U32,
	syntax.FloatLit: AbstractFloat, syntax.F32Lit: F32, syntax.F16Lit: F16,
}

func (c *checker) literal(x *syntax.Literal) *CheckedExpr {
	t := literalTypes[x.Kind]
	if c.unevaluated > 0 {
		return c.record(x, CheckedExpr{Type: t})
	}
	if t.Float() {
		return c.record(x, CheckedExpr{Type: t, Value: FloatValue(t, x.Float)})
	}
	return c.record(x, CheckedExpr{Type: t, Value: IntValue(t, x.Int)})
}

func (c *checker) unary(x *syntax.UnaryExpr) *CheckedExpr {
	switch x.Op {
	case syntax.OpAddressOf:
		return c.addressOf(x)
	case syntax.OpDeref:
		return c.indirection(x)
	}
	e := c.operand(x.X)
	if e == nil {
		return nil
	}
	b := LookupBuiltin(PrefixBuiltin, x.Op.String())
	chosen, ok := b.resolve(nil, []Type{e.ValueType()}, e.Stage == ConstStage)
	if !ok {
		c.badUnary(x, e)
		return nil
	}
	return c.apply(x, b, chosen, []syntax.Expr{x.X}, []*CheckedExpr{e})
}

// apply converts the arguments to the types of the chosen overload and computes the result if it is
// constant.
func (c *checker) apply(x syntax.Expr, b *Builtin, chosen choice, args []syntax.Expr, es []*CheckedExpr) *CheckedExpr {
	result := CheckedExpr{Type: chosen.result}
	if chosen.result == nil {
		result.Mode = NothingMode
	}
	values := make([]Value, len(args))
	known := c.unevaluated == 0
	if !b.Const {
		result.Stage = RuntimeStage
	}
	for i, e := range es {
		if !c.converted(args[i], e, chosen.params[i]) {
			return nil
		}
		result.Stage = max(result.Stage, e.Stage)
		values[i] = e.Value
		known = known && e.Value.Valid()
	}
	if result.Stage == ConstStage && known {
		v, bad := b.eval(values, chosen.result)
		if bad != nil {
			c.fault(x, bad)
			return nil
		}
		result.Value = v
	} else if bad := partialFault(b, values, chosen.params); bad != nil {
		c.fault(x, bad)
		return nil
	}
	return c.record(x, result)
}

func (c *checker) addressOf(x *syntax.UnaryExpr) *CheckedExpr {
	e := c.value(x.X)
	if e == nil {
		return nil
	}
	r := e.Reference()
	switch {
	case r == nil:
		c.errorf("no-address", x, "%s is a value that is not in memory, so it has no address.", c.quote(x.X)).
			Try("`&` goes before the name of a `var`, or a part of one.")
		return nil
	case r.Space == SpaceHandle:
		c.errorf("no-address", x, "A texture or sampler has no address.").Try("Delete the `&`.").
			Replace(x.OpPos, "", "delete the `&`")
		return nil
	case r.Component || r.Swizzle:
		c.errorf("no-address", x, "One component of a vector has no address of its own.").
			Try("Take the address of the whole vector.")
		return nil
	}
	return c.record(x, CheckedExpr{Type: &Pointer{r.Space, r.Elem, r.Access}, Stage: RuntimeStage})
}

func (c *checker) indirection(x *syntax.UnaryExpr) *CheckedExpr {
	e := c.operand(x.X)
	if e == nil {
		return nil
	}
	p, ok := e.ValueType().(*Pointer)
	if !ok {
		if before := x.OpPos.Start - 1; before >= 0 && c.info.File.Source.Text[before] == '*' {
			c.errorf(findings.NoPower, x, "`**` is not a WGSL operator.").Try("Write `pow(x, %s)`, or multiply.", c.short(x.X))
			return nil
		}
		c.errorf("no-pointer", x, "`*` dereferences a pointer, but %s.", c.what(x.X, e)).Try("Delete the `*`.")
		return nil
	}
	return c.record(x, CheckedExpr{Type: &Reference{Space: p.Space, Elem: p.Elem, Access: p.Access}, Stage: RuntimeStage})
}

func (c *checker) binary(x *syntax.BinaryExpr) *CheckedExpr {
	left := c.operand(x.X)
	skip := left != nil && left.Value.Valid() && left.Type == Bool &&
		(x.Op == syntax.OpLogicalAnd && !left.Value.Bool() || x.Op == syntax.OpLogicalOr && left.Value.Bool())
	if skip {
		c.unevaluated++
	}
	right := c.operand(x.Y)
	if skip {
		c.unevaluated--
	}
	if left == nil || right == nil {
		return nil
	}
	b := LookupBuiltin(OperatorBuiltin, x.Op.String())
	constant := left.Stage == ConstStage && right.Stage == ConstStage
	chosen, ok := b.resolve(nil, []Type{left.ValueType(), right.ValueType()}, constant)
	if !ok {
		c.badBinary(x, left, right)
		return nil
	}
	if skip && constant {
		return c.record(x, CheckedExpr{Type: Bool, Value: left.Value})
	}
	return c.apply(x, b, chosen, []syntax.Expr{x.X, x.Y}, []*CheckedExpr{left, right})
}

// base checks the base of an access: a value, a reference, or a pointer. It follows a pointer if
// the language feature pointer_composite_access allows that (§ 8.5).
func (c *checker) base(x syntax.Expr) (e *CheckedExpr, t Type, memory *Reference) {
	e = c.value(x)
	if e == nil {
		return nil, nil, nil
	}
	if r := e.Reference(); r != nil {
		if _, pointer := r.Elem.(*Pointer); !pointer {
			return e, r.Elem, r
		}
	}
	if p, ok := e.Type.(*Pointer); ok {
		if !c.has(FeaturePointerCompositeAccess) {
			c.needs(x, "Accessing memory through a pointer without `*`", FeaturePointerCompositeAccess)
			return nil, nil, nil
		}
		return e, p.Elem, &Reference{Space: p.Space, Elem: p.Elem, Access: p.Access}
	}
	return e, e.Type, nil
}

// part records an access: a reference to a part of memory, or a part of a value.
func (c *checker) part(x syntax.Expr, memory *Reference, elem Type, component bool, stage Stage, v Value) *CheckedExpr {
	if memory != nil {
		return c.record(x, CheckedExpr{
			Type:  &Reference{Space: memory.Space, Elem: elem, Access: memory.Access, Component: component},
			Stage: RuntimeStage,
		})
	}
	return c.record(x, CheckedExpr{Type: elem, Stage: stage, Value: v})
}

func (c *checker) index(x *syntax.IndexExpr) *CheckedExpr {
	e, t, memory := c.base(x.X)
	i := c.operand(x.Index)
	if e == nil || i == nil {
		return nil
	}
	elem, count := indexed(t)
	if elem == nil {
		d := c.errorf("no-index", x, "`[…]` works on an array, vector or matrix, but %s.", c.what(x.X, e))
		if row, ok := x.X.(*syntax.IndexExpr); ok {
			d.Try("`%s` is one long row of numbers: make one index of the two, such as `row * columns + column`.", c.text(row.X))
		}
		return nil
	}
	s, ok := i.ValueType().(*Scalar)
	if !ok || !s.Integer() {
		d := c.errorf("bad-index", x.Index, "An index must be a whole number, i32 or u32, but %s.", c.what(x.Index, i))
		if ok && s.Float() {
			d.Try("Write `u32(%s)`.", c.text(x.Index)).Replace(x.Index.Span(), "u32("+c.text(x.Index)+")", "convert to u32")
		}
		if v, ok := i.ValueType().(*Vector); ok && v.Elem.Integer() {
			d.Try("Compute the index from its components, such as `%s.x`.", c.text(x.Index)).Replace(x.Index.Span().At(), ".x", "write `.x`")
		}
		return nil
	}
	if !c.concretize(x.Index, i) || !c.indexInRange(x, t, i, count) {
		return nil
	}
	if memory == nil && i.Stage != ConstStage && IsAbstract(t) {
		if !c.concretize(x.X, e) {
			return nil
		}
		elem, _ = indexed(e.ValueType())
	}
	var v Value
	if e.Value.Valid() && i.Value.Valid() {
		v = e.Value.At(int(i.Value.Int()))
	}
	_, vector := t.(*Vector)
	return c.part(x, memory, elem, vector, max(e.Stage, i.Stage), v)
}

// indexed returns the type of an indexed part and the number of parts. The type is nil if there are
// no parts, and the count is 0 if it is unknown.
func indexed(t Type) (elem Type, count uint64) {
	switch t := t.(type) {
	case *Vector:
		return t.Elem, uint64(t.Size)
	case *Matrix:
		return t.Column(), uint64(t.Columns)
	case *Array:
		return t.Elem, t.Count
	}
	return nil, 0
}

// indexInRange checks that a known index is within range (§ 8.5.1 to § 8.5.3).
func (c *checker) indexInRange(x *syntax.IndexExpr, t Type, i *CheckedExpr, count uint64) bool {
	if !i.Value.Valid() {
		return true
	}
	if bad := indexFault(i.Value, t, count); bad != nil {
		c.fault(x.Index, bad)
		return false
	}
	return true
}

func indexFault(i Value, t Type, count uint64) *fault {
	switch n := i.Int(); {
	case n < 0:
		return faultf("index-range", "The index %d is below 0.", n).try("The first element has the index 0.")
	case count > 0 && uint64(n) >= count:
		return faultf("index-range", "The index %d is past the end: %s has %s, so the last is %d.", n, t, english.Count(int(min(count, math.MaxInt)), "element", "elements"), count-1)
	}
	return nil
}

func (c *checker) member(x *syntax.MemberExpr) *CheckedExpr {
	e, t, memory := c.base(x.X)
	if e == nil || x.Name.Name == "" {
		return nil
	}
	switch t := t.(type) {
	case *Struct:
		m := t.Member(x.Name.Name)
		if m == nil {
			c.unknownMember(x, t)
			return nil
		}
		var v Value
		if e.Value.Valid() {
			v = e.Value.At(m.Index)
		}
		return c.part(x, memory, m.Type, false, e.Stage, v)
	case *Vector:
		return c.swizzle(x, e, t, memory)
	}
	c.noMembers(x, e, t)
	return nil
}

// swizzle selects components of a vector by letters (§ 8.5.1).
func (c *checker) swizzle(x *syntax.MemberExpr, e *CheckedExpr, t *Vector, memory *Reference) *CheckedExpr {
	indices, ok := swizzleIndices(x.Name.Name)
	if !ok {
		c.badSwizzle(x, t)
		return nil
	}
	for _, i := range indices {
		if i >= t.Size {
			c.errorf("bad-swizzle", x.Name, "`%s` asks for component %d, but %s is %s and has only %d.", x.Name.Name, i+1, c.quote(x.X), t, t.Size)
			return nil
		}
	}
	if len(indices) == 1 {
		var v Value
		if e.Value.Valid() {
			v = e.Value.At(indices[0])
		}
		return c.part(x, memory, t.Elem, true, e.Stage, v)
	}
	result := VectorOf(len(indices), t.Elem)
	if memory != nil {
		if c.has(FeatureSwizzleAssignment) {
			return c.record(x, CheckedExpr{Stage: RuntimeStage, Type: &Reference{
				Space: memory.Space, Elem: result, Access: memory.Access, Swizzle: true,
			}})
		}
		if !memory.Access.Reads() {
			return nil
		}
		if r := e.Reference(); r != nil {
			c.as(x.X, e, r.Elem)
		}
		return c.record(x, CheckedExpr{Type: result, Stage: RuntimeStage})
	}
	r := CheckedExpr{Type: result, Stage: e.Stage}
	if e.Value.Valid() {
		parts := make([]Value, len(indices))
		for j, i := range indices {
			parts[j] = e.Value.At(i)
		}
		r.Value = CompositeValue(result, parts)
	}
	return c.record(x, r)
}

// swizzleIndices returns the components that a swizzle of x, y, z, w or of r, g, b, a names
// (§ 8.5.1).
func swizzleIndices(name string) ([]int, bool) {
	if len(name) > 4 {
		return nil, false
	}
	for _, letters := range []string{"xyzw", "rgba"} {
		indices := make([]int, 0, 4)
		for _, letter := range name {
			for i, l := range letters {
				if l == letter {
					indices = append(indices, i)
				}
			}
		}
		if len(indices) == len(name) {
			return indices, true
		}
	}
	return nil, false
}

// Swizzle returns the indices of the vector components that x selects, counted from 0. It returns
// nil if x selects a structure's member.
func (info *Info) Swizzle(x *syntax.MemberExpr) []int {
	base := info.Exprs[x.X]
	if base == nil {
		return nil
	}
	t := Unref(base.Type)
	if p, ok := t.(*Pointer); ok {
		t = p.Elem
	}
	if _, vector := t.(*Vector); !vector {
		return nil
	}
	indices, _ := swizzleIndices(x.Name.Name)
	return indices
}

// partialFault finds mistakes in the known arguments while others are unknown. A division by 0, a
// shift by too much and so on are errors whatever the other values are (§ 8.7, § 8.9, § 17.5).
func partialFault(b *Builtin, args []Value, params []Type) *fault {
	check := partialChecks[b.Kind][b.Name]
	if check == nil {
		return nil
	}
	s := ElemOf(params[0])
	return eachComponent(args, func(args []Value) *fault { return check(args, s) })
}

type partialCheck func(args []Value, s *Scalar) *fault

var partialChecks = map[BuiltinKind]map[string]partialCheck{
	OperatorBuiltin: {
		"/": zeroDivisor, "%": zeroDivisor, "<<": shiftTooFar, ">>": shiftTooFar,
	},
	FunctionBuiltin: {
		"clamp": func(args []Value, s *Scalar) *fault {
			return ifKnown(func() *fault { _, bad := clamp([]Value{args[1], args[1], args[2]}, s); return bad }, args[1], args[2])
		},
		"smoothstep": func(args []Value, s *Scalar) *fault {
			return ifKnown(func() *fault {
				if args[0].Float() == args[1].Float() {
					return faultf("const-domain", "smoothstep needs two different edges, but both are %s.", args[0])
				}
				return nil
			}, args[0], args[1])
		},
		"extractBits": func(args []Value, _ *Scalar) *fault {
			return ifKnown(func() *fault { return bitRangeFault(args[1], args[2]) }, args[1], args[2])
		},
		"insertBits": func(args []Value, _ *Scalar) *fault {
			return ifKnown(func() *fault { return bitRangeFault(args[2], args[3]) }, args[2], args[3])
		},
		"ldexp": func(args []Value, s *Scalar) *fault {
			return ifKnown(func() *fault { return exponentFault(args[1], s) }, args[1])
		},
		"subgroupShuffle":     laneRange,
		"subgroupShuffleUp":   laneRange,
		"subgroupShuffleDown": laneRange,
		"subgroupShuffleXor":  laneRange,
	},
}

// The possible sizes of subgroups on all devices (WebGPU, GPUAdapterInfo; § 15.5).
const (
	minSubgroup = 4
	maxSubgroup = 128
)

func laneRange(args []Value, _ *Scalar) *fault {
	return ifKnown(func() *fault {
		if n := args[1].Int(); n < 0 || n >= maxSubgroup {
			return faultf("const-range", "%d is not a subgroup invocation: there are at most %d, counted from 0.", n, maxSubgroup)
		}
		return nil
	}, args[1])
}

func ifKnown(check func() *fault, values ...Value) *fault {
	for _, v := range values {
		if !v.Valid() {
			return nil
		}
	}
	return check()
}

func zeroDivisor(args []Value, s *Scalar) *fault {
	if args[1].Valid() && s.Integer() && args[1].Int() == 0 {
		return faultf("const-division-by-zero", "This divides by zero.")
	}
	return nil
}

func shiftTooFar(args []Value, s *Scalar) *fault {
	if !args[1].Valid() {
		return nil
	}
	return shiftFault(uint64(args[1].Int()), s)
}

// eachComponent calls check for each component of the vectors. It repeats scalars and unknown
// values.
func eachComponent(args []Value, check func([]Value) *fault) *fault {
	n := 0
	for _, v := range args {
		if v.Valid() {
			n = max(n, v.Len())
		}
	}
	if n == 0 {
		return check(args)
	}
	row := make([]Value, len(args))
	for i := range n {
		for j, v := range args {
			row[j] = v
			if v.Valid() && v.Len() > 0 {
				row[j] = v.At(i)
			}
		}
		if bad := check(row); bad != nil {
			return bad
		}
	}
	return nil
}
