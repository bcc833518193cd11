package sim

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Session runs a dispatch statement by statement, one workgroup after the other, and shows what every invocation of
// the workgroup holds. It is what a debugger stands on. Going back is starting again: a session that takes the same
// steps comes to the same place.
type Session struct {
	dispatch *dispatch
	machine  *machine
	number   uint64 // of the workgroup
	told     int    // how many findings Fresh has given

	sharedSince, bufferSince uint32 // the phases with which the workgroup began
}

// State is what an invocation is about to do.
type State uint8

// The states of an invocation.
const (
	AtStatement State = iota // it stands before a statement
	AtBarrier                // it waits for the others
	Ended                    // it has returned
)

// A Position is where an invocation stands.
type Position struct {
	State     State
	Statement syntax.Stmt     // of AtStatement
	Span      syntax.Span     // the statement, the barrier or where it returned
	Function  *types.Function // the innermost
}

// A Frame is a function that has been entered and not been left.
type Frame struct {
	Function *types.Function
	Span     syntax.Span // where it stands: the statement, or the call of the function further in
}

// A Variable is something with a name that holds a value.
type Variable struct {
	Object *types.Object
	Value  types.Value // not Valid for runtime-sized arrays: ask for an Element
	from   variable
}

// ErrNotForDebugging says that a program was compiled without debug.
var ErrNotForDebugging = errors.New("the program was not compiled for debugging")

// Debug starts a session before the first statements of the first workgroup. The program must have been compiled with
// debug. The buffers are as for Run; what the shader writes shows in them when Write is called.
func (p *Program) Debug(ctx context.Context, workgroups [3]uint32, buffers []Buffer) (*Session, error) {
	if len(p.statements) == 0 && len(p.code) > 1 {
		return nil, ErrNotForDebugging
	}
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	groups := uint64(workgroups[0]) * uint64(workgroups[1]) * uint64(workgroups[2])
	d := &dispatch{Program: p, host: host, workgroups: workgroups, groups: groups, limit: &meter{ctx: ctx}, watch: newWatcher(p, host.writable, groups)}
	s := &Session{dispatch: d, machine: d.apart()}
	s.begin(0)
	return s, nil
}

// apart is a machine in which every invocation has slots of its own, whether they wait for each other or not.
func (d *dispatch) apart() *machine {
	separate := *d.Program
	separate.barriers = true
	m := newMachine(&separate, d.host, d.workgroups)
	m.watch, m.code, m.badAt = d.watch, d.watchedCode, make([]uint32, len(d.code))
	return m
}

func (s *Session) begin(number uint64) {
	s.number = number
	s.machine.enter(number, s.dispatch.workgroups)
	s.sharedSince, s.bufferSince = s.machine.watch.sharedPhase, s.machine.watch.bufferPhase
	for i := range s.machine.invs {
		s.machine.start(&s.machine.invs[i])
		s.run(&s.machine.invs[i])
	}
}

// patience is how many instructions there can be between two statements that are not just very large.
const patience = 1 << 24

func (s *Session) run(inv *invocation) {
	s.machine.budget = s.machine.steps + patience
	inv.state = s.machine.exec(inv)
}

// A Statement is one that invocations stop before.
type Statement struct {
	Node     syntax.Stmt
	Function *types.Function
}

// Statements are those that a session of the program stops before. There are none where it was compiled without debug.
func (p *Program) Statements() []Statement {
	list := make([]Statement, len(p.statements))
	for i, s := range p.statements {
		list[i] = Statement{s.node, s.function}
	}
	return list
}

// Steps is how many instructions all invocations have taken so far.
func (s *Session) Steps() uint64 { return s.machine.steps }

// Number is the number of the workgroup that is under way, counted in x, then y, then z.
func (s *Session) Number() uint64 { return s.number }

// Workgroup is the workgroup that is under way.
func (s *Session) Workgroup() [3]uint32 { return s.machine.group }

// Invocations is how many there are in a workgroup.
func (s *Session) Invocations() int { return len(s.machine.invs) }

// Step runs an invocation of the workgroup, by its local_invocation_index, to its next statement, to a barrier or to
// its end, and tells where it stands then. One that waits or has ended stays.
func (s *Session) Step(local int) Position {
	if inv := &s.machine.invs[local]; inv.state != waiting && inv.state != ended {
		s.run(inv)
	}
	return s.At(local)
}

// Meet lets the invocations that wait at barriers go on, once none can go on before; it reports whether that was so.
func (s *Session) Meet() bool {
	waits := 0
	for i := range s.machine.invs {
		switch s.machine.invs[i].state {
		case waiting:
			waits++
		case ended:
		default:
			return false
		}
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

// Next goes to the next workgroup; false if there is none. The one under way is left as it is.
func (s *Session) Next() bool {
	if s.number+1 >= s.dispatch.groups {
		return false
	}
	s.begin(s.number + 1)
	return true
}

// Write gives the host's buffers what has been written so far.
func (s *Session) Write() { s.dispatch.host.download() }

// Findings is what has been seen so far, errors first.
func (s *Session) Findings() []shader.Finding {
	seen := watcher{findings: slices.Clone(s.machine.watch.findings)}
	return seen.sorted()
}

// Fresh is what has been seen since it was asked for last.
func (s *Session) Fresh() []shader.Finding {
	found := s.machine.watch.findings[s.told:]
	s.told += len(found)
	return found
}

// At is where an invocation stands.
func (s *Session) At(local int) Position {
	inv := &s.machine.invs[local]
	pc := inv.pc - 1
	p := Position{Span: s.machine.notes[pc].span}
	if f := s.machine.functionAt(pc); f != nil {
		p.Function = f.Function
	}
	switch inv.state {
	case waiting:
		p.State = AtBarrier
	case ended:
		p.State = Ended
	case atStmt:
		p.Statement = s.machine.statements[s.machine.code[pc].c].node
	}
	return p
}

func (p *Program) functionAt(pc uint32) *function {
	for i := range p.functions {
		if p.functions[i].code.has(pc) {
			return &p.functions[i]
		}
	}
	return nil
}

// Stack is the functions that an invocation is in, the innermost first.
func (s *Session) Stack(local int) (frames []Frame) {
	inv := &s.machine.invs[local]
	pc := inv.pc - 1
	for {
		f := s.machine.functionAt(pc)
		if f == nil {
			return frames
		}
		frames = append(frames, Frame{f.Function, s.machine.notes[pc].span})
		if f.Entry != nil {
			return frames
		}
		pc = inv.slots[f.ret] - 1
	}
}

// Variables are those that can be named where a frame of the invocation's stack stands, the innermost scope's last;
// those of the module come first.
func (s *Session) Variables(local, frame int) (list []Variable) {
	stack := s.Stack(local)
	if frame >= len(stack) {
		return nil
	}
	at := stack[frame]
	offset := at.spot()
	for _, v := range s.machine.variables {
		if v.in != nil && (v.in != at.Function || !v.visible(offset)) {
			continue
		}
		list = append(list, Variable{v.object, s.value(local, v), v})
	}
	return list
}

// visible reports whether a local name is known at an offset: within its block, behind its declaration.
func (v variable) visible(offset int32) bool {
	if v.object.Kind == types.ParamObject {
		return true
	}
	return v.scope.Start <= offset && offset < v.scope.End && v.object.Span().End <= offset
}

func (s *Session) value(local int, v variable) types.Value {
	t := v.object.Store()
	if types.HasRuntimeArray(t) {
		return types.Value{}
	}
	m := s.machine
	switch {
	case v.slots != nil:
		words := make([]uint32, len(v.slots))
		for i, slot := range v.slots {
			words[i] = m.invs[local].slots[slot]
		}
		return m.decode(t, words)
	case v.where == inBuffers:
		return m.decodeBuffer(t, m.regions[v.binding].base)
	case v.where == inShared:
		return m.decode(t, m.shared[v.base:v.base+m.flatWords(t)])
	}
	return m.decode(t, m.invs[local].slots[v.base:v.base+m.flatWords(t)])
}

// Length is the number of elements of a variable that is or ends in a runtime-sized array; 0 for others.
func (s *Session) Length(v Variable) int {
	for i, a := range s.machine.arrays {
		if v.from.where == inBuffers && a.binding == v.from.binding {
			return int(s.machine.runs[i].length)
		}
	}
	return 0
}

// Element is one element of an array in a buffer or in workgroup memory, or the value of a variable there that is no
// array. It is not Valid where there is no such element.
func (s *Session) Element(v Variable, index int) types.Value {
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
	switch v.from.where {
	case inShared:
		return m.decode(a.Elem, m.shared[v.from.base+at:])
	case inBuffers:
		return m.decodeBuffer(a.Elem, m.regions[v.from.binding].base+at)
	}
	return types.Value{}
}

// decode makes a value of words without padding, which it takes from the front.
func (m *machine) decode(t types.Type, words []uint32) types.Value {
	v, _ := m.decodeFront(t, words)
	return v
}

func (m *machine) decodeFront(t types.Type, words []uint32) (types.Value, []uint32) {
	switch t := t.(type) {
	case *types.Scalar:
		return scalarValue(t, words[0]), words[1:]
	case *types.Atomic:
		return m.decodeFront(t.Elem, words)
	case *types.Struct:
		parts := make([]types.Value, len(t.Members))
		for i, member := range t.Members {
			parts[i], words = m.decodeFront(member.Type, words)
		}
		return types.CompositeValue(t, parts), words
	}
	elem, count := (&compiler{Program: m.Program}).parts(t)
	if elem == nil {
		return types.Value{}, words[1:] // a pointer
	}
	parts := make([]types.Value, count)
	for i := range parts {
		parts[i], words = m.decodeFront(elem, words)
	}
	return types.CompositeValue(t, parts), words
}

func scalarValue(t *types.Scalar, word uint32) types.Value {
	switch {
	case t.Float():
		return types.FloatValue(t, float64(math.Float32frombits(word)))
	case t == types.I32:
		return types.IntValue(t, int64(int32(word)))
	}
	return types.IntValue(t, int64(word))
}

// decodeBuffer makes a value of what lies in the buffers at an address.
func (m *machine) decodeBuffer(t types.Type, address uint32) types.Value {
	layout := compiler{Program: m.Program}
	var slot uint32
	pieces := layout.pieces(nil, t, address, &slot)
	words := make([]uint32, slot)
	for _, p := range pieces {
		if p.half {
			words[p.slot] = m.loadHalf(p.offset)
			continue
		}
		copy(words[p.slot:p.slot+p.n], m.buffers[p.offset>>2:])
	}
	return m.decode(t, words)
}
