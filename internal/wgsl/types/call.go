package types

import (
	"slices"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// call checks a function call or value constructor (§ 8.10, § 17.1).
func (c *checker) call(x *syntax.CallExpr) *CheckedExpr {
	o := c.lookup(x.Callee.Name.Name)
	if o == nil {
		c.unknownCallee(x)
		for _, arg := range x.Args {
			c.value(arg)
		}
		return nil
	}
	switch o.Kind {
	case BuiltinObject:
		return c.builtinCall(x, o)
	case FunctionObject:
		return c.userCall(x, o)
	case TypeObject, AliasObject, StructObject, GeneratorObject:
		return c.construct(x, o)
	}
	c.info.Uses[x.Callee] = o
	c.use(x.Callee, o)
	c.errorf("not-callable", x.Callee, "`%s` is a %s and cannot be called.", o.Name, o.Kind).
		See(o.Span(), "`%s` is declared here.", o.Name)
	return nil
}

// arguments checks the arguments; ok is false if one of them has an error.
func (c *checker) arguments(args []syntax.Expr) (es []*CheckedExpr, ok bool) {
	es, ok = make([]*CheckedExpr, len(args)), true
	for i, x := range args {
		es[i] = c.operand(x)
		ok = ok && es[i] != nil
	}
	return es, ok
}

func typesOf(es []*CheckedExpr) []Type {
	types := make([]Type, len(es))
	for i, e := range es {
		types[i] = e.ValueType()
	}
	return types
}

func constant(es []*CheckedExpr) bool {
	return !slices.ContainsFunc(es, func(e *CheckedExpr) bool { return e.Stage != ConstStage })
}

func (c *checker) userCall(x *syntax.CallExpr, o *Object) *CheckedExpr {
	callee := c.ident(x.Callee)
	es, ok := c.arguments(x.Args)
	if callee == nil || o.function == nil {
		return nil
	}
	f := o.function
	if c.function == nil {
		c.errorf("runtime-call", x, "`%s` is called when the shader runs, but a value is needed here before that.", o.Name)
		return nil
	}
	if f.Entry != nil {
		c.errorf("entry-call", x.Callee, "`%s` is an entry point: only the host starts it.", o.Name).
			See(o.Span(), "`%s` is declared here.", o.Name).
			Try("Move the shared code into its own function.")
		return nil
	}
	c.function.Calls = append(c.function.Calls, CallSite{f, x})
	if len(es) != len(f.Params) {
		c.argumentCount(x, o.Name, len(f.Params), len(es)).See(o.Span(), "`%s` is declared here.", o.Name)
		return nil
	}
	call := &Call{Kind: UserCall, Function: f, Type: f.Result, Params: make([]Type, len(es))}
	for i, p := range f.Params {
		if es[i] == nil || p.Type == nil {
			ok = false
			continue
		}
		call.Params[i] = p.Type
		if !c.passArgument(x.Args[i], es[i], p, o) {
			ok = false
		}
	}
	if ok {
		c.info.Calls[x] = call
	}
	if f.Result == nil {
		if f.Decl.Result != nil || !ok {
			return nil
		}
		return c.record(x, CheckedExpr{Mode: NothingMode, Stage: RuntimeStage})
	}
	return c.record(x, CheckedExpr{Type: f.Result, Stage: RuntimeStage})
}

// passArgument converts an argument to its parameter's type and checks the rules for pointers
// (§ 11.4).
func (c *checker) passArgument(x syntax.Expr, e *CheckedExpr, p *Object, callee *Object) bool {
	smaller := shrinks(e.ValueType(), p.Type)
	if !smaller && conversionRank(e.ValueType(), p.Type) >= never {
		c.mismatch(x, e, p.Type).See(p.Span(), "`%s` needs %s for `%s`.", callee.Name, p.Type, p.Name)
		return false
	}
	if _, pointer := p.Type.(*Pointer); pointer && !c.has(FeatureUnrestrictedPointers) && !c.wholeVariable(x) {
		c.errorf("pointer-argument", x, "%s points into a variable, but a function may only take the address of a whole variable.", c.quote(x)).
			Try("Pass the address of the variable, and the index as another argument.")
		return false
	}
	return c.converted(x, e, p.Type)
}

// wholeVariable reports whether a pointer is the address of a whole variable. It follows lets
// (§ 4.1.2, unrestricted_pointer_parameters).
func (c *checker) wholeVariable(x syntax.Expr) bool {
	for {
		switch e := x.(type) {
		case *syntax.ParenExpr:
			x = e.X
		case *syntax.UnaryExpr:
			x = e.X
		case *syntax.IdentExpr:
			o := c.info.Uses[e]
			let, ok := o.Decl.(*syntax.LetDecl)
			if !ok {
				return true
			}
			x = let.Init
		default:
			return false
		}
	}
}

func (c *checker) argumentCount(x *syntax.CallExpr, name string, want, got int) *findings.Finding {
	d := c.errorf("argument-count", x, "`%s` takes %s, not %d.", name, english.Count(want, "argument", "arguments"), got)
	d.Span = x.Parens
	return d
}

func (c *checker) builtinCall(x *syntax.CallExpr, o *Object) *CheckedExpr {
	c.info.Uses[x.Callee] = o
	b := o.Builtin
	ok := c.available(x.Callee, o)
	explicit, fine := c.templateTypes(x.Callee)
	if !c.pointerArgument(x, b) {
		return nil
	}
	es, right := c.arguments(x.Args)
	if !ok || !fine || !right {
		return nil
	}
	chosen, ok := b.resolve(explicit, typesOf(es), constant(es))
	if !ok {
		c.badCall(x, b, explicit, es)
		return nil
	}
	if !c.builtinRules(x, b, chosen, es) {
		return nil
	}
	c.builtinStages(x, b)
	c.info.Calls[x] = &Call{
		Kind: BuiltinCall, Builtin: b, Overload: chosen.overload, Params: chosen.params, Type: chosen.result,
	}
	return c.apply(x, b, chosen, x.Args, es)
}

// pointerArgument reports a variable passed in the place of its address, a common mistake.
func (c *checker) pointerArgument(x *syntax.CallExpr, b *Builtin) bool {
	if len(x.Args) == 0 || !wantsPointer(b) {
		return true
	}
	e := c.value(x.Args[0])
	if e == nil {
		return false
	}
	if e.Reference() == nil {
		return true
	}
	text := c.short(x.Args[0])
	start := x.Args[0].Span().Start
	c.errorf("address-needed", x.Args[0], "`%s` takes the address of a variable, but %s.", b.Name, c.what(x.Args[0], e)).
		Try("Write `&%s`.", text).
		Replace(syntax.Span{Start: start, End: start}, "&", "write `&"+text+"`")
	return false
}

// builtinStages records the stages that a builtin function requires.
func (c *checker) builtinStages(x *syntax.CallExpr, b *Builtin) {
	var stages uint8
	switch {
	case b.Compute || b.Fragment:
		if b.Compute {
			stages |= 1 << ComputeStage
		}
		if b.Fragment {
			stages |= 1 << FragmentStage
		}
	case b.NoVertex:
		stages = 1<<ComputeStage | 1<<FragmentStage
	default:
		return
	}
	c.stageNeed(x, "`"+b.Name+"`", stages)
}

func (c *checker) templateTypes(callee *syntax.IdentExpr) ([]Type, bool) {
	if callee.Templ == nil {
		return nil, true
	}
	list, ok := make([]Type, len(callee.Templ.Args)), true
	for i, x := range callee.Templ.Args {
		list[i] = c.typeExpr(x)
		ok = ok && list[i] != nil
	}
	return list, ok
}

// builtinRules checks what the specification requires of single functions beyond their types.
func (c *checker) builtinRules(x *syntax.CallExpr, b *Builtin, chosen choice, es []*CheckedExpr) bool {
	switch b.Name {
	case "subgroupBroadcast":
		return c.constantIn(x.Args[1], es[1], 0, maxSubgroup-1, "The invocation to broadcast from")
	case "quadBroadcast":
		return c.constantIn(x.Args[1], es[1], 0, 3, "The invocation to broadcast from")
	case "workgroupUniformLoad":
		t := chosen.result
		if chosen.overload.varNames == nil && !Constructible(t) {
			c.errorf("bad-argument", x.Args[0], "`workgroupUniformLoad` cannot load %s as a whole: %s.", t, unconstructible(t))
			return false
		}
	case "arrayLength":
		return true
	case "bufferView", "bufferArrayView":
		return c.viewRules(x, b.Name == "bufferArrayView", chosen, es)
	}
	ok := true
	for i, name := range chosen.overload.Names {
		switch {
		case name == "offset" && len(b.Name) > 7 && b.Name[:7] == "texture":
			ok = ok && c.constantIn(x.Args[i], es[i], -8, 7, "A texture offset")
		case name == "component" && b.Name == "textureGather":
			ok = ok && c.constantIn(x.Args[i], es[i], 0, 3, "The component to gather")
		}
	}
	return ok
}

// constantIn checks that an argument is a constant within a range, which some functions require
// (§ 17.7, § 17.12).
func (c *checker) constantIn(x syntax.Expr, e *CheckedExpr, low, high int64, what string) bool {
	if e.Stage != ConstStage {
		c.errorf("not-constant", x, "%s must be a constant.", what).Try("Write a number or the name of a `const`.")
		return false
	}
	bad := e.Value.Valid() && eachComponent([]Value{e.Value}, func(v []Value) *fault {
		if n := v[0].Int(); n < low || n > high {
			return faultf("const-range", "%s is %d to %d, not %d.", what, low, high, n)
		}
		return nil
	}) != nil
	if bad {
		c.errorf("const-range", x, "%s is %d to %d, not %s.", what, low, high, e.Value)
	}
	return !bad
}

// construct checks T(…): a zero value, a value from its parts, or a conversion (§ 17.1).
func (c *checker) construct(x *syntax.CallExpr, o *Object) *CheckedExpr {
	callee := c.expr(x.Callee)
	es, ok := c.arguments(x.Args)
	if callee == nil || !ok {
		return nil
	}
	if callee.Mode == GeneratorMode {
		return c.constructInferred(x, o.Name, es)
	}
	t := callee.Type
	if !Constructible(t) {
		c.errorf("not-constructible", x, "There are no values of type %s.", t)
		return nil
	}
	if len(es) == 0 {
		c.info.Calls[x] = &Call{Kind: ConstructCall, Type: t}
		return c.record(x, c.constantOf(t, ZeroValue(t)))
	}
	switch t := t.(type) {
	case *Array:
		return c.constructArray(x, t, es)
	case *Struct:
		return c.constructStruct(x, t, es)
	case *Scalar:
		return c.constructBuiltin(x, t.String(), nil, es)
	case *Vector:
		return c.constructBuiltin(x, vectorNames[t.Size], []Type{t.Elem}, es)
	case *Matrix:
		return c.constructBuiltin(x, matrixNames[t.Columns][t.Rows], []Type{t.Elem}, es)
	}
	return nil
}

var (
	vectorNames = [5]string{2: "vec2", 3: "vec3", 4: "vec4"}
	matrixNames = [5][5]string{
		2: {2: "mat2x2", 3: "mat2x3", 4: "mat2x4"},
		3: {2: "mat3x2", 3: "mat3x3", 4: "mat3x4"},
		4: {2: "mat4x2", 3: "mat4x3", 4: "mat4x4"},
	}
)

func (c *checker) constantOf(t Type, v Value) CheckedExpr {
	if c.unevaluated > 0 {
		v = Value{}
	}
	return CheckedExpr{Type: t, Value: v}
}

func (c *checker) constructBuiltin(x *syntax.CallExpr, name string, explicit []Type, es []*CheckedExpr) *CheckedExpr {
	b := LookupBuiltin(ConstructorBuiltin, name)
	chosen, ok := b.resolve(explicit, typesOf(es), constant(es))
	if !ok {
		c.badConstructor(x, b, explicit, es)
		return nil
	}
	c.info.Calls[x] = &Call{
		Kind: ConstructCall, Builtin: b, Overload: chosen.overload, Params: chosen.params, Type: chosen.result,
	}
	return c.apply(x, b, chosen, x.Args, es)
}

// constructInferred makes a vector, matrix or array whose element type follows from the arguments.
func (c *checker) constructInferred(x *syntax.CallExpr, name string, es []*CheckedExpr) *CheckedExpr {
	switch {
	case name == "array":
		return c.inferArray(x, es)
	case name[:3] == "vec" || name[:3] == "mat":
		return c.constructBuiltin(x, name, nil, es)
	}
	c.errorf("not-constructible", x, "There are no values of type `%s`.", name)
	return nil
}

func (c *checker) inferArray(x *syntax.CallExpr, es []*CheckedExpr) *CheckedExpr {
	if len(es) == 0 {
		c.errorf("array-length", x, "`array()` gives neither the element type nor the length.").
			Try("Write, for example, `array<f32, 4>()`.")
		return nil
	}
	elem := commonType(typesOf(es))
	if elem == nil {
		c.errorf("mixed-elements", x, "The elements of this array have different types: %s.", c.listTypes(es)).
			Try("Convert them to one type, or say which: `array<f32, %d>(…)`.", len(es))
		return nil
	}
	if !Constructible(elem) {
		c.errorf("bad-element", x, "An array cannot hold %s.", elem)
		return nil
	}
	return c.constructArray(x, &Array{Elem: elem, Count: uint64(len(es))}, es)
}

// commonType returns the type to which all the others convert, or nil.
func commonType(types []Type) Type {
	best := types[0]
	for _, t := range types[1:] {
		if conversionRank(t, best) < never {
			continue
		}
		best = t
	}
	for _, t := range types {
		if conversionRank(t, best) >= never {
			return nil
		}
	}
	return best
}

func (c *checker) constructArray(x *syntax.CallExpr, t *Array, es []*CheckedExpr) *CheckedExpr {
	if uint64(len(es)) != t.Count {
		c.errorf("element-count", x, "%s has %s, not %d.", t, english.Count(int(t.Count), "element", "elements"), len(es)).Span = x.Parens
		return nil
	}
	params := make([]Type, len(es))
	for i := range params {
		params[i] = t.Elem
	}
	return c.constructParts(x, t, params, es)
}

func (c *checker) constructStruct(x *syntax.CallExpr, t *Struct, es []*CheckedExpr) *CheckedExpr {
	if len(es) != len(t.Members) {
		c.errorf("element-count", x, "%s has %s, not %d.", t, english.Count(len(t.Members), "member", "members"), len(es)).Span = x.Parens
		return nil
	}
	params := make([]Type, len(es))
	for i, m := range t.Members {
		params[i] = m.Type
	}
	return c.constructParts(x, t, params, es)
}

func (c *checker) constructParts(x *syntax.CallExpr, t Type, params []Type, es []*CheckedExpr) *CheckedExpr {
	result := CheckedExpr{Type: t}
	parts := make([]Value, len(es))
	known := c.unevaluated == 0
	for i, e := range es {
		if !c.convertTo(x.Args[i], e, params[i]) {
			return nil
		}
		result.Stage = max(result.Stage, e.Stage)
		parts[i] = e.Value
		known = known && e.Value.Valid()
	}
	if result.Stage == ConstStage && known {
		result.Value = CompositeValue(t, parts)
		if result.Value.weight() > maxConstant {
			c.errorf("too-large", x, "This constant has more than %d numbers.", maxConstant)
			return nil
		}
	}
	c.info.Calls[x] = &Call{Kind: ConstructCall, Params: params, Type: t}
	return c.record(x, result)
}
