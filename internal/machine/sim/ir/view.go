package ir

import (
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// sized reports whether a pointer has a second word: the number of bytes from where it points to up
// to the end of its buffer. Only a program with views needs it: elsewhere the binding says so.
func (p *Program) sized(t types.Type) bool {
	_, buffer := t.(*types.Buffer)
	return p.Views && (buffer || types.HasRuntimeArray(t))
}

// pointerWords returns the words of a pointer to a place.
func (c *compiler) pointerWords(p place) []uint32 {
	words := []uint32{c.address(p)}
	if c.sized(p.t) {
		words = append(words, c.bytesFrom(p))
	}
	return words
}

// bytesFrom returns the slot with the number of bytes from a place to the end of its buffer. A
// buffer with a size ends there, whatever was bound: a parameter can make it smaller, but not
// larger (§ Buffer View Built-in Functions).
func (c *compiler) bytesFrom(p place) uint32 {
	b, buffer := p.t.(*types.Buffer)
	switch {
	case buffer && !b.Runtime():
		return c.word(uint32(c.Pipeline.SizeOf(b)))
	case p.limited:
		return c.above(p.avail, c.word(p.into))
	case p.binding > 0:
		n := c.alloc(1)
		c.emit(OpLength, 0, n, 0, c.arrayIn(p, 1))
		return n
	}
	c.fail(nil, "a view of this memory")
	return 0
}

// whole2 emits an operation on two whole numbers.
func (c *compiler) whole2(o Opcode, a, b uint32) uint32 {
	to := c.alloc(1)
	c.scalar(o, types.U32Kind, to, a, b)
	return to
}

// above returns by how much a number is greater than another one: 0 if it isn't.
func (c *compiler) above(a, b uint32) uint32 {
	return c.whole2(OpSubU, c.whole2(OpMaxU, a, b), b)
}

// view compiles a call of bufferView or bufferArrayView. The address of a view that doesn't fit in
// its buffer is one of an index out of bounds.
func (c *compiler) view(x *syntax.CallExpr, call *types.Call) place {
	p := c.pointer(x.Args[0])
	c.note(x.Span())
	length := c.bytesFrom(p)
	to := place{where: p.where, t: call.Type.(*types.Pointer).Elem}
	if p.where == InShared && halves(to.t) {
		c.fail(x, "f16 in a view of workgroup memory")
	}
	v, unit := types.ViewOf(to.t), p.where.scale()
	if v.Least > math.MaxInt32 {
		tooLarge()
	}
	offset := c.value(x.Args[1])[0]
	c.note(x.Span())
	offset = c.whole2(OpAnd, offset, c.word(^uint32(v.Align-1)))
	need := c.word(uint32(v.Least))
	to.limited = c.sized(to.t)
	if len(x.Args) > 2 {
		size := c.value(x.Args[2])[0]
		c.note(x.Span())
		to.avail = c.wholeElements(size, v)
		small := c.whole2(OpLtU, size, need)
		need = c.whole2(OpOr, to.avail, c.whole2(OpMulU, small, c.word(math.MaxUint32)))
	} else if to.limited {
		to.avail = c.above(length, offset)
	}
	fits := c.above(c.whole2(OpAddU, length, c.word(unit)), need) // the places where it may begin, in bytes
	if unit > 1 {
		offset, fits = c.whole2(OpShrU, offset, c.word(2)), c.whole2(OpShrU, fits, c.word(2))
	}
	c.at = SourceNote{Span: x.Span(), Index: x.Args[1].Span(), Kind: KindOf(c.typeOf(x.Args[1])), View: uint32(v.Least)}
	at := c.alloc(1)
	c.emit(OpIndexUpTo, 1, at, offset, fits)
	moved := c.shifted(p, at)
	to.dynamic, to.dyn, to.base = true, moved.dyn, moved.base
	return to
}

// halves reports whether a type holds f16, two of which share a word.
func halves(t types.Type) bool {
	switch t := t.(type) {
	case *types.Array:
		return halves(t.Elem)
	case *types.Struct:
		return slices.ContainsFunc(t.Members, func(m *types.Member) bool { return halves(m.Type) })
	}
	return types.ElemOf(t) == types.F16
}

// wholeElements returns the size of a view, without the part of an element at its end.
func (c *compiler) wholeElements(size uint32, v types.View) uint32 {
	before, stride := c.word(uint32(v.Before)), c.word(uint32(v.Stride))
	count := c.whole2(OpDivU, c.above(size, before), stride)
	return c.whole2(OpAddU, c.whole2(OpMulU, count, stride), before)
}

// countView returns the slot with the number of elements of an array whose pointer says where it
// ends.
func (c *compiler) countView(p place, stride uint32) uint32 {
	return c.whole2(OpDivU, c.bytesFrom(p), c.word(stride))
}

func (c *compiler) indexedView(p place, i uint32, a *types.Array, stride uint32) place {
	at := c.at
	n := c.countView(p, stride)
	stride /= p.where.scale()
	if stride > math.MaxUint16 {
		c.fail(nil, "elements of %d bytes through a pointer", a.Stride())
	}
	begin, offset := c.address(p), c.alloc(1)
	c.at = at
	c.emit(OpIndexUpTo, int(stride), offset, i, n)
	sum := c.alloc(1)
	c.emit(OpAddAddress, 0, sum, begin, offset)
	return place{where: p.where, t: a.Elem, dynamic: true, dyn: sum}
}

// eachPiece splits a value in workgroup memory that has the layout of buffers into runs of words.
func (c *compiler) eachPiece(t types.Type, do func(at, slot, n uint32)) {
	var words uint32
	for _, piece := range c.Pieces(nil, t, 0, &words) {
		if piece.Half {
			c.fail(nil, "f16 in workgroup memory beside a buffer")
		}
		do(piece.Offset/4, piece.Slot, piece.N)
	}
}
