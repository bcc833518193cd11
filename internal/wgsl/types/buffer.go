package types

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// bufferObject stands for the name of the type `buffer`. It is no predeclared object, so that a
// shader that lacks a declaration of its own `buffer` is told so.
var bufferObject = &Object{Kind: GeneratorObject, Name: "buffer", state: resolved}

// bufferType returns the type that an undeclared `buffer`, or `buffer<N>`, names, or nil after an
// error; is reports whether x is that.
func (c *checker) bufferType(x syntax.Expr) (t Type, is bool) {
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok || ident.Name.Name != bufferObject.Name || c.lookup(ident.Name.Name) != nil {
		return nil, false
	}
	if !c.has(FeatureBufferView) {
		c.needs(ident.Name, "`buffer`", FeatureBufferView)
		return nil, true
	}
	c.info.Uses[ident] = bufferObject
	b := &Buffer{}
	if ident.Templ != nil {
		args := ident.Templ.Args
		if !c.templateCount(ident, "buffer", args, 1, 1) || !c.bufferSize(b, args[0]) {
			return nil, true
		}
	}
	c.record(x, CheckedExpr{Mode: TypeMode, Type: b})
	return b, true
}

// bufferSize reads the size of a buffer: a const- or override-expression (§ Buffer Types).
func (c *checker) bufferSize(b *Buffer, x syntax.Expr) bool {
	outer := c.unevaluated
	c.unevaluated = 0
	defer func() { c.unevaluated = outer }()
	e := c.value(x)
	if e == nil || !c.knownLength(x, e, "A buffer's size", "buffer") {
		return false
	}
	if e.Stage == OverrideStage {
		b.SizeExpr = x
		if ident, ok := syntax.Unparen(x).(*syntax.IdentExpr); ok {
			b.SizeName = c.info.Uses[ident]
		}
		return true
	}
	n := e.Value.Int()
	if bad := bufferSizeFault(n, c.info.Enabled.Has(FeatureF16)); bad != nil {
		c.fault(x, bad)
		return false
	}
	b.Size = uint64(n)
	return true
}

// bufferSizeFault checks a size: whole words, or with f16 whole halves of them.
func bufferSizeFault(n int64, halves bool) *fault {
	unit := int64(4)
	if halves {
		unit = 2
	}
	switch {
	case n < 1:
		return faultf("buffer-size", "A buffer needs at least one word, but this one would have %d bytes.", n)
	case n%unit != 0:
		return faultf("buffer-size", "A buffer's size must be a multiple of %d bytes, and %d is not.", unit, n)
	}
	return nil
}

// unfitBuffer returns the reason why a variable in an address space cannot be a buffer, or "".
func unfitBuffer(b *Buffer, space AddressSpace) string {
	switch {
	case space != SpaceStorage && space != SpaceUniform && space != SpaceWorkgroup:
		return "a buffer is in storage, uniform or workgroup memory"
	case space != SpaceStorage && b.Runtime():
		return "it needs a size there, such as `buffer<64>`"
	case space != SpaceWorkgroup && b.SizeExpr != nil:
		return "its size is known only when the pipeline is made"
	}
	return ""
}

// viewed reports whether a pointer's target can only come from a view of a buffer: a buffer or an
// array without a size, where no variable can have that type.
func (c *checker) viewed(p *Pointer) bool {
	if !c.has(FeatureBufferView) || p.Space != SpaceUniform && p.Space != SpaceWorkgroup {
		return false
	}
	b, buffer := p.Elem.(*Buffer)
	return buffer && b.Runtime() || HasRuntimeArray(p.Elem) && HostShareable(p.Elem)
}

// Views reports whether the call gives a pointer into a buffer.
func (call *Call) Views() bool {
	return call.Kind == BuiltinCall && (call.Builtin.Name == "bufferView" || call.Builtin.Name == "bufferArrayView")
}

// A View says what a view of a buffer takes: the bytes before its runtime-sized array, the bytes
// from one of that array's elements to the next, or 0 without one, the least number of bytes, and
// the alignment (§ Buffer View Built-in Functions).
type View struct{ Before, Stride, Least, Align uint64 }

// ViewOf returns what a view as t takes.
func ViewOf(t Type) View {
	v := View{Least: SizeOf(t), Align: AlignOf(t)}
	switch t := t.(type) {
	case *Array:
		if t.Runtime() {
			v.Stride, v.Least = t.Stride(), t.Stride()
		}
	case *Struct:
		last := t.Members[len(t.Members)-1]
		if a, ok := last.Type.(*Array); ok && a.Runtime() {
			v.Before, v.Stride = last.Offset, a.Stride()
			v.Least = plus(v.Before, v.Stride)
		}
	}
	return v
}

// viewRules checks the type of a view, and what is known of its place.
func (c *checker) viewRules(x *syntax.CallExpr, sized bool, chosen choice, es []*CheckedExpr) bool {
	p, from := chosen.result.(*Pointer), es[0].ValueType().(*Pointer)
	at, t := syntax.Expr(x.Callee), p.Elem
	if x.Callee.Templ != nil {
		at = x.Callee.Templ.Args[0]
	}
	switch {
	case HasAtomic(t):
		c.errorf("bad-view", at, "A view cannot be %s: it holds atomics.", t)
		return false
	case !HostShareable(t):
		c.errorf("bad-view", at, "A view cannot be %s: %s.", t, unshareable(t)).Try("Use numbers, vectors, matrices, arrays and structures of them.")
		return false
	case sized && !HasRuntimeArray(t):
		c.errorf("bad-view", at, "`bufferArrayView` gives an array without a length, or a structure that ends with one, not %s.", t).
			Try("Write `array<…>` without a length, or call `bufferView`.")
		return false
	}
	l := &layoutRules{uniform: p.Space == SpaceUniform && !c.has(FeatureUniformStandardLayout)}
	if bad := l.validate(t); bad != nil {
		c.errorf(bad.kind, at, "The layout of %s does not fit %s memory: %s", t, p.Space, bad.message).Hint = bad.hint
		return false
	}
	view := ViewOf(t)
	view.Align = l.requiredAlign(t)
	values := make([]Value, len(es))
	for i, e := range es[1:] {
		values[i+1] = e.Value
	}
	buffer := from.Elem.(*Buffer)
	if bad := view.fault(t, buffer.Size, values); bad != nil {
		c.fault(x, bad)
		return false
	}
	if buffer.Runtime() {
		c.views = append(c.views, unsizedView{x, view, t, values})
	}
	return true
}

// An unsizedView is a view of a buffer without a size, which may be a parameter: then the calls of
// its function say how large it is.
type unsizedView struct {
	call *syntax.CallExpr
	View
	as     Type
	values []Value
}

// parameterViews checks the views of parameters with the smallest buffer that a call passes
// (§ Buffer View Built-in Functions). The call graph must have no cycle.
func (c *checker) parameterViews() {
	if len(c.views) == 0 {
		return
	}
	given := map[*Object][]syntax.Expr{} // the arguments for each parameter
	for _, f := range c.info.Functions {
		for _, site := range f.Calls {
			for i, p := range site.Callee.Params[:min(len(site.Callee.Params), len(site.Call.Args))] {
				given[p] = append(given[p], site.Call.Args[i])
			}
		}
	}
	least := map[*Object]uint64{}
	for _, v := range c.views {
		if root := c.info.Root(v.call.Args[0]); root != nil && root.Kind == ParamObject {
			if bad := v.fault(v.as, c.leastPassed(root, given, least), v.values); bad != nil {
				c.fault(v.call, bad)
			}
		}
	}
}

// leastPassed returns the size of the smallest buffer that is passed for a parameter; 0 if none has
// a size.
func (c *checker) leastPassed(p *Object, given map[*Object][]syntax.Expr, least map[*Object]uint64) (size uint64) {
	if known, done := least[p]; done {
		return known
	}
	for _, arg := range given[p] {
		e := c.info.Exprs[arg]
		if e == nil {
			continue
		}
		pointer, ok := e.Type.(*Pointer)
		if !ok {
			continue
		}
		passed := uint64(0)
		if b, ok := pointer.Elem.(*Buffer); ok {
			passed = b.Size
		}
		if root := c.info.Root(arg); passed == 0 && root != nil && root.Kind == ParamObject {
			passed = c.leastPassed(root, given, least)
		}
		if passed > 0 && (size == 0 || passed < size) {
			size = passed
		}
	}
	least[p] = size
	return size
}

// fault checks the offset and the size of a view, as far as they are known. A buffer's size of 0 is
// not known.
func (v View) fault(t Type, size uint64, args []Value) *fault {
	offset, bytes := int64(0), int64(v.Least)
	known := func(i int) bool { return i < len(args) && args[i].Valid() }
	if known(1) {
		offset = args[1].Int()
	}
	if known(2) {
		bytes = args[2].Int()
	}
	switch {
	case offset < 0:
		return faultf("bad-view", "A view cannot begin before its buffer, at byte %d.", offset)
	case bytes < 0:
		return faultf("bad-view", "A view cannot have %d bytes.", bytes)
	case uint64(offset)%v.Align != 0:
		return faultf("bad-view", "A view as %s must begin at a multiple of %d bytes, and %d is not.", t, v.Align, offset)
	case uint64(bytes) < v.Least:
		return faultf("bad-view", "A view as %s takes at least %d bytes, not %d.", t, v.Least, bytes)
	case known(2) && (uint64(bytes)-v.Before)%v.Stride != 0:
		return faultf("bad-view", "The elements of %s take %d bytes each, which doesn't divide a view of %d bytes.", t, v.Stride, bytes)
	case size > 0 && uint64(offset)+uint64(bytes) > size:
		return faultf("bad-view", "A view as %s at byte %d takes %d bytes, but the buffer has only %d.", t, offset, bytes, size)
	}
	return nil
}

// view checks a view with the values of the overrides.
func (b *pipelineBuilder) view(x *syntax.CallExpr, call *Call) {
	if !call.Views() {
		return
	}
	p, from := call.Type.(*Pointer), b.Info.Exprs[x.Args[0]]
	to, ok := from.ValueType().(*Pointer)
	if !ok {
		return
	}
	buffer := to.Elem.(*Buffer)
	size, args, late := buffer.Size, make([]Value, len(x.Args)), false
	if buffer.SizeExpr != nil {
		if v := b.known(buffer.SizeExpr); v.Valid() && v.Int() > 0 {
			b.values[buffer.SizeExpr] = v
			size, late = uint64(v.Int()), true
		}
	}
	for i, arg := range x.Args[1:] {
		args[i+1] = b.known(arg)
		late = late || b.Info.Exprs[arg].Stage == OverrideStage
	}
	view := ViewOf(p.Elem)
	if bad := view.fault(p.Elem, size, args); late && bad != nil {
		b.report(x, bad)
	}
}
