package sim

import (
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Stepper runs a dispatch statement by statement, one workgroup after the other, and shows the
// values of every invocation in the workgroup. Debuggers build on it. To go back, start again: the
// same steps lead to the same state.
type Stepper struct {
	dispatch *dispatch
	machine  *machine
	number   uint64 // the workgroup's number
	told     int    // number of findings that Fresh has returned

	sharedSince, bufferSince uint32 // the phases at the start of the workgroup

	spare *spare // for evaluations; nil before the first that needs a copy
}

// State says what an invocation is about to do.
type State uint8

// The states of an invocation.
const (
	AtStatement State = iota // it is before a statement
	AtBarrier                // it waits for its workgroup
	AtSubgroup               // it waits for its subgroup
	Ended                    // it has returned
)

// A ProgramPoint is where an invocation is.
type ProgramPoint struct {
	State     State
	Statement syntax.Stmt     // set in state AtStatement
	Span      syntax.Span     // the statement, the call or the place where it returned
	Function  *types.Function // the innermost function
}

// A Frame is a function call in progress.
type Frame struct {
	Function *types.Function
	Span     syntax.Span // its current statement, or the call of the next inner function
}

// A Variable is a named value.
type Variable struct {
	Object *types.Object
	Value  types.Value // not Valid for runtime-sized arrays: ask for an Element
	from   ir.VariablePlace
}

// Debug starts a session before the first statements of the first workgroup. The program must have
// been compiled with debug. The buffers are as for Run; the shader's writes appear in them when
// Write is called.
func (p *Program) Debug(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer) (*Stepper, error) {
	if len(p.Stops) == 0 && len(p.Code) > 1 {
		return nil, ir.ErrNotForDebugging
	}
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	groups := uint64(workgroups[0]) * uint64(workgroups[1]) * uint64(workgroups[2])
	d := &dispatch{Program: p, host: host, workgroups: workgroups, groups: groups, limit: &meter{ctx: ctx}, watch: newWatcher(p, host.writable, host.texels, groups)}
	s := &Stepper{dispatch: d, machine: d.apart()}
	s.begin(0)
	return s, nil
}

// apart returns a machine in which every invocation has its own slots, whether they wait for each
// other or not.
func (d *dispatch) apart() *machine {
	separate := *d.Program.Program
	separate.Barriers = true
	m := newMachine(&separate, d.host, d.workgroups)
	m.watch, m.code, m.badAt = d.watch, d.WatchedCode, make([]uint32, len(d.Code))
	return m
}

func (s *Stepper) begin(number uint64) {
	s.number = number
	s.machine.enter(number, s.dispatch.workgroups)
	s.sharedSince, s.bufferSince = s.machine.watch.sharedPhase, s.machine.watch.bufferPhase
	for i := range s.machine.invs {
		s.machine.start(&s.machine.invs[i])
		s.run(&s.machine.invs[i])
	}
}

// statementInstructions is the maximum number of instructions between two statements, unless the
// code is very large.
const statementInstructions = 1 << 24

func (s *Stepper) run(inv *invocation) {
	s.machine.budget, s.machine.effort = s.machine.steps+statementInstructions, 0
	inv.state = s.machine.exec(inv)
}

// A Statement is a statement where invocations stop.
type Statement struct {
	Node     syntax.Stmt
	Function *types.Function
}

// Statements returns the statements at which a session of the program stops. It returns none if the
// program was compiled without debug.
func (p *Program) Statements() []Statement {
	list := make([]Statement, len(p.Stops))
	for i, s := range p.Stops {
		list[i] = Statement{s.Node, s.Function}
	}
	return list
}

// Steps returns the number of instructions that all invocations have executed so far.
func (s *Stepper) Steps() uint64 { return s.machine.steps }

// Number returns the number of the current workgroup, counted in x, then y, then z.
func (s *Stepper) Number() uint64 { return s.number }

// Workgroup returns the id of the current workgroup.
func (s *Stepper) Workgroup() [3]uint32 { return s.machine.group }

// Invocations returns the number of invocations in a workgroup.
func (s *Stepper) Invocations() int { return len(s.machine.invs) }

// Step runs an invocation of the workgroup, by its local_invocation_index, to its next statement, a
// barrier or its end, and returns its position. An invocation that waits or has ended does not
// move.
func (s *Stepper) Step(local int) ProgramPoint {
	if inv := &s.machine.invs[local]; inv.state != waiting && inv.state != meeting && inv.state != ended {
		s.run(inv)
	}
	return s.At(local)
}

// Meet releases the invocations that wait for others, at functions of their subgroup or at
// barriers, once no invocation can run any further. It reports whether it did.
func (s *Stepper) Meet() bool {
	waits := 0
	for i := range s.machine.invs {
		switch s.machine.invs[i].state {
		case waiting:
			waits++
		case ended, meeting:
		default:
			return false
		}
	}
	if s.machine.join(nil) {
		for i := range s.machine.invs {
			if inv := &s.machine.invs[i]; inv.state == running {
				s.run(inv)
			}
		}
		return true
	}
	if waits == 0 {
		return false
	}
	s.machine.watch.meet(s.machine, waits)
	for i := range s.machine.invs {
		if inv := &s.machine.invs[i]; inv.state == waiting {
			s.run(inv)
		}
	}
	return true
}

// Next goes to the next workgroup, or returns false if there is none. It abandons the current
// workgroup as it is.
func (s *Stepper) Next() bool {
	if s.number+1 >= s.dispatch.groups {
		return false
	}
	s.begin(s.number + 1)
	return true
}

// Write copies the writes so far to the host's buffers.
func (s *Stepper) Write() { s.dispatch.host.download() }

// Findings returns the findings so far, errors first.
func (s *Stepper) Findings() []findings.Finding {
	seen := watcher{findings: slices.Clone(s.machine.watch.findings)}
	return seen.sorted()
}

// Fresh returns the findings since its last call.
func (s *Stepper) Fresh() []findings.Finding {
	found := s.machine.watch.findings[s.told:]
	s.told += len(found)
	return found
}

// At returns the position of an invocation.
func (s *Stepper) At(local int) ProgramPoint {
	inv := &s.machine.invs[local]
	pc := inv.pc - 1
	p := ProgramPoint{Span: s.machine.Notes[pc].Span}
	if f := s.machine.FunctionAt(pc); f != nil {
		p.Function = f.Function
	}
	switch inv.state {
	case waiting:
		p.State = AtBarrier
	case meeting:
		p.State = AtSubgroup
	case ended:
		p.State = Ended
	case atStmt:
		p.Statement = s.machine.Stops[s.machine.code[pc].C].Node
	}
	return p
}

// Stack returns the functions that an invocation is in, innermost first.
func (s *Stepper) Stack(local int) (frames []Frame) {
	inv := &s.machine.invs[local]
	pc := inv.pc - 1
	for {
		f := s.machine.FunctionAt(pc)
		if f == nil {
			return frames
		}
		frames = append(frames, Frame{f.Function, s.machine.Notes[pc].Span})
		if f.Entry != nil {
			return frames
		}
		pc = inv.slots[f.Ret] - 1
	}
}

// Variables returns the variables that are visible in a frame of the invocation's stack: the
// module's first, the innermost scope's last.
func (s *Stepper) Variables(local, frame int) (list []Variable) {
	stack := s.Stack(local)
	if frame >= len(stack) {
		return nil
	}
	at := stack[frame]
	offset := at.spot()
	for _, v := range s.machine.Variables {
		if v.In != nil && (v.In != at.Function || !v.Visible(offset)) {
			continue
		}
		list = append(list, Variable{v.Object, s.value(local, v), v})
	}
	return list
}

// value returns the present value of a variable, from the memory that holds it. A runtime-sized
// array has none: the debugger reads its elements one by one.
func (s *Stepper) value(local int, v ir.VariablePlace) types.Value {
	t := v.Object.Store()
	if types.HasRuntimeArray(t) {
		return types.Value{}
	}
	m := s.machine
	if b, buffer := t.(*types.Buffer); buffer {
		t = m.wordsOf(b, v)
	}
	switch {
	case v.Slots != nil:
		words := make([]uint32, len(v.Slots))
		for i, slot := range v.Slots {
			words[i] = m.invs[local].slots[slot]
		}
		return m.decode(t, words)
	case v.Where == ir.InBuffers:
		return m.decodeBuffer(t, m.regions[v.Binding].base)
	case v.Where == ir.InShared:
		return m.decode(t, m.DecodeShared(t, m.shared[v.Base:]))
	}
	return m.decode(t, m.invs[local].slots[v.Base:v.Base+m.FlatWords(t)])
}

// mostShown limits the words of a buffer that are shown.
const mostShown = 1024

// wordsOf returns the type as which a buffer is shown: the words that it has.
func (m *machine) wordsOf(b *types.Buffer, v ir.VariablePlace) types.Type {
	bytes := m.Pipeline.SizeOf(b)
	if v.Where == ir.InBuffers {
		bytes = uint64(m.regions[v.Binding].size)
	}
	return &types.Array{Elem: types.U32, Count: min(max(bytes/4, 1), mostShown)}
}

// Length returns the number of elements of a variable that is or ends in a runtime-sized array; 0
// for others.
func (s *Stepper) Length(v Variable) int {
	for i, a := range s.machine.Arrays {
		if v.from.Where == ir.InBuffers && a.Binding == v.from.Binding {
			return int(s.machine.runs[i].length)
		}
	}
	return 0
}

// Element returns one element of an array in a buffer or in workgroup memory. For a variable there
// that is not an array, it returns the variable's value. The result is not Valid if there is no
// such element.
func (s *Stepper) Element(v Variable, index int) types.Value {
	a, ok := v.Object.Store().(*types.Array)
	if !ok {
		return s.value(0, v.from)
	}
	m, count := s.machine, int(s.machine.Pipeline.Count(a))
	if a.Runtime() {
		count = s.Length(v)
	}
	if index < 0 || index >= count {
		return types.Value{}
	}
	at := uint32(index) * v.stride(s)
	switch v.from.Where {
	case ir.InShared:
		return m.decode(a.Elem, m.DecodeShared(a.Elem, m.shared[v.from.Base+at:]))
	case ir.InBuffers:
		return m.decodeBuffer(a.Elem, m.regions[v.from.Binding].base+at)
	}
	return types.Value{}
}

// decode builds a value from words without padding.
func (m *machine) decode(t types.Type, words []uint32) types.Value {
	v, _ := m.decodeFront(t, words)
	return v
}

func (m *machine) decodeFront(t types.Type, words []uint32) (types.Value, []uint32) {
	switch t := t.(type) {
	case *types.Scalar:
		return types.ScalarValue(t, words[0]), words[1:]
	case *types.Atomic:
		return m.decodeFront(t.Elem, words)
	case *types.Struct:
		parts := make([]types.Value, len(t.Members))
		for i, member := range t.Members {
			parts[i], words = m.decodeFront(member.Type, words)
		}
		return types.CompositeValue(t, parts), words
	}
	elem, count := m.Parts(t)
	if elem == nil {
		return types.Value{}, words[1:] // a pointer
	}
	parts := make([]types.Value, count)
	for i := range parts {
		parts[i], words = m.decodeFront(elem, words)
	}
	return types.CompositeValue(t, parts), words
}

// decodeBuffer builds a value from the bytes in the buffers at an address.
func (m *machine) decodeBuffer(t types.Type, address uint32) types.Value {
	var slot uint32
	pieces := m.Pieces(nil, t, address, &slot)
	words := make([]uint32, slot)
	for _, p := range pieces {
		if p.Half {
			words[p.Slot] = m.loadHalf(p.Offset)
			continue
		}
		copy(words[p.Slot:p.Slot+p.N], m.buffers[p.Offset>>2:])
	}
	return m.decode(t, words)
}
