package wasm

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// Compiled code computes before a loop what each round would compute again: words of uniforms,
// which no shader writes, and operations whose operands the loop doesn't change. Steps count as
// written.

// A uniform is a word of a binding.
type uniform struct{ slot, offset uint32 }

// findUniforms gives a local to each word of a uniform that a loop loads.
func (g *generator) findUniforms() {
	g.uniforms = map[uniform]uint32{}
	for i := range g.ops {
		o := &g.ops[i]
		if o.Op != ir.OpLoadBuffer || g.container(uint32(i)) < 0 || o.N > mostInLocals {
			continue
		}
		if b := g.bufferIn(o.B); b != nil && b.Uniform && uint64(o.C)+4*uint64(o.N) <= b.MinBytes {
			for word := range uint32(o.N) {
				u := uniform{o.B, o.C + 4*word}
				if _, known := g.uniforms[u]; !known {
					g.uniforms[u] = g.newLocal(i32)
					g.uniformList = append(g.uniformList, u)
				}
			}
		}
	}
}

func (g *generator) newLocal(k valueKind) uint32 {
	g.extra = append(g.extra, k)
	return g.firstExtra + uint32(len(g.extra)-1)
}

// loadUniforms loads them, at the begin of a run.
func (g *generator) loadUniforms() {
	for _, u := range g.uniformList {
		g.localGet(ownSlots)
		g.load(i32, 4*u.slot)
		g.load(i32, u.offset)
		g.localSet(g.uniforms[u])
	}
}

// fromUniforms emits a load of words that locals hold.
func (g *generator) fromUniforms(o *op) bool {
	if _, known := g.uniforms[uniform{o.B, o.C}]; !known {
		return false
	}
	for i := range uint32(o.N) {
		if _, known := g.uniforms[uniform{o.B, o.C + 4*i}]; !known {
			return false
		}
	}
	if g.watches && g.program.Notes[o.pc].Float {
		for i := range uint32(o.N) {
			g.checkLoaded(o, g.uniforms[uniform{o.B, o.C + 4*i}])
		}
	}
	for i := range uint32(o.N) {
		g.set(o.A+i, i32, func() { g.localGet(g.uniforms[uniform{o.B, o.C + 4*i}]) })
	}
	return true
}

// hoistable are the instructions that a loop's begin may compute in advance.
var hoistable = []ir.Opcode{
	ir.OpMulI, ir.OpMulU, ir.OpAddI, ir.OpAddU, ir.OpSubI, ir.OpSubU, ir.OpShl, ir.OpShrI, ir.OpShrU, ir.OpAnd, ir.OpOr, ir.OpXor, ir.OpMulF, ir.OpDivF,
}

// A hoisted is the locals with a result that is computed in advance, and whether it wraps around.
type hoisted struct{ value, wraps uint32 }

// findHoisted finds the operations to compute before each loop: the outermost one that does not
// change their operands.
func (g *generator) findHoisted() {
	g.hoisted, g.inAdvance = map[uint32]hoisted{}, map[int][]uint32{}
	changes := make([]slots, len(g.loops))
	for n, l := range g.loops {
		changes[n] = g.none()
		for at := l.head; at <= l.back; at++ {
			g.ops[at].uses(func(uint32) {}, func(slot uint32) {
				if i, ok := g.local[slot]; ok {
					changes[n].add(i)
				}
			})
		}
	}
	fixed := func(loop int, slot uint32) bool {
		if _, constant := g.constant(slot); constant {
			return true
		}
		i, ok := g.local[slot]
		return ok && !changes[loop].has(i)
	}
	for at := range g.ops {
		o := &g.ops[at]
		index := o.Op == ir.OpIndex && g.bounds.fits[at]
		if !index && !slices.Contains(hoistable, o.Op) {
			continue
		}
		to := -1
		for n, l := range g.loops {
			if l.head <= uint32(at) && uint32(at) <= l.back && fixed(n, o.B) && (index || fixed(n, o.C)) {
				to = n
				break
			}
		}
		if to >= 0 {
			h := hoisted{value: g.newLocal(hoistedKind(o))}
			if g.watches && o.Op.Info().Watched != 0 && !g.float(o) {
				h.wraps = g.newLocal(i32)
			}
			g.hoisted[uint32(at)] = h
			g.inAdvance[to] = append(g.inAdvance[to], uint32(at))
		}
	}
}

// hoist computes what a loop doesn't change.
func (g *generator) hoist(loop int) {
	for _, at := range g.inAdvance[loop] {
		o := &g.ops[at]
		h := g.hoisted[at]
		if o.Op == ir.OpIndex {
			g.get(o.B, i32)
			g.scale(uint32(o.N))
			g.localSet(h.value)
			continue
		}
		b := operators[o.Op]
		g.get(o.B, b.of)
		g.get(o.C, b.of)
		g.emit(b.op)
		if g.localSet(h.value); h.wraps != 0 {
			if !g.wraps(o, h.value) {
				g.i32Const(0)
			}
			g.localSet(h.wraps)
		}
	}
}

func hoistedKind(o *op) valueKind {
	if o.Op == ir.OpIndex {
		return i32
	}
	return operators[o.Op].to
}

// takeHoisted sets a slot to what was computed in advance.
func (g *generator) takeHoisted(o *op, h hoisted) {
	if h.wraps != 0 && g.bounds.neverWraps(g.now, o) {
		// nothing to tell
	} else if h.wraps != 0 {
		g.localGet(h.wraps)
		g.unlessQuiet(o, QuietWrap)
	} else if g.watches && o.Op.Info().Watched != 0 {
		g.checkFinite(o, h.value)
	}
	g.set(o.A, hoistedKind(o), func() { g.localGet(h.value) })
}
