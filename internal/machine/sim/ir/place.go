package ir

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A MemoryKind is one of the machine's memories.
type MemoryKind uint8

const (
	InSlots   MemoryKind = iota // function and private: addresses are slots
	InShared                    // workgroup: words
	InBuffers                   // storage and uniform: bytes
)

// Unit returns the size of a word in a memory's addresses.
func (m MemoryKind) Unit() uint32 {
	if m == InBuffers {
		return 4
	}
	return 1
}

// A place is the target of a reference or pointer: base, plus the content of slot dyn if it is
// dynamic. Values have no padding in slots and workgroup memory; in buffers they have the layout of
// § 14.4.
type place struct {
	where   MemoryKind
	dynamic bool
	base    uint32
	dyn     uint32
	t       types.Type
	binding int        // 1 + the binding at whose start dyn points; 0 if unknown
	fused   bool       // element index of the runtime-sized array
	array   uint32     //
	index   uint32     //
	note    SourceNote // of the index
	picks   []int      // the vector's components, if it is a swizzle
	vector  vectorAt
	row     span // in slots: those of the whole value, if it is dynamic and they are known

	limited bool   // a pointer says where the memory ends
	avail   uint32 // the slot with the number of bytes from where it points to
	into    uint32 // how many of them are before the place
}

func memoryOf(space types.AddressSpace) MemoryKind {
	switch space {
	case types.SpaceWorkgroup:
		return InShared
	case types.SpaceStorage, types.SpaceUniform, types.SpaceImmediate:
		return InBuffers
	}
	return InSlots
}

// place returns the place that a reference expression refers to.
func (c *compiler) place(x syntax.Expr) place {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.place(x.X)
	case *syntax.IdentExpr:
		p, ok := c.places[c.info.Uses[x]]
		if !ok {
			c.fail(x, "the variable `%s`", x.Name.Name)
		}
		return p
	case *syntax.UnaryExpr: // *p
		return c.pointer(x.X)
	case *syntax.IndexExpr:
		return c.indexed(c.base(x.X), x)
	case *syntax.MemberExpr:
		return c.memberOf(c.base(x.X), x)
	}
	c.fail(x, "this reference")
	return place{}
}

// base returns the place before an index or a dot: that of a reference or a pointer.
func (c *compiler) base(x syntax.Expr) place {
	if _, pointer := c.info.Exprs[x].ValueType().(*types.Pointer); pointer {
		return c.pointer(x)
	}
	return c.place(x)
}

// pointer returns the place that a pointer points to.
func (c *compiler) pointer(x syntax.Expr) place {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.pointer(x.X)
	case *syntax.UnaryExpr: // &x
		return c.place(x.X)
	case *syntax.IdentExpr:
		o := c.info.Uses[x]
		if p, ok := c.places[o]; ok {
			return p
		}
		p, slots := o.Type.(*types.Pointer), c.values[o]
		at := place{where: memoryOf(p.Space), dyn: slots[0], dynamic: true, t: p.Elem}
		if len(slots) > 1 {
			at.limited, at.avail = true, slots[1]
		}
		return at
	case *syntax.CallExpr:
		if call := c.info.Calls[x]; call != nil && call.Views() {
			return c.view(x, call)
		}
	}
	c.fail(x, "this pointer")
	return place{}
}

// address returns the slot that holds the address of a place.
func (c *compiler) address(p place) uint32 {
	p = c.unfused(p)
	switch {
	case !p.dynamic:
		return c.word(p.base)
	case p.base == 0:
		return p.dyn
	}
	at := c.alloc(1)
	c.emit(OpAddOffset, 0, at, p.dyn, p.base)
	return at
}

// unfused computes the address of an element whose load or store would otherwise compute it.
func (c *compiler) unfused(p place) place {
	if !p.fused {
		return p
	}
	at := c.alloc(1)
	c.at = p.note
	c.emit(OpIndexElement, 0, at, p.index, p.array)
	return place{where: InBuffers, dyn: at, dynamic: true, t: p.t}
}

func (c *compiler) memberOf(p place, x *syntax.MemberExpr) place {
	p = c.unfused(p)
	if s, ok := p.t.(*types.Struct); ok {
		m := s.Member(x.Name.Name)
		p.t = m.Type
		if c.bytewise(p.where) {
			p.base += uint32(m.Offset) / p.where.scale()
			p.into += uint32(m.Offset)
		} else {
			p.base += c.memberWord(s, m.Index)
		}
		return p
	}
	picks := c.info.Swizzle(x)
	v := p.t.(*types.Vector)
	if p.picks == nil {
		p.vector = c.vectorAt(p, v)
	} else { // v.wzyx.xy
		chosen := make([]int, len(picks))
		for i, pick := range picks {
			chosen[i] = p.picks[pick]
		}
		picks = chosen
	}
	if len(picks) > 1 {
		p.picks, p.t = picks, types.VectorOf(len(picks), v.Elem)
		return p
	}
	p.picks, p.t = nil, v.Elem
	p.base += uint32(picks[0]) * c.Stride(p.where, v)
	return p
}

// vectorAt says where the vector at a place is, for the watcher of its components. Invocations do
// not share slots.
func (c *compiler) vectorAt(p place, v *types.Vector) vectorAt {
	if p.where == InSlots {
		return vectorAt{}
	}
	slot, base := c.start(p)
	return vectorAt{slot, base, uint32(v.Size) * c.Stride(p.where, v)}
}

// indexed returns the place of x[index].
func (c *compiler) indexed(p place, x *syntax.IndexExpr) place {
	p = c.unfused(p)
	if p.picks != nil { // only read: put the components side by side
		p = place{where: InSlots, base: c.inRow(c.load(p, x.X)), t: p.t}
	}
	elem, count := c.Parts(p.t)
	stride := c.Stride(p.where, p.t)
	whole := p.t
	if v, ok := whole.(*types.Vector); ok {
		p.vector = c.vectorAt(p, v)
	}
	if p.where == InSlots && !p.dynamic {
		p.row = span{p.base, p.base + c.FlatWords(p.t)}
	}
	p.t = elem
	if v := c.Pipeline.Value(x.Index); v.Valid() && uint64(v.Int()) < count {
		p.base += uint32(v.Int()) * stride
		return p
	}
	i := c.value(x.Index)[0]
	c.at = SourceNote{Span: x.Span(), Index: x.Index.Span(), Kind: KindOf(c.typeOf(x.Index))}
	if a, ok := whole.(*types.Array); ok && a.Runtime() {
		return c.indexedRuntime(p, i, a)
	}
	at := c.alloc(1)
	switch {
	case count > 1<<31:
		tooLarge()
	case stride > 0xffff:
		c.BigIndexes = append(c.BigIndexes, bigIndex{uint32(count), stride})
		c.emit(OpIndexBig, 0, at, i, uint32(len(c.BigIndexes)-1))
	default:
		c.emit(OpIndex, int(stride), at, i, uint32(count))
	}
	return c.shifted(p, at)
}

// shifted moves a place by an offset in a slot.
func (c *compiler) shifted(p place, offset uint32) place {
	if p.dynamic {
		sum := c.alloc(1)
		c.emit(OpAddAddress, 0, sum, p.dyn, offset)
		offset = sum
	}
	p.dynamic, p.dyn, p.binding = true, offset, 0
	return p
}

func (c *compiler) indexedRuntime(p place, i uint32, a *types.Array) place {
	stride := uint32(a.Stride())
	if p.limited {
		return c.indexedView(p, i, a, stride)
	}
	if p.binding > 0 {
		n := c.arrayIn(p, stride)
		if s, ok := a.Elem.(*types.Scalar); ok && s != types.F16 {
			return place{where: InBuffers, t: a.Elem, fused: true, array: n, index: i, note: c.at}
		}
		at := c.alloc(1)
		c.emit(OpIndexElement, 0, at, i, n)
		return place{where: InBuffers, t: a.Elem, dynamic: true, dyn: at}
	}
	begin, length, at := c.address(p), c.alloc(1), c.alloc(1)
	c.emit(OpLengthAt, 0, length, begin, stride)
	if stride > 0xffff {
		c.fail(nil, "elements of %d bytes through a pointer", stride)
	}
	c.emit(OpIndexUpTo, int(stride), at, i, length)
	sum := c.alloc(1)
	c.emit(OpAddAddress, 0, sum, begin, at)
	return place{where: InBuffers, t: a.Elem, dynamic: true, dyn: sum}
}

// arrayIn returns the number of the runtime-sized array at a place in a binding.
func (c *compiler) arrayIn(p place, stride uint32) uint32 {
	want := arrayInBuffer{p.binding - 1, p.base, stride}
	for i, a := range c.Arrays {
		if a == want {
			return uint32(i)
		}
	}
	c.Arrays = append(c.Arrays, want)
	return uint32(len(c.Arrays) - 1)
}

// length returns the slot with the number of elements of a runtime-sized array.
func (c *compiler) length(p place) uint32 {
	n := c.alloc(1)
	stride := uint32(p.t.(*types.Array).Stride())
	switch {
	case p.limited:
		return c.countView(p, stride)
	case p.binding > 0:
		c.emit(OpLength, 0, n, 0, c.arrayIn(p, stride))
	default:
		c.emit(OpLengthAt, 0, n, c.address(p), stride)
	}
	return n
}

// load loads the value at a place.
func (c *compiler) load(p place, at syntax.Node) []uint32 {
	c.noteLoad(p, at)
	if p.picks != nil {
		var slots []uint32
		for _, pick := range p.picks {
			slots = append(slots, c.load(p.pick(pick, c), at)...)
		}
		return slots
	}
	n := c.FlatWords(p.t)
	switch {
	case p.fused:
		to := c.alloc(1)
		float := c.at.Float
		c.at = p.note
		c.at.Float = float
		c.emit(OpLoadElement, 1, to, p.index, p.array)
		return []uint32{to}
	case p.where == InSlots && !p.dynamic:
		here := rowFrom(p.base, n)
		if !c.careful {
			return here
		}
		to := c.row(n)
		c.move(to, here)
		return to
	}
	to := c.row(n)
	c.loadTo(p, to)
	return to
}

// pick returns the place of one component of a swizzle.
func (p place) pick(i int, c *compiler) place {
	v := p.t.(*types.Vector)
	p.base += uint32(i) * c.Stride(p.where, v)
	p.picks, p.t = nil, v.Elem
	return p
}

func (c *compiler) noteLoad(p place, at syntax.Node) {
	elem := types.ElemOf(p.t)
	c.at.Span = at.Span()
	c.at.Float = elem != nil && elem.Float()
}

// loadTo loads from a memory that needs a load instruction.
func (c *compiler) loadTo(p place, to []uint32) {
	from, base := c.start(p)
	switch {
	case p.where == InBuffers:
		var slot uint32
		for _, piece := range c.Pieces(nil, p.t, base, &slot) {
			if piece.Half {
				c.Halves = true
				c.emit(OpLoadHalf, 1, to[0]+piece.Slot, from, piece.Offset)
			} else {
				c.emit(OpLoadBuffer, int(piece.N), to[0]+piece.Slot, from, piece.Offset)
			}
		}
	case p.where == InShared && c.SharedBytes:
		c.eachPiece(p.t, func(at, slot, n uint32) { c.emit(OpLoadWorkgroup, int(n), to[0]+slot, from, base+at) })
	default:
		o := OpLoadSlots
		c.at.Row = p.row
		if p.where == InShared {
			o = OpLoadWorkgroup
		}
		c.inChunks(uint32(len(to)), func(at, n uint32) { c.emit(o, int(n), to[0]+at, from, base+at) })
	}
}

// start returns the slot of a place's address and the offset to add.
func (c *compiler) start(p place) (slot, base uint32) {
	if !p.dynamic {
		return c.word(0), p.base
	}
	return p.dyn, p.base
}

// inChunks splits a move of n words, because an instruction moves at most 65535.
func (c *compiler) inChunks(n uint32, emit func(at, n uint32)) {
	for at := uint32(0); at < n; at += 0xffff {
		emit(at, min(n-at, 0xffff))
	}
}

// store writes a value to a place. Slots from temporary on hold nothing else.
func (c *compiler) store(p place, from []uint32, temporary uint32, at syntax.Span) {
	c.at.Span, c.at.Vector = at, p.vector
	if p.picks != nil {
		if p.where == InSlots && !p.dynamic {
			to := make([]uint32, len(p.picks))
			for i, pick := range p.picks {
				to[i] = p.base + uint32(pick)
			}
			c.assign(to, from, temporary)
			return
		}
		for i, pick := range p.picks {
			c.store(p.pick(pick, c), from[i:i+1], temporary, at)
		}
		return
	}
	switch {
	case p.fused:
		c.at = p.note
		c.emit(OpStoreElement, 1, from[0], p.index, p.array)
		return
	case p.where == InSlots && !p.dynamic:
		c.assign(rowFrom(p.base, uint32(len(from))), from, temporary)
		return
	}
	first := c.inRow(from)
	slot, base := c.start(p)
	if p.where == InShared && c.SharedBytes {
		c.eachPiece(p.t, func(at, of, n uint32) { c.emit(OpStoreWorkgroup, int(n), first+of, slot, base+at) })
		return
	}
	if p.where != InBuffers {
		o := OpStoreSlots
		c.at.Row = p.row
		if p.where == InShared {
			o = OpStoreWorkgroup
		}
		c.inChunks(uint32(len(from)), func(at, n uint32) { c.emit(o, int(n), first+at, slot, base+at) })
		return
	}
	var words uint32
	for _, piece := range c.Pieces(nil, p.t, base, &words) {
		if piece.Half {
			c.Halves = true
			c.emit(OpStoreHalf, 1, first+piece.Slot, slot, piece.Offset)
		} else {
			c.emit(OpStoreBuffer, int(piece.N), first+piece.Slot, slot, piece.Offset)
		}
	}
}
