package wasm

import (
	"errors"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// An op is an instruction in the expanded code. Every call has a copy of its function in place, so
// the targets of jumps are indexes there.
type op struct {
	ir.Instr
	pc   uint32 // its number in the program
	at   uint32 // its index in the whole code
	copy int    // of which function
}

// A copying is a function where a call goes to: the copy that has the call, and the call's number.
type copying struct {
	of   int
	call uint32
}

// An expanded is a program with its functions in place.
type expanded struct {
	program *ir.Program
	ops     []op
	copies  map[copying]int
	loops   []codeLoop // outer ones before inner ones
	entries []uint32   // where a run may begin
	whole   *expanded  // the code of which this is a region, or itself
}

// A codeLoop is a loop from its first instruction to its jump back.
type codeLoop struct{ head, back uint32 }

// mostOps limits the expanded code: functions that call others twice double it each time.
const mostOps = 6000

var (
	errTooLong    = errors.New("the shader's code is too long to compile")
	errDebuggable = errors.New("the program stops before statements")
	errComponents = errors.New("the program writes single components of shared vectors")
)

// expand puts the functions in place.
func expand(p *ir.Program) (*expanded, error) {
	e := &expanded{program: p, copies: map[copying]int{}}
	e.whole = e
	if err := e.function(p.Code, 0, 0); err != nil {
		return nil, err
	}
	e.findLoops()
	e.findEntries()
	return e, nil
}

// function appends a copy of the function that begins at an instruction.
func (e *expanded) function(from []ir.Instr, start uint32, number int) error {
	first, end := e.program.FunctionAt(start).Code()
	if len(e.ops)+int(end-first) > mostOps {
		return errTooLong
	}
	places := make([]uint32, end-first+1) // in the expanded code
	begin := len(e.ops)
	for pc := first; pc < end; pc++ {
		places[pc-first] = uint32(len(e.ops))
		in := from[pc]
		e.ops = append(e.ops, op{in, pc, uint32(len(e.ops)), number})
		if in.Op != ir.OpCall {
			continue
		}
		inner := copying{number, pc}
		e.copies[inner] = len(e.copies) + 1
		e.ops[len(e.ops)-1].C = uint32(len(e.ops))
		if err := e.function(from, in.C, e.copies[inner]); err != nil {
			return err
		}
	}
	places[end-first] = uint32(len(e.ops))
	for i := begin; i < len(e.ops); i++ {
		switch o := &e.ops[i]; {
		case o.copy != number:
		case o.Op == ir.OpReturn:
			o.C = uint32(len(e.ops))
		case o.Op != ir.OpCall && o.Op.Info().Operands.C == ir.OperandTarget:
			o.C = places[o.C-first]
		}
	}
	return nil
}

func (e *expanded) findLoops() {
	for i, o := range e.ops {
		if o.Op == ir.OpLoop && o.C <= uint32(i) {
			e.loops = append(e.loops, codeLoop{o.C, uint32(i)})
		}
	}
	slices.SortFunc(e.loops, func(a, b codeLoop) int {
		if a.head != b.head {
			return int(a.head) - int(b.head)
		}
		return int(b.back) - int(a.back)
	})
}

// findEntries lists the start, the heads of loops, the begins of functions, and what comes after a
// barrier or a function of subgroups.
func (e *expanded) findEntries() {
	e.entries = []uint32{0}
	for i, o := range e.ops {
		switch o.Op {
		case ir.OpLoop, ir.OpCall:
			e.entries = append(e.entries, o.C)
		case ir.OpBarrier, ir.OpSubgroup:
			e.entries = append(e.entries, uint32(i+1))
		}
	}
	slices.Sort(e.entries)
	e.entries = slices.Compact(e.entries)
}

// entry returns the number of the entry at an index of the expanded code, or -1.
func (e *expanded) entry(at uint32) int {
	n, ok := slices.BinarySearch(e.entries, at)
	if !ok {
		return -1
	}
	return n
}

// following returns the instructions that may run after one.
func (e *expanded) following(at uint32) []uint32 {
	switch o := &e.ops[at]; {
	case o.Op == ir.OpEnd:
		return nil
	case o.Op == ir.OpJump, o.Op == ir.OpLoop, o.Op == ir.OpCall, o.Op == ir.OpReturn:
		return []uint32{o.C}
	case o.Op.Info().Operands.C == ir.OperandTarget:
		return []uint32{o.C, at + 1}
	}
	return []uint32{at + 1}
}
