package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// typeExpr returns the type that an expression denotes, or nil after an error.
func (c *checker) typeExpr(x syntax.Expr) Type {
	if x == nil || c.laterType(x) {
		return nil
	}
	if t, is := c.bufferType(x); is {
		return t
	}
	if ident, ok := syntax.Unparen(x).(*syntax.IdentExpr); ok && c.lookup(ident.Name.Name) == nil {
		c.unknownName(ident, asType)
		return nil
	}
	e := c.expr(x)
	if e == nil {
		return nil
	}
	switch e.Mode {
	case TypeMode:
		return e.Type
	case GeneratorMode:
		c.generatorAlone(x)
	default:
		c.errorf("not-a-type", x, "%s, not a type.", c.what(x, e))
	}
	return nil
}

// generatorAlone reports a generator without the type in angle brackets, such as `var v: vec3`.
func (c *checker) generatorAlone(x syntax.Expr) {
	name := syntax.Unparen(x).(*syntax.IdentExpr).Name.Name
	d := c.errorf("missing-template", x, "`%s` alone is not a type: it needs arguments in angle brackets.", name)
	switch {
	case strings.HasPrefix(name, "vec") || strings.HasPrefix(name, "mat"):
		d.Try("Write `%sf`, which is `%s<f32>`.", name, name)
	case name == "array":
		d.Try("Write `array<f32>` in a buffer, or `array<f32, 16>` for a fixed length.")
	case name == "atomic":
		d.Try("Write `atomic<u32>` or `atomic<i32>`.")
	}
}

// generate returns the type that a generator makes from its template arguments (§ 6.10).
func (c *checker) generate(x *syntax.IdentExpr, name string) Type {
	args := x.Templ.Args
	switch {
	case name == "array":
		return c.arrayType(x, args)
	case name == "ptr":
		return c.pointerType(x, args)
	case strings.HasPrefix(name, "texture_storage_"):
		return c.storageTextureType(x, name, args)
	}
	if !c.templateCount(x, name, args, 1, 1) {
		return nil
	}
	elem := c.typeExpr(args[0])
	if elem == nil {
		return nil
	}
	switch {
	case name == "atomic":
		return c.atomicType(args[0], elem)
	case strings.HasPrefix(name, "texture_"):
		return c.sampledTextureType(args[0], name, elem)
	}
	s, ok := elem.(*Scalar)
	if strings.HasPrefix(name, "vec") {
		if !ok {
			c.errorf("bad-element", args[0], "A vector is made of scalars, not of %s.", elem).
				Try("Use bool, i32, u32, f32 or f16.")
			return nil
		}
		return VectorOf(int(name[3]-'0'), s)
	}
	if !ok || !s.Float() {
		c.errorf("bad-element", args[0], "A matrix is made of floats, not of %s.", elem).Try("Use f32 or f16.")
		return nil
	}
	return MatrixOf(int(name[3]-'0'), int(name[5]-'0'), s)
}

func (c *checker) templateCount(x *syntax.IdentExpr, name string, args []syntax.Expr, least, most int) bool {
	if len(args) >= least && len(args) <= most {
		return true
	}
	text := english.Count(least, "argument", "arguments")
	if most > least {
		text = fmt.Sprintf("%d to %s", least, english.Count(most, "argument", "arguments"))
	}
	c.errorf("template-count", x.Templ, "`%s` takes %s in angle brackets, not %d.", name, text, len(args))
	return false
}

func (c *checker) atomicType(at syntax.Expr, elem Type) Type {
	if elem == I32 || elem == U32 || elem == VectorOf(2, U32) && c.has(FeatureAtomicVec2uMinMax) {
		return &Atomic{elem}
	}
	c.errorf("bad-element", at, "An atomic holds an i32 or u32, not %s.", elem).Try("Write `atomic<u32>` or `atomic<i32>`.")
	return nil
}

func (c *checker) sampledTextureType(at syntax.Expr, name string, elem Type) Type {
	if elem != F32 && elem != I32 && elem != U32 {
		c.errorf("bad-element", at, "A texture gives f32, i32 or u32, not %s.", elem)
		return nil
	}
	t := textureNamed(name)
	t.Sampled = elem.(*Scalar)
	return &t
}

func (c *checker) storageTextureType(x *syntax.IdentExpr, name string, args []syntax.Expr) Type {
	if !c.templateCount(x, name, args, 2, 2) {
		return nil
	}
	format, access := texelFormats[c.enumerant(args[0], "texel format")], accessNamed(c.enumerant(args[1], "access mode"))
	if format == nil {
		c.errorf("not-an-enumerant", args[0], "A storage texture needs a texel format here, such as `rgba8unorm`.")
		return nil
	}
	if access == NoAccess {
		c.errorf("not-an-enumerant", args[1], "A storage texture needs an access mode here: `read`, `write` or `read_write`.")
		return nil
	}
	if !c.has(format.Needs) {
		c.needs(args[0], "The texel format `"+format.Name+"`", format.Needs)
		return nil
	}
	if access != Write && !c.has(FeatureStorageTextures) {
		c.needs(args[1], "Reading from a storage texture", FeatureStorageTextures)
		return nil
	}
	t := textureNamed(name)
	t.Format, t.Access = format, access
	return &t
}

// enumerant returns the predeclared word that an expression names, or "".
func (c *checker) enumerant(x syntax.Expr, what string) string {
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok || ident.Templ != nil {
		return ""
	}
	o := c.lookup(ident.Name.Name)
	if o == nil || o.Kind != EnumerantObject {
		return ""
	}
	c.info.Uses[ident] = o
	c.record(x, CheckedExpr{Mode: EnumerantMode})
	return o.Name
}

func (c *checker) pointerType(x *syntax.IdentExpr, args []syntax.Expr) Type {
	if !c.templateCount(x, "ptr", args, 2, 3) {
		return nil
	}
	space := spaceNamed(c.enumerant(args[0], "address space"))
	if space == NoSpace {
		c.errorf("not-an-enumerant", args[0], "A pointer needs an address space here: `function`, `private`, `workgroup`, `uniform` or `storage`.")
		return nil
	}
	if !c.spaceAvailable(args[0], space) {
		return nil
	}
	elem := c.typeExpr(args[1])
	access, ok := c.accessMode(args[2:], space)
	if elem == nil || !ok {
		return nil
	}
	return c.checkedPointer(args[1], &Pointer{space, elem, access})
}

func (c *checker) spaceAvailable(at syntax.Node, space AddressSpace) bool {
	if space == SpaceImmediate && !c.has(FeatureImmediates) {
		c.needs(at, "The address space `immediate`", FeatureImmediates)
		return false
	}
	return true
}

// accessMode returns the written access mode, or the address space's default (§ 14.3).
func (c *checker) accessMode(args []syntax.Expr, space AddressSpace) (AccessMode, bool) {
	if len(args) == 0 {
		return defaultAccess(space), true
	}
	access := accessNamed(c.enumerant(args[0], "access mode"))
	switch {
	case access == NoAccess:
		c.errorf("not-an-enumerant", args[0], "There should be an access mode here: `read` or `read_write`.")
		return access, false
	case space != SpaceStorage:
		c.errorf("access-mode", args[0], "Only `storage` memory takes an access mode; `%s` has its own.", space).
			Try("Delete `%s`.", access)
		return access, false
	case access == Write:
		c.errorf("access-mode", args[0], "A storage buffer cannot be write-only.").
			Replace(args[0].Span(), "read_write", "write `read_write`").Try("Write `read_write`.")
		return access, false
	}
	return access, true
}

func defaultAccess(space AddressSpace) AccessMode {
	switch space {
	case SpaceUniform, SpaceStorage, SpaceHandle, SpaceImmediate:
		return Read
	}
	return ReadWrite
}

// checkedPointer checks that the target of a pointer can be in its address space (§ 6.5.3).
func (c *checker) checkedPointer(at syntax.Expr, p *Pointer) Type {
	if c.viewed(p) {
		return p
	}
	if why := unfit(p.Elem, p.Space, p.Access); why != "" {
		c.errorf("bad-store-type", at, "%s memory cannot hold %s: %s.", english.Capital(p.Space.String()), p.Elem, why)
		return nil
	}
	return p
}

// unfit returns the reason why a type cannot be stored in an address space (§ 7.3), or "".
func unfit(t Type, space AddressSpace, access AccessMode) string {
	if b, ok := t.(*Buffer); ok {
		return unfitBuffer(b, space)
	}
	f := factsOf(t)
	if f&isPlain == 0 {
		return "it is not plain data"
	}
	switch space {
	case SpaceFunction, SpacePrivate:
		if f&isConstructible == 0 {
			return unconstructible(t)
		}
	case SpaceWorkgroup:
		if f&isFixed == 0 {
			return "its length is known only when a buffer is bound"
		}
	case SpaceStorage:
		if f&isHostShareable == 0 {
			return unshareable(t)
		}
		if f&hasAtomic != 0 && access != ReadWrite {
			return "atomics need `read_write`"
		}
	case SpaceUniform, SpaceImmediate:
		if f&isHostShareable == 0 {
			return unshareable(t)
		}
		if f&isConstructible == 0 {
			return unconstructible(t)
		}
		if space == SpaceImmediate && f&hasArray != 0 {
			return "it has an array in it"
		}
	}
	return ""
}

func unconstructible(t Type) string {
	switch f := factsOf(t); {
	case f&hasAtomic != 0:
		return "atomics live in workgroup memory and storage buffers only"
	case f&hasRuntimeArray != 0:
		return "its length is known only when a buffer is bound"
	case f&isFixed != 0:
		return "its length is known only when the pipeline is made"
	}
	return "values of this type cannot be made"
}

func unshareable(t Type) string {
	if factsOf(t)&isCreationFixed == 0 && !HasRuntimeArray(t) {
		return "its length is known only when the pipeline is made"
	}
	return "a bool has no size in memory shared with the host"
}

// maxElements limits array lengths, so that no size overflows.
const maxElements = 1 << 32

// maxNesting is the maximum nesting of types (§ 2.4).
const maxNesting = 15

func (c *checker) arrayType(x *syntax.IdentExpr, args []syntax.Expr) Type {
	if len(args) > 2 {
		c.arrayInOne(x, args)
		return nil
	}
	if !c.templateCount(x, "array", args, 1, 2) {
		return nil
	}
	elem := c.typeExpr(args[0])
	t := &Array{Elem: elem}
	if len(args) == 2 && !c.elementCount(t, args[1]) {
		return nil
	}
	if elem == nil {
		return nil
	}
	f := factsOf(elem)
	switch {
	case f&isPlain == 0:
		c.errorf("bad-element", args[0], "An array cannot hold %s.", elem)
		return nil
	case f&isCreationFixed == 0:
		c.errorf("bad-element", args[0], "An array needs elements of a fixed size, but the size of %s is not known when the shader is read.", elem)
		return nil
	case nesting(t) > maxNesting:
		c.errorf("too-deep", x, "This type nests more than %d levels deep.", maxNesting)
		return nil
	}
	return t
}

// arrayInOne reports an array with several lengths. WGSL nests arrays: the last length belongs to
// the innermost one.
func (c *checker) arrayInOne(x *syntax.IdentExpr, args []syntax.Expr) {
	write := c.text(args[0])
	for _, length := range slices.Backward(args[1:]) {
		write = fmt.Sprintf("array<%s, %s>", write, c.text(length))
	}
	c.errorf("template-count", x.Templ, "An array has one length, but here are %d.", len(args)-1).
		Try("Write `%s`: an array of arrays.", write).Replace(x.Span(), write, "write `"+write+"`")
}

// elementCount reads the length of an array: a const- or override-expression (§ 6.2.9).
func (c *checker) elementCount(t *Array, x syntax.Expr) bool {
	outer := c.unevaluated
	c.unevaluated = 0
	defer func() { c.unevaluated = outer }()
	c.isLength = true
	e := c.value(x)
	c.isLength = false
	if e == nil || !c.knownLength(x, e, "An array's length", "array<f32>") {
		return false
	}
	if e.Stage == OverrideStage {
		t.CountExpr = x
		if ident, ok := syntax.Unparen(x).(*syntax.IdentExpr); ok {
			t.CountName = c.info.Uses[ident]
		}
		return true
	}
	n := e.Value.Int()
	if n < 1 {
		c.errorf("array-length", x, "An array needs at least one element, but this one would have %d.", n)
		return false
	}
	t.Count = min(uint64(n), maxElements)
	return true
}

// knownLength checks that a length or size is a whole number that is known before the shader runs.
func (c *checker) knownLength(x syntax.Expr, e *CheckedExpr, what, without string) bool {
	s, ok := loaded(e.Type).(*Scalar)
	if !ok || !s.Integer() {
		c.errorf("array-length", x, "%s must be a whole number, but this is %s.", what, c.describe(x, e))
		return false
	}
	if e.Stage == RuntimeStage {
		c.errorf("array-length", x, "%s must be known before the shader runs, and %s is not.", what, c.quote(x)).
			Try("Use a `const`, or omit the length in a storage buffer: `%s`.", without)
		return false
	}
	return c.convertTo(x, e, Concrete(s))
}
