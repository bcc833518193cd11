package sim

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Expression is a debugger's expression, ready to be evaluated in a frame. Its code follows the
// program's and uses the same slots, so it computes the same value as in the shader.
type Expression struct {
	Type types.Type

	program *Program // its code and notes are the expression's; they follow the shader's if it calls a function
	start   uint32
	result  []uint32
	extra   []uint32 // the initial values of the slots that follow the shader's
	calls   bool     // a function of the shader
	writes  bool     // it may write memory, or slots of the shader: evaluate it on a copy
}

// maxExpression limits an expression's text, in bytes.
const maxExpression = 4 << 10

// Expression compiles an expression with the names that are visible in a frame. The program must
// have been compiled with debug. The error says what is wrong with the expression.
func (p *Program) Expression(frame Frame, text string) (*Expression, error) {
	switch {
	case p.compiler == nil:
		return nil, ErrNotForDebugging
	case len(text) > maxExpression:
		return nil, fmt.Errorf("the expression has more than %d bytes", maxExpression)
	}
	e, found := p.expression(frame, text)
	if found == nil {
		return e, nil
	}
	if found.Kind == findings.AtomicAccess { // a debugger may read an atomic like this, a shader may not
		if e, again := p.expression(frame, "atomicLoad(&("+text+"))"); again == nil {
			return e, nil
		}
	}
	if found.Kind == findings.UnknownName && len(found.Fixes) == 0 {
		return nil, errors.New(found.Message) // leave out the hint: it says to declare the name
	}
	return nil, errors.New(strings.TrimSpace(found.Message + " " + found.Hint))
}

func (p *Program) expression(frame Frame, text string) (e *Expression, found *findings.Finding) {
	source := syntax.NewSource("", text)
	x, list := syntax.ParseExpr(source)
	if findings.HasErrors(list) {
		return nil, list[0]
	}
	pipeline, list := p.Pipeline.Inspect(source, x, frame.Function, frame.spot())
	if findings.HasErrors(list) {
		return nil, list[0]
	}
	if found := p.unknown(pipeline.Info, frame.Function); found != nil {
		return nil, found
	}
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			e, found = nil, findings.Errorf("unsupported", syntax.Span{}, "%s.", bad.what)
		}
	}()
	c := p.compiler.extended(pipeline, source)
	start := c.here()
	e = &Expression{Type: c.typeOf(x), start: start, result: c.whole(x), calls: calls(pipeline.Info), writes: writes(pipeline.Info), program: c.Program}
	c.emit(opEnd, 0, 0, 0, 0)
	c.connect()
	if e.calls { // keep nothing of the shader's
		c.code, c.notes = slices.Clone(c.code[start:]), slices.Clone(c.notes[start:])
	}
	e.extra = append(c.initial, make([]uint32, int(c.high-c.first)-len(c.initial))...)
	return e, nil
}

// extended returns a compiler of an expression. Its constants and temporaries have slots after the
// program's. The time doesn't grow with the program, except where the expression calls a function:
// its code follows the program's then.
func (c *compiler) extended(pipeline *types.Pipeline, source *syntax.Source) *compiler {
	program := *c.Program
	program.Pipeline, program.source = pipeline, source
	program.code, program.notes = nil, nil
	program.arrays, program.bigIndexes = slices.Clip(c.arrays), slices.Clip(c.bigIndexes)
	program.initial, program.pinned = nil, nil
	more := *c
	more.Program, more.info = &program, pipeline.Info
	more.outer, more.pool, more.constant = c, map[uint32]uint32{}, map[string][]uint32{}
	more.first, more.top, more.debug = c.high, c.high, false
	more.headers = map[*types.Function]*header{}
	if !calls(pipeline.Info) {
		return &more
	}
	program.code, program.notes = slices.Clip(c.code), slices.Clip(c.notes)
	for f, h := range c.headers {
		known := *h
		known.calls = nil
		more.headers[f] = &known
	}
	return &more
}

// unknown reports a name in the expression that the program dropped because the shader does not use
// it.
func (p *Program) unknown(info *types.Info, inside *types.Function) *findings.Finding {
	for x, o := range info.Uses {
		if _, known := p.compiler.places[o]; o.Global && o.Kind == types.VarObject && !known {
			return findings.Errorf("not-there", x.Span(), "The entry point does not use `%s`, so nothing is bound to it.", o.Name)
		}
	}
	for x, call := range info.Calls {
		if call.Kind != types.UserCall {
			continue
		}
		if p.compiler.headers[call.Function] == nil {
			return findings.Errorf("not-there", x.Span(), "The entry point does not call `%s`, so it cannot be called here.", call.Function.Object.Name)
		}
		if reaches(call.Function, inside) {
			return findings.Errorf("recursion", x.Span(), "`%s` cannot be called while it runs.", inside.Object.Name)
		}
	}
	return nil
}

func reaches(from, to *types.Function) bool {
	return from == to || slices.ContainsFunc(from.Calls, func(c types.CallSite) bool { return reaches(c.Callee, to) })
}

// calls reports whether an expression calls a function of the shader.
func calls(info *types.Info) bool {
	for _, call := range info.Calls {
		if call.Kind == types.UserCall {
			return true
		}
	}
	return false
}

// writes reports whether evaluating an expression may change memory, or an invocation's own values.
func writes(info *types.Info) bool {
	if calls(info) {
		return true
	}
	for _, call := range info.Calls {
		if call.Kind == types.BuiltinCall && strings.HasPrefix(call.Builtin.Name, "atomic") && call.Builtin.Name != "atomicLoad" {
			return true
		}
	}
	return false
}

// maxEvaluation limits the instructions of an evaluation.
const maxEvaluation = 1 << 22

// The reasons why an expression has no value.
var (
	ErrWaits   = errors.New("the expression waits for the other invocations")
	ErrTooLong = errors.New("the expression takes too long")
)

// Evaluate returns an expression's value for an invocation in the frame that it was compiled for.
// It discards everything that the expression writes. If an index was out of bounds, outside is that
// index, and the read gave zero.
func (s *Stepper) Evaluate(e *Expression, local int) (value types.Value, outside *uint32, err error) {
	var seen evaluation
	m := *s.machine
	m.Program, m.code, m.watch, m.badAt, m.evaluated = e.program, e.program.code, nil, nil, &seen
	m.steps, m.budget = 0, maxEvaluation
	m.runs = m.runtimeArrays()
	slots := m.invs[local].slots
	if e.writes {
		slots = s.apart(&m, slots, e)
	}
	inv := invocation{slots: append(slots, e.extra...), pc: e.start, local: uint32(local)} // mostly without a copy: see room
	for {
		switch m.exec(&inv) {
		case atStmt:
			continue
		case waiting:
			return types.Value{}, nil, ErrWaits
		case exhausted, calling:
			return types.Value{}, nil, ErrTooLong
		}
		words := make([]uint32, len(e.result))
		for i, slot := range e.result {
			words[i] = inv.slots[slot]
		}
		return m.decode(e.Type, words), seen.outside, nil
	}
}

// An evaluation is what an expression saw: an index out of bounds, and the instruction with it. Of
// several instructions, the last counts.
type evaluation struct {
	at      uint32
	outside *uint32
}

// A spare holds copies for the evaluation of expressions that write. The next evaluation uses their
// memory again.
type spare struct {
	program                Program // with the code of a shader and of an expression that calls it
	slots, shared, buffers []uint32
}

// apart gives a machine copies of the memory that an expression may write to, and the code of
// functions that it may call. It returns a copy of the slots, with room for the expression's.
func (s *Stepper) apart(m *machine, slots []uint32, e *Expression) []uint32 {
	if s.spare == nil {
		s.spare = &spare{program: Program{code: slices.Clone(s.dispatch.code), notes: slices.Clone(s.dispatch.notes)}}
	}
	if e.calls {
		shaders := len(s.dispatch.code)
		code, notes := append(s.spare.program.code[:shaders], e.program.code...), append(s.spare.program.notes[:shaders], e.program.notes...)
		s.spare.program = *e.program
		s.spare.program.code, s.spare.program.notes = code, notes
		m.Program, m.code = &s.spare.program, code
	}
	s.spare.shared, s.spare.buffers = append(s.spare.shared[:0], m.shared...), append(s.spare.buffers[:0], m.buffers...)
	m.shared, m.buffers = s.spare.shared, s.spare.buffers
	s.spare.slots = slices.Grow(append(s.spare.slots[:0], slots...), len(e.extra))
	return s.spare.slots
}

// spot returns the offset at which exactly the names of a frame are visible: just before its
// current statement. For a statement with a head and a body, it is the beginning of the body, where
// only the head's names are added.
func (f Frame) spot() int32 { return spotIn(f.Function.Decl.Body, f.Span) }

func spotIn(b *syntax.BlockStmt, at syntax.Span) int32 {
	after := sort.Search(len(b.List), func(i int) bool { return b.List[i].Span().Start > at.Start })
	if after > 0 && b.List[after-1].Span().Contains(at) {
		return spotOf(b.List[after-1], at)
	}
	return at.Start // the closing brace
}

func spotOf(s syntax.Stmt, at syntax.Span) int32 {
	switch s := s.(type) {
	case *syntax.BlockStmt:
		return spotIn(s, at)
	case *syntax.IfStmt:
		if s.Else != nil && s.Else.Span().Contains(at) {
			return spotOf(s.Else, at)
		}
		return headOrBody(s.Then, at)
	case *syntax.ForStmt:
		if s.Init != nil && s.Init.Span().Contains(at) {
			return s.Span().Start
		}
		return headOrBody(s.Body, at)
	case *syntax.WhileStmt:
		return headOrBody(s.Body, at)
	case *syntax.LoopStmt:
		if s.Continuing != nil && s.Continuing.Span().Contains(at) {
			return spotIn(s.Continuing.Body, at)
		}
		if s.Body.Span().Contains(at) {
			return spotIn(s.Body, at)
		}
	case *syntax.SwitchStmt:
		for _, clause := range s.Cases {
			if clause.Body.Span().Contains(at) {
				return spotIn(clause.Body, at)
			}
		}
	}
	return s.Span().Start
}

func headOrBody(body *syntax.BlockStmt, at syntax.Span) int32 {
	if body.Span().Contains(at) {
		return spotIn(body, at)
	}
	return body.Open.End
}
