package ir

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func (c *compiler) call(x *syntax.CallExpr) []uint32 {
	call := c.info.Calls[x]
	if call == nil {
		c.fail(x, "this call")
	}
	switch call.Kind {
	case types.UserCall:
		return c.userCall(x, call)
	case types.ConstructCall:
		return c.construct(x, call)
	}
	return c.builtin(x, call)
}

func (c *compiler) userCall(x *syntax.CallExpr, call *types.Call) []uint32 {
	h := c.headers[call.Function]
	args := make([][]uint32, len(x.Args))
	for i, a := range x.Args {
		args[i] = c.value(a)
	}
	c.note(x.Span())
	for i, a := range args {
		c.move(h.params[i], a)
	}
	h.calls = append(h.calls, c.emit(OpCall, 0, h.ret, 0, 0))
	c.label = len(c.Code)
	if call.Type == nil {
		return nil
	}
	to := c.row(uint32(len(h.result)))
	c.move(to, h.result)
	return to
}

// construct compiles T(…) (§ 17.1).
func (c *compiler) construct(x *syntax.CallExpr, call *types.Call) []uint32 {
	t := types.Concrete(call.Type)
	if len(x.Args) == 0 {
		return c.constants(types.ZeroValue(t))
	}
	var parts []uint32
	for _, a := range x.Args {
		v := c.value(a)
		if types.ElemOf(t) != nil {
			c.note(x.Span())
			v = c.convert(v, KindOf(c.typeOf(a)), KindOf(t))
		}
		parts = append(parts, v...)
	}
	if v, ok := t.(*types.Vector); ok && len(parts) == 1 {
		for len(parts) < v.Size {
			parts = append(parts, parts[0])
		}
	}
	return parts
}

// convert converts scalars from one kind to another (§ 15.7.6, § 17.1.2).
func (c *compiler) convert(from []uint32, of, to types.ScalarKind) []uint32 {
	if of == to {
		return from
	}
	name := map[types.ScalarKind]string{types.I32Kind: "i32", types.U32Kind: "u32", types.F32Kind: "f32", types.F16Kind: "f32", types.BoolKind: "bool"}
	a, b := name[of], name[to]
	switch {
	case to == types.BoolKind && of == types.U32Kind:
		a = "i32"
	case !IsFloat(of) && (to == types.I32Kind || to == types.U32Kind), of == types.F16Kind && to == types.F32Kind:
		return from
	case of == types.F32Kind && to == types.F16Kind:
		return c.each(from, func(to, from uint32) { c.scalar(OpRoundH, types.F16Kind, to, from, 0) })
	}
	out := c.apply1(a+":"+b, of, from)
	if to == types.F16Kind {
		for _, s := range out {
			c.round(to, s)
		}
	}
	return out
}

// apply1 applies a function of one scalar to each slot; k is the kind of the argument.
func (c *compiler) apply1(name string, k types.ScalarKind, from []uint32) []uint32 {
	n, ok := named1[name]
	if !ok {
		c.fail(nil, "the function %s", name)
	}
	return c.each(from, func(to, from uint32) {
		c.at.Kind = k
		c.emit(OpApply1, int(n), to, from, 0)
	})
}

func (c *compiler) apply2(name string, k types.ScalarKind, a, b []uint32) []uint32 {
	n, ok := named2[name]
	if !ok {
		c.fail(nil, "the function %s", name)
	}
	return c.each2(a, b, func(to, a, b uint32) {
		c.at.Kind = k
		c.emit(OpApply2, int(n), to, a, b)
	})
}

func (c *compiler) apply3(name string, k types.ScalarKind, x, y, z []uint32) []uint32 {
	n, ok := named3[name]
	if !ok {
		c.fail(nil, "the function %s", name)
	}
	to := c.row(uint32(len(x)))
	for i := range to {
		args := c.row(3)
		c.move(args, []uint32{x[i], spread(y, i), spread(z, i)})
		c.at.Kind = k
		c.emit(OpApply3, int(n), to[i], args[0], 0)
	}
	return to
}

// builtin compiles a call of a builtin function (§ 17).
func (c *compiler) builtin(x *syntax.CallExpr, call *types.Call) []uint32 {
	name := call.Builtin.Name
	switch {
	case strings.HasPrefix(name, "atomic"):
		return c.atomicCall(x, call)
	case strings.HasSuffix(name, "Barrier"):
		return c.barrier(x, name)
	case strings.HasPrefix(name, "texture"):
		return c.textureCall(x, call)
	case name == "workgroupUniformLoad":
		return c.uniformLoad(x, call)
	case name == "bufferLength":
		p := c.pointer(x.Args[0])
		c.note(x.Span())
		return []uint32{c.bytesFrom(p)}
	case name == "arrayLength":
		p := c.pointer(x.Args[0])
		c.note(x.Span())
		return []uint32{c.length(p)}
	}
	args := make([][]uint32, len(x.Args))
	for i, a := range x.Args {
		args[i] = c.value(a)
	}
	if kind, ok := subgroupKinds[name]; ok {
		return c.subgroupCall(x, call, kind, args)
	}
	var t types.Type
	if len(x.Args) > 0 {
		t = c.typeOf(x.Args[0])
	}
	c.note(x.Span())
	c.at.Kind = KindOf(t)
	b := builtinCall{compiler: c, x: x, name: name, args: args, t: t, k: KindOf(t), result: types.Concrete(call.Type)}
	out := b.compile()
	if _, isStruct := b.result.(*types.Struct); !isStruct && KindOf(b.result) == types.F16Kind && name != "select" && name != "bitcast" {
		for _, s := range out {
			c.round(types.F16Kind, s)
		}
	}
	return out
}

func (c *compiler) barrier(x *syntax.CallExpr, name string) []uint32 {
	c.note(x.Span())
	kind := map[string]int{"workgroupBarrier": WorkgroupMemory, "storageBarrier": BufferMemory, "textureBarrier": TextureMemory}[name]
	c.wait(kind)
	return nil
}

func (c *compiler) wait(kind int) {
	c.Barriers = true
	c.emit(OpBarrier, kind, 0, 0, 0)
}

// uniformLoad compiles a barrier, a load and another barrier (§ 17.11.4).
func (c *compiler) uniformLoad(x *syntax.CallExpr, call *types.Call) []uint32 {
	p := c.pointer(x.Args[0])
	p.t = call.Type
	c.note(x.Span())
	c.wait(WorkgroupMemory | uniformLoad)
	to := c.row(c.FlatWords(p.t))
	c.at.Span = x.Span()
	c.loadTo(p, to)
	c.wait(WorkgroupMemory | afterLoad)
	return to
}

var atomicKinds = map[string][2]int{ // for i32, for u32
	"atomicLoad": {AtomicLoad, AtomicLoad}, "atomicStore": {AtomicStore, AtomicStore},
	"atomicAdd": {AtomicAdd, AtomicAdd}, "atomicSub": {AtomicSub, AtomicSub},
	"atomicMax": {AtomicMaxI, AtomicMaxU}, "atomicMin": {AtomicMinI, AtomicMinU},
	"atomicAnd": {AtomicAnd, AtomicAnd}, "atomicOr": {AtomicOr, AtomicOr}, "atomicXor": {AtomicXor, AtomicXor},
	"atomicExchange":            {AtomicExchange, AtomicExchange},
	"atomicCompareExchangeWeak": {AtomicCompareExchange, AtomicCompareExchange},
	"atomicStoreMax":            {AtomicStoreMax64, AtomicStoreMax64}, "atomicStoreMin": {AtomicStoreMin64, AtomicStoreMin64},
}

func (c *compiler) atomicCall(x *syntax.CallExpr, call *types.Call) []uint32 {
	p := c.unfused(c.pointer(x.Args[0]))
	k := KindOf(p.t)
	at := c.address(p)
	var values []uint32
	for _, a := range x.Args[1:] {
		values = append(values, c.value(a)...)
	}
	first := c.inRow(values)
	var to []uint32
	if call.Type != nil {
		to = c.row(c.FlatWords(call.Type))
	}
	kind := atomicKinds[call.Builtin.Name][0]
	if k == types.U32Kind {
		kind = atomicKinds[call.Builtin.Name][1]
	}
	if p.where == InBuffers {
		kind |= AtomicInBuffer
		c.Atomics = true
	}
	c.note(x.Span())
	var slot uint32
	if len(to) > 0 {
		slot = to[0]
	}
	c.emit(OpAtomic, kind, slot, at, first)
	return to
}
