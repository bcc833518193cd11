package sim

import (
	"errors"
	"slices"
	"sort"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Expression compiles an expression with the names that are visible in a frame. The program must
// have been compiled with debug. The error says what is wrong with the expression.
func (p *Program) Expression(frame Frame, text string) (*ir.Expression, error) {
	return p.ExpressionAt(frame.Function, frame.spot(), text)
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
func (s *Stepper) Evaluate(e *ir.Expression, local int) (value types.Value, outside *uint32, err error) {
	var seen evaluation
	m := *s.machine
	m.Program, m.code, m.watch, m.badAt, m.evaluated = e.Program, e.Program.Code, nil, nil, &seen
	m.steps, m.effort, m.budget = 0, 0, maxEvaluation
	m.runs = m.runtimeArrays()
	slots := m.invs[local].slots
	if e.Writes {
		slots = s.apart(&m, slots, e)
	}
	inv := invocation{slots: append(slots, e.Extra...), pc: e.Start, local: uint32(local)} // mostly without a copy: see room
	for {
		switch m.exec(&inv) {
		case atStmt:
			continue
		case waiting, meeting:
			return types.Value{}, nil, ErrWaits
		case exhausted, calling:
			return types.Value{}, nil, ErrTooLong
		}
		words := make([]uint32, len(e.Result))
		for i, slot := range e.Result {
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
	program                ir.Program // with the code of a shader and of an expression that calls it
	slots, shared, buffers []uint32
}

// apart gives a machine copies of the memory that an expression may write to, and the code of
// functions that it may call. It returns a copy of the slots, with room for the expression's.
func (s *Stepper) apart(m *machine, slots []uint32, e *ir.Expression) []uint32 {
	if s.spare == nil {
		s.spare = &spare{program: ir.Program{Code: slices.Clone(s.dispatch.Code), Notes: slices.Clone(s.dispatch.Notes)}}
	}
	if e.Calls {
		shaders := len(s.dispatch.Code)
		code, notes := append(s.spare.program.Code[:shaders], e.Program.Code...), append(s.spare.program.Notes[:shaders], e.Program.Notes...)
		s.spare.program = *e.Program
		s.spare.program.Code, s.spare.program.Notes = code, notes
		m.Program, m.code = &s.spare.program, code
	}
	s.spare.shared, s.spare.buffers = append(s.spare.shared[:0], m.shared...), append(s.spare.buffers[:0], m.buffers...)
	m.shared, m.buffers = s.spare.shared, s.spare.buffers
	s.spare.slots = slices.Grow(append(s.spare.slots[:0], slots...), len(e.Extra))
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
