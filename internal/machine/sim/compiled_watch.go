package sim

import (
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Compiled code that is watched keeps the watcher's records, in the same memory. Where something
// may have to be told, it stops before the instruction, and the interpreter goes on to the next
// entry.

// mostRecords limits the memory for the records of a compiled run, in cells.
const mostRecords = 1 << 22

// recorded says how much the watcher records; nothing in a run that is not watched.
func (d *dispatch) recorded() (r wasm.Watched) {
	if w := d.watch; w != nil {
		r = wasm.Watched{Cells: int(w.writers.size), Wrote: len(w.wrote), Own: len(w.own) > 0}
	}
	return r
}

// viewOf returns words as records.
func viewOf[T any](words []uint32) []T {
	var record T
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), uintptr(len(words))*4/unsafe.Sizeof(record))
}

// moveTo moves the records to where compiled code finds them.
func (w *watcher) moveTo(m *machine, core *wasm.Core) {
	w.shared = moved(w.shared, core.SharedCells)
	w.written = moved(w.written, core.Written)
	w.wrote = moved(w.wrote, core.Wrote)
	m.badAt = moved(m.badAt, core.BadAt)
	w.writers.moveTo(viewOf[writers](core.Writers))
	w.readers.moveTo(viewOf[readers](core.Readers))
	for _, a := range w.own {
		first := a.base * wasm.OwnWords
		a.cells = moved(a.cells, core.Own[first:first+uint32(len(a.cells))*wasm.OwnWords])
	}
	if len(w.own) > 0 {
		for slot, a := range w.ownOf {
			if a != nil && !a.overlap {
				core.OwnMarks[slot] = 1
			}
		}
	}
	w.core, w.quietNow = core, w.quiet()
}

// moved copies a list to words and returns it there; nil stays nil.
func moved[T any](list []T, words []uint32) []T {
	if list == nil {
		return nil
	}
	to := viewOf[T](words)[:len(list):len(list)]
	copy(to, list)
	return to
}

// moveTo moves all records to a list.
func (p *pages[T]) moveTo(list []T) {
	for i, page := range p.pages {
		first := i << pageBits
		to := list[first:min(first+1<<pageBits, len(list))]
		copy(to, page)
		p.pages[i] = to
	}
}

// state returns what compiled code has to know of the watcher.
func (w *watcher) state() wasm.Watch {
	return wasm.Watch{
		Group: w.group, SharedPhase: w.sharedPhase, BufferPhase: w.bufferPhase, TexturePhase: w.texturePhase, Texels: w.texels,
		SharedStart: w.sharedStart, BufferStart: w.bufferStart, TextureStart: w.textureStart,
		HasRead: w.hasRead, Writable: w.writers.size << 2 >> halfShift(w.Program), FirstWrote: uint64(w.group-1) * uint64(w.invocations), Quiet: w.quietNow,
	}
}

// goOn takes over what whole workgroups have changed.
func (w *watcher) goOn(s wasm.Watch) {
	w.group, w.sharedPhase, w.bufferPhase, w.texturePhase = s.Group, s.SharedPhase, s.BufferPhase, s.TexturePhase
	w.sharedStart, w.bufferStart, w.textureStart = s.SharedStart, s.BufferStart, s.TextureStart
}

// quiet returns the kinds of remarks that are told once.
func (w *watcher) quiet() (q wasm.Quiet) {
	if w.wrapTold {
		q |= wasm.QuietWrap
	}
	for kind, bit := range map[findings.Kind]wasm.Quiet{
		findings.DivisionByZero: wasm.QuietDivision, findings.Overflow: wasm.QuietOverflow, findings.NotANumber: wasm.QuietNaN, findings.Subnormal: wasm.QuietSubnormal,
	} {
		if w.toldOf(kind, 0, 0) {
			q |= bit
		}
	}
	return q
}

// interpret runs an invocation in the interpreter from an instruction at which compiled code
// stopped to the next entry.
func (m *machine) interpret(inv *invocation) stop {
	m.hold()
	w, pc, in := m.watch, inv.pc, &m.Program.Code[inv.pc]
	made := pc
	if info := in.Op.Info(); info.Access == ir.Read && info.Operands.C == ir.OperandNumber {
		made = inv.slots[in.B] &^ ir.NoAddress
	}
	m.budget = m.steps
	inv.entry = unknownEntry
	state := m.exec(inv)
	m.budget = m.granted
	w.quietNow = w.quiet()
	full := func(kind findings.Kind) bool { return w.count[kind] >= maxFindings }
	if in.Op.Info().Access == ir.Read {
		if w.toldOf(findings.OutOfBoundsRead, m.accessOf(pc), made) || full(findings.OutOfBoundsRead) {
			w.core.QuietAt[pc] = w.core.QuietAt[pc]&sign32 | (made + 1)
		}
		if w.toldOf(findings.UnwrittenRead, pc, pc) || full(findings.UnwrittenRead) {
			w.core.QuietAt[pc] |= sign32
		}
	}
	m.stops++
	m.leaveIfSlow()
	return state
}

// Own records an access to a slot of an array of the invocation's own.
func (m *machine) Own(invocation, pc, slot uint32) {
	inv, w := &m.invs[invocation], m.watch
	effort := m.effort
	if m.Program.Code[pc].Op == ir.OpLoadSlots {
		w.readOwn(m, inv, pc, slot, 1)
	} else {
		w.writeOwn(m, inv, slot, 1)
	}
	m.effort = effort // compiled code counts it
	if a := w.ownOf[slot]; a.overlap {
		for i := range a.cells {
			w.core.OwnMarks[a.base+uint32(i)] = 0 // nothing about it will be told
		}
	}
}
