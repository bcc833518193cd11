package wasm

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A WayOut says why a run of an invocation left compiled code.
type WayOut uint8

// The ways out. After the first three, the next invocation runs at once.
const (
	Ended        WayOut = iota // its entry point has returned
	Waiting                    // at a barrier
	Meeting                    // at a function of its subgroup
	Exhausted                  // it has used up its steps, at the begin of a loop's round
	Calling                    // likewise, at the begin of a function
	Interpreting               // before an instruction at which the watcher has to look
)

func (s WayOut) needsHost() bool { return s >= Exhausted }

// An Exit is a way out of compiled code.
type Exit struct {
	WayOut WayOut
	PC     uint32 // as the interpreter would have it
	Next   int    // the number of the entry where the run goes on
}

// A Code is a program compiled to WebAssembly. It is read-only and safe for concurrent use.
type Code struct {
	*expanded
	Module []byte
	Exits  []Exit

	watched   bool
	starts    []uint32 // where regions begin in the whole code
	callsHost bool
	machine   machineCode
}

// Compile compiles a program's plain code, or the watched one, with records of the invocations' own
// arrays if they have any. The error says what it does not take.
func Compile(p *ir.Program, watched, own bool) (*Code, error) {
	if p.Debuggable() {
		return nil, errDebuggable
	}
	if watched && writesComponents(p) {
		return nil, errComponents
	}
	e, err := expand(p)
	if err != nil {
		return nil, err
	}
	placed := place(e, watched)
	common := &shared{}
	g := newGenerator(placed, common)
	g.own = own
	g.function()
	made := &Code{expanded: e, watched: watched, starts: e.starts()}
	bodies := []function{{0, g.locals(), g.code}}
	for _, start := range made.starts {
		r := newGenerator(placed.region(start), common)
		r.own = own
		r.regionFunction()
		bodies = append(bodies, function{0, r.locals(), r.code})
	}
	made.Exits, made.callsHost = common.exits, common.callsHost
	signatures := []signature{
		{words(2), words(1)}, {words(3), words(1)}, {words(4), words(1)}, {words(3), nil}, {words(4), nil}, {words(5), words(1)},
		floatToFloat: {[]valueKind{f64}, []valueKind{f64}}, wordToWord: {words(1), words(1)},
	}
	imports := []imported{{"function1", 0}, {"function2", 1}, {"function3", 2}, {"execute", 3}, {"own", 4}}
	var functions []function
	if watched {
		for _, shared := range []bool{true, false} {
			for _, writes := range []bool{false, true} {
				w := watching{program: p, shared: shared}
				w.function(writes)
				functions = append(functions, function{5, words(watchLocals - watchCell), w.code})
			}
		}
		functions = append(functions, function{3, []valueKind{i64}, hashing()})
	}
	functions = append(functions, g.helpers()...)
	groups := grouping{Code: made, whole: uint32(len(imports) + len(functions))}
	groups.function()
	functions = append(append(functions, bodies...), function{0, words(1), groups.code})
	made.Module = module(signatures, imports, functions)
	return made, nil
}

// words returns the types of n words.
func words(n int) []valueKind {
	list := make([]valueKind, n)
	for i := range list {
		list[i] = i32
	}
	return list
}

// writesComponents reports whether a store to one component of a vector may rewrite the others, for
// which the watcher has records of its own.
func writesComponents(p *ir.Program) bool {
	for pc, n := range p.Notes {
		if info := p.Code[pc].Op.Info(); n.Vector.Size > 0 && info.Access == ir.Write && info.Memory != ir.InSlots {
			return true
		}
	}
	return false
}

// RegionOf returns the number of the region that begins at an entry, or -1.
func (c *Code) RegionOf(entry int) int {
	if entry == Start {
		return 0
	}
	if entry < 0 {
		return -1
	}
	return slices.Index(c.starts, c.entries[entry])
}

// EntryOf returns the entry at which a region begins.
func (c *Code) EntryOf(region int) int {
	if region == 0 {
		return Start
	}
	return c.entry(c.starts[region])
}

// AfterBarrier reports whether a region begins after a barrier.
func (c *Code) AfterBarrier(region int) bool {
	return region > 0 && c.ops[c.starts[region]-1].Op == ir.OpBarrier
}

// PC returns the instruction at an entry, or the first one.
func (c *Code) PC(entry int) uint32 {
	if entry == Start {
		return 0
	}
	return c.ops[c.entries[entry]].pc
}

// Entry returns the number of the entry at which an invocation can go on, or -1. Slots are the
// invocation's: they say which calls it is in.
func (c *Code) Entry(pc uint32, slots []uint32) int {
	number, ok := c.copyOf(pc, slots)
	if !ok {
		return -1
	}
	for n, at := range c.entries {
		if int(at) < len(c.ops) && c.ops[at].pc == pc && c.ops[at].copy == number {
			return n
		}
	}
	return -1
}

// copyOf returns the copy of a function in which an invocation is.
func (c *Code) copyOf(pc uint32, slots []uint32) (number int, ok bool) {
	f := c.program.FunctionAt(pc)
	if f == nil {
		return 0, false
	}
	if f.Entry != nil {
		return 0, true
	}
	call := slots[f.Ret] - 1
	outer, ok := c.copyOf(call, slots)
	if !ok {
		return 0, false
	}
	number, ok = c.copies[copying{outer, call}]
	return number, ok
}
