package types

import (
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// initializer checks a declaration's initialiser and explicit type. The returned type is nil after
// an error. It is still abstract if nothing requires a concrete one.
func (c *checker) initializer(typ, init syntax.Expr) (t Type, e *CheckedExpr) {
	if typ != nil {
		if t = c.typeExpr(typ); t == nil {
			c.value(init)
			return nil, nil
		}
	}
	if init == nil {
		return t, nil
	}
	e = c.operand(init)
	switch {
	case e == nil:
		if t == nil || IsAbstract(t) {
			return nil, nil
		}
		return t, nil // use the known type, so that one mistake gives one message
	case t == nil:
		return e.ValueType(), e
	case conversionRank(e.ValueType(), t) >= never:
		c.mismatch(init, e, t).See(typ.Span(), "The declaration asks for %s.", t)
		return t, nil
	case !c.converted(init, e, t):
		return t, nil
	}
	return t, e
}

// constDecl checks a const at module scope or in a function (§ 7.2.1).
func (c *checker) constDecl(o *Object, d *syntax.ConstDecl) {
	c.attributes(d.Attrs, "a const")
	t, e := c.initializer(d.Type, d.Init)
	if t == nil || !c.storedValue(d.Init, t, "const") {
		return
	}
	if e == nil {
		return
	}
	if e.Stage != ConstStage {
		c.tooLate(d.Init, o.Name, "const", "let")
		return
	}
	o.Type, o.Value = t, e.Value
}

// storedValue checks that the type of a const, let or override is constructible (§ 7.2).
func (c *checker) storedValue(at syntax.Node, t Type, keyword string) bool {
	if Constructible(t) || IsAbstract(t) {
		return true
	}
	c.errorf("bad-store-type", at, "A `%s` cannot hold %s.", keyword, t)
	return false
}

// tooLate reports a constant whose value is not known before the shader runs.
func (c *checker) tooLate(at syntax.Expr, name, keyword, instead string) {
	c.errorf("not-constant", at, "`%s` is a `%s`, so its value must be known before the shader runs, and %s is not.", name, keyword, c.quote(at)).
		Try("Use `%s` instead.", instead)
}

// overrideDecl checks an override (§ 7.2.2).
func (c *checker) overrideDecl(o *Object, d *syntax.OverrideDecl) {
	c.attributes(d.Attrs, "an override", "id")
	c.overrideID(o, d)
	c.info.Overrides = append(c.info.Overrides, o)
	if d.Type == nil && d.Init == nil {
		c.errorf("missing-type", d.Name, "`%s` has neither a type nor a value.", o.Name).
			Try("Write its type: `override %s: f32;`.", o.Name)
		return
	}
	t, e := c.initializer(d.Type, d.Init)
	if t == nil {
		return
	}
	s, ok := t.(*Scalar)
	if !ok {
		c.errorf("bad-store-type", d.Name, "An override must be a single number or bool, but `%s` is %s.", o.Name, t)
		return
	}
	if e != nil {
		if e.Stage == RuntimeStage {
			c.tooLate(d.Init, o.Name, "override", "var<private>")
			return
		}
		if s.Abstract() && !c.concretize(d.Init, e) {
			return
		}
	}
	o.Type = Concrete(t)
}

func (c *checker) overrideID(o *Object, d *syntax.OverrideDecl) {
	a := syntax.FindAttribute(d.Attrs, "id")
	if a == nil {
		return
	}
	n, ok := c.attributeInt(a, 0)
	if !ok {
		return
	}
	if n > 65535 {
		c.errorf("attribute-range", a, "An override's id must be 0 to 65535, not %d.", n)
		return
	}
	id := uint32(n)
	if other := c.ids[id]; other != nil {
		c.errorf("duplicate-id", a, "The id %d already belongs to `%s`.", n, other.Name).See(other.Span(), "`%s` is declared here.", other.Name)
	}
	c.ids[id] = o
	o.ID = &id
}

// globalVar checks a var at module scope (§ 7.3).
func (c *checker) globalVar(o *Object, d *syntax.VarDecl) {
	c.info.Globals = append(c.info.Globals, o)
	c.attributes(d.Attrs, "a variable", "group", "binding")
	space, access, ok := c.varSpace(d)
	t, e := c.initializer(d.Type, d.Init)
	if !ok || t == nil && (d.Type != nil || d.Init != nil) {
		return
	}
	if space == SpaceHandle && t != nil && !isHandle(t) {
		c.missingSpace(d, t)
		return
	}
	resource := space == SpaceUniform || space == SpaceStorage || space == SpaceHandle
	c.bindingPoint(o, d, resource)
	switch {
	case d.Init != nil && space != SpacePrivate:
		c.errorf("bad-initializer", d.Init, "A variable in %s memory cannot have an initial value.", space)
		return
	case t == nil || d.Type == nil && space != SpacePrivate:
		c.errorf("missing-type", d.Name, "`%s` needs a type.", o.Name).Try("Write `%s: f32`, or whatever type it should hold.", o.Name)
		return
	}
	if e != nil {
		if e.Stage == RuntimeStage {
			c.tooLate(d.Init, o.Name, "var<private>", "an assignment in a function")
			return
		}
		if !c.concretize(d.Init, e) {
			return
		}
		t = Concrete(t)
	}
	at := syntax.Node(d.Name)
	if d.Type != nil {
		at = d.Type
	}
	if why := unfit(t, space, access); why != "" && space != SpaceHandle {
		c.errorf("bad-store-type", at, "A variable in %s memory cannot hold %s: %s.", space, t, why)
		return
	}
	if space != SpacePrivate && !c.layoutFits(at, o, t, space) {
		return
	}
	o.Type = &Reference{Space: space, Elem: t, Access: access}
}

func isHandle(t Type) bool {
	switch t.(type) {
	case *Texture, *Sampler:
		return true
	}
	return false
}

// missingSpace reports a module-scope variable without an address space, such as `var x: i32;`.
func (c *checker) missingSpace(d *syntax.VarDecl, t Type) {
	report := c.errorf("missing-space", d.Name, "`%s` is declared outside of functions, so it must say which memory it is in.", d.Name.Name)
	switch {
	case syntax.FindAttribute(d.Attrs, "binding") != nil:
		report.Try("Write `var<storage, read_write>` for a buffer to write to, `var<storage>` to read from, or `var<uniform>`.")
	default:
		report.Try("Write `var<private>` for one per invocation, or `var<workgroup>` for one that the workgroup shares.")
	}
}

// varSpace reads `<space, access>`; a plain var at module scope is a handle.
func (c *checker) varSpace(d *syntax.VarDecl) (AddressSpace, AccessMode, bool) {
	if d.Templ == nil {
		return SpaceHandle, Read, true
	}
	args := d.Templ.Args
	if len(args) == 0 || len(args) > 2 {
		c.errorf("template-count", d.Templ, "`var` takes an address space and optionally an access mode in angle brackets.")
		return 0, 0, false
	}
	space := spaceNamed(c.enumerant(args[0], "address space"))
	switch {
	case space == NoSpace:
		c.notASpace(args[0])
		return 0, 0, false
	case !c.spaceAvailable(args[0], space):
		return 0, 0, false
	case space == SpaceFunction:
		c.errorf("bad-space", args[0], "`function` memory belongs to functions, but `%s` is declared outside of them.", d.Name.Name).
			Try("Write `var<private>`.").Replace(args[0].Span(), "private", "write `private`")
		return 0, 0, false
	}
	access, ok := c.accessMode(args[1:], space)
	return space, access, ok
}

func (c *checker) notASpace(x syntax.Expr) {
	d := c.errorf("not-an-enumerant", x, "%s is not an address space.", english.Capital(c.quote(x))).
		Try("Write one of `private`, `workgroup`, `uniform` and `storage`.")
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok {
		return
	}
	if instead := map[string]string{
		"shared": "workgroup", "groupshared": "workgroup", "threadgroup": "workgroup", "local": "workgroup",
		"buffer": "storage", "device": "storage", "global": "storage", "push_constant": "immediate",
		"read_write": "storage, read_write", "constant": "uniform", "thread": "private",
	}[ident.Name.Name]; instead != "" {
		d.Try("Write `%s`.", instead).Replace(x.Span(), instead, "write `"+instead+"`")
	}
}

// bindingPoint reads @group and @binding (§ 13.3.2).
func (c *checker) bindingPoint(o *Object, d *syntax.VarDecl, resource bool) {
	group, binding := syntax.FindAttribute(d.Attrs, "group"), syntax.FindAttribute(d.Attrs, "binding")
	if !resource {
		for _, a := range []*syntax.Attribute{group, binding} {
			if a != nil {
				c.errorf("misplaced-attribute", a, "`@%s` is for buffers, textures and samplers, but `%s` is none of these.", a.Name.Name, o.Name).
					Try("Delete it.")
			}
		}
		return
	}
	if group == nil || binding == nil {
		missing, example := "@group", "@group(0)"
		if group != nil {
			missing, example = "@binding", "@binding(0)"
		} else if binding == nil {
			missing, example = "@group and @binding", "@group(0) @binding(0)"
		}
		c.errorf("missing-binding", d.Name, "`%s` comes from the host and needs %s, so that the host knows where to bind it.", o.Name, missing).
			Try("Write `%s` before `var`.", example).
			Replace(syntax.Span{Start: d.Span().Start, End: d.Span().Start}, example+" ", "write `"+example+"`")
		return
	}
	o.Group, o.Binding = c.attributeUint(group), c.attributeUint(binding)
}

// structDecl checks a structure (§ 6.2.10).
func (c *checker) structDecl(o *Object, d *syntax.StructDecl) {
	s := &Struct{Name: o.Name, Decl: d}
	ok := true
	names := make(map[string]*syntax.Member, len(d.Members))
	for i, decl := range d.Members {
		m := &Member{Index: i, Decl: decl}
		if decl.Name != nil {
			m.Name = decl.Name.Name
			if earlier := names[m.Name]; earlier != nil && m.Name != "" {
				c.errorf("redeclared", decl.Name, "`%s` has two members `%s`.", o.Name, m.Name).
					See(earlier.Name.Span(), "The first is here.")
			}
			names[m.Name] = decl
		}
		m.Type = c.typeExpr(decl.Type)
		ok = c.memberType(s, m, i == len(d.Members)-1) && ok
		ok = c.memberAttributes(m) && ok
		s.Members = append(s.Members, m)
	}
	if !ok || len(s.Members) == 0 {
		return
	}
	if len(s.Members) > maxMembers {
		c.errorf("too-many", d.Name, "`%s` has %d members, but a structure can have at most %d.", o.Name, len(s.Members), maxMembers)
		return
	}
	s.layOut()
	if s.depth > maxNesting {
		c.errorf("too-deep", d.Name, "`%s` nests more than %d levels deep.", o.Name, maxNesting)
		return
	}
	c.memberLocations(s)
	o.Type = s
	c.info.Structs = append(c.info.Structs, s)
}

// maxMembers is the maximum number of members in a structure. It exceeds the 1023 that every
// implementation accepts (§ 2.4).
const maxMembers = 16383

func (c *checker) memberType(s *Struct, m *Member, last bool) bool {
	if m.Type == nil {
		return false
	}
	f := factsOf(m.Type)
	_, array := m.Type.(*Array)
	switch {
	case f&isPlain == 0:
		c.errorf("bad-element", m.Decl.Type, "A structure cannot have a member of type %s.", m.Type)
	case f&isCreationFixed != 0:
		return true
	case array && f&hasRuntimeArray != 0 && last:
		return true
	case array && f&hasRuntimeArray != 0:
		c.errorf("bad-element", m.Decl.Type, "Only the last member may be an array without a length, and `%s` is not the last of `%s`.", m.Name, s.Name).
			Try("Move it to the end, or give it a length.")
	default:
		c.errorf("bad-element", m.Decl.Type, "A member needs a size that is known when the shader is read, but %s has none.", m.Type)
	}
	return false
}

// functionHeader checks a function except its body (§ 11.1).
func (c *checker) functionHeader(o *Object, d *syntax.FuncDecl) {
	f := &Function{Object: o, Decl: d, MustUse: syntax.FindAttribute(d.Attrs, "must_use") != nil}
	o.function = f
	c.info.funcs[o] = f
	c.info.Functions = append(c.info.Functions, f)
	c.attributes(d.Attrs, "a function", "vertex", "fragment", "compute", "workgroup_size", "subgroup_size", "must_use", "diagnostic", "const")
	if a := syntax.FindAttribute(d.Attrs, "const"); a != nil {
		c.errorf("misplaced-attribute", a, "Only builtin functions are `@const`.").Try("Delete it.")
	}
	c.filters(d.Attrs)
	stage := c.stageOf(d)
	for _, param := range d.Params {
		f.Params = append(f.Params, c.parameter(param, stage))
	}
	if len(d.Params) > maxParams {
		c.errorf("too-many", d.Name, "`%s` has %d parameters, but a function can have at most %d.", o.Name, len(d.Params), maxParams)
	}
	if d.Result != nil {
		f.Result = c.typeExpr(d.Result)
		if f.Result != nil && !Constructible(f.Result) {
			c.errorf("bad-result", d.Result, "A function cannot return %s.", f.Result)
			f.Result = nil
		}
	} else if f.MustUse {
		c.errorf("misplaced-attribute", syntax.FindAttribute(d.Attrs, "must_use"), "`%s` returns nothing that could be used.", o.Name).
			Try("Delete `@must_use`.")
	}
	o.Type = f.Result
	c.entryHeader(f, stage)
}

// maxParams is the maximum number of a function's parameters (§ 2.4).
const maxParams = 255

func (c *checker) parameter(d *syntax.Param, stage ShaderStage) *Object {
	o := &Object{Kind: ParamObject, Decl: d, Ident: d.Name}
	if d.Name != nil {
		o.Name = d.Name.Name
	}
	c.attributes(d.Attrs, "a parameter", "builtin", "location", "interpolate", "invariant", "blend_src")
	if stage == NoShaderStage && len(d.Attrs) > 0 {
		c.errorf("misplaced-attribute", d.Attrs[0], "Only parameters of entry points take `@%s`.", d.Attrs[0].Name.Name).
			Try("Delete it, or make the function an entry point: `@compute @workgroup_size(64)`.")
	}
	t := c.typeExpr(d.Type)
	if t == nil {
		return o
	}
	if why := c.unfitParameter(t); why != "" {
		c.errorf("bad-parameter", d.Type, "A parameter cannot be %s: %s.", t, why)
		return o
	}
	o.Type = t
	return o
}

func (c *checker) unfitParameter(t Type) string {
	switch t := t.(type) {
	case *Pointer:
		if t.Space != SpaceFunction && t.Space != SpacePrivate && !c.has(FeatureUnrestrictedPointers) {
			return "pointers to " + t.Space.String() + " memory as parameters need the language feature `unrestricted_pointer_parameters`"
		}
		return ""
	case *Texture, *Sampler:
		return ""
	}
	if !Constructible(t) {
		return unconstructible(t)
	}
	return ""
}

// constAssert checks a const_assert (§ 10.1).
func (c *checker) constAssert(d *syntax.ConstAssert) {
	e := c.operand(d.Cond)
	switch {
	case e == nil:
	case e.ValueType() != Bool:
		c.errorf("type-mismatch", d.Cond, "`const_assert` needs a bool, but %s.", c.what(d.Cond, e))
	case e.Stage != ConstStage:
		c.errorf("not-constant", d.Cond, "`const_assert` checks constants, but %s is only known later.", c.quote(d.Cond))
	case e.Value.Valid() && !e.Value.Bool():
		c.errorf("assertion-failed", d, "%s is false.", english.Capital(c.quote(d.Cond)))
	}
}

// layoutFits checks that the layout of a variable suits its address space (§ 14.4.5).
func (c *checker) layoutFits(at syntax.Node, o *Object, t Type, space AddressSpace) bool {
	if space == SpaceHandle {
		return true
	}
	l := &layoutRules{uniform: space == SpaceUniform && !c.has(FeatureUniformStandardLayout)}
	if bad := l.validate(t); bad != nil {
		d := c.errorf(bad.kind, at, "The layout of `%s` does not fit %s memory: %s", o.Name, space, bad.message)
		d.Hint = bad.hint
		return false
	}
	return true
}

// layoutRules are the rules of § 14.4.5; uniform is the stricter set.
type layoutRules struct {
	uniform bool
	seen    map[*Struct]bool
}

func (l *layoutRules) requiredAlign(t Type) uint64 {
	switch t.(type) {
	case *Array, *Struct:
		if l.uniform {
			return roundUp(AlignOf(t), 16)
		}
	}
	return AlignOf(t)
}

func (l *layoutRules) validate(t Type) *fault {
	switch t := t.(type) {
	case *Array:
		if l.uniform && t.Stride()%16 != 0 {
			return faultf("uniform-layout", "the elements of %s are %d bytes apart, but here the distance must be a multiple of 16.", t, t.Stride()).
				try("Use vec4 elements, or a structure with `@size(16)`; or put the data in a storage buffer.")
		}
		return l.validate(t.Elem)
	case *Struct:
		return l.checkStruct(t)
	}
	return nil
}

func (l *layoutRules) checkStruct(s *Struct) *fault {
	if l.seen[s] {
		return nil
	}
	if l.seen == nil {
		l.seen = map[*Struct]bool{}
	}
	l.seen[s] = true
	for i, m := range s.Members {
		if align := l.requiredAlign(m.Type); m.Offset%align != 0 {
			return faultf("uniform-layout", "the member `%s` of `%s` begins at byte %d, but %s must begin at a multiple of %d.", m.Name, s.Name, m.Offset, m.Type, align).
				try("Write `@align(16)` before the member.")
		}
		if inner, ok := m.Type.(*Struct); ok && l.uniform && i+1 < len(s.Members) {
			if next := s.Members[i+1]; next.Offset-m.Offset < roundUp(inner.Size, 16) {
				return faultf("uniform-layout", "the member `%s` of `%s` follows a structure too closely: it begins %d bytes after the structure's start, but must be %d after it.", next.Name, s.Name, next.Offset-m.Offset, roundUp(inner.Size, 16)).
					try("Write `@align(16)` before `" + next.Name + "`.")
			}
		}
		if bad := l.validate(m.Type); bad != nil {
			return bad
		}
	}
	return nil
}
