package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Expression is a debugger's expression, ready to be evaluated in a frame. Its code follows the
// program's and uses the same slots, so it computes the same value as in the shader.
type Expression struct {
	Type types.Type

	program *Program
	start   uint32
	result  []uint32
	writes  bool // it may write memory: evaluate it on a copy
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
	e = &Expression{Type: c.typeOf(x), start: start, result: c.whole(x), writes: writes(pipeline.Info), program: c.Program}
	c.emit(opEnd, 0, 0, 0, 0)
	c.connect()
	e.program.initial = append(slices.Clip(c.initial), make([]uint32, int(c.high)-len(c.initial))...)
	return e, nil
}

// extended returns a compiler that adds code to a copy of the program.
func (c *compiler) extended(pipeline *types.Pipeline, source *syntax.Source) *compiler {
	program := *c.Program
	program.Pipeline, program.source = pipeline, source
	program.code, program.notes = slices.Clip(c.code), slices.Clip(c.notes)
	program.arrays, program.bigIndexes = slices.Clip(c.arrays), slices.Clip(c.bigIndexes)
	program.initial, program.pinned = slices.Clone(c.initial), slices.Clip(c.pinned)
	more := *c
	more.Program, more.info = &program, pipeline.Info
	more.pool, more.constant = maps.Clone(c.pool), maps.Clone(c.constant)
	more.top, more.debug = c.high, false
	more.headers = map[*types.Function]*header{}
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

// writes reports whether evaluating an expression may change memory.
func writes(info *types.Info) bool {
	for _, call := range info.Calls {
		if call.Kind == types.UserCall {
			return true
		}
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
func (s *Session) Evaluate(e *Expression, local int) (value types.Value, outside *uint32, err error) {
	m := *s.machine
	m.Program, m.code, m.watch = e.program, e.program.code, nil
	m.steps, m.budget = 0, maxEvaluation
	m.badAt = slices.Repeat([]uint32{inside}, len(m.code))
	m.runs = m.runtimeArrays()
	if e.writes {
		m.shared, m.buffers = slices.Clone(m.shared), slices.Clone(m.buffers)
	}
	own := s.machine.invs[local].slots
	inv := invocation{slots: append(slices.Clone(own), e.program.initial[len(own):]...), pc: e.start, local: uint32(local)}
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
		for _, index := range m.badAt {
			if index != inside {
				outside = &index
			}
		}
		return m.decode(e.Type, words), outside, nil
	}
}

// inside marks an instruction that has not seen an index out of bounds.
const inside = 1<<32 - 2

// spot returns the offset at which exactly the names of a frame are visible: just before its
// current statement. For a statement with a head and a body, it is the beginning of the body, where
// only the head's names are added.
func (f Frame) spot() int32 { return spotIn(f.Function.Decl.Body, f.Span) }

func spotIn(b *syntax.BlockStmt, at syntax.Span) int32 {
	for _, s := range b.List {
		if s.Span().Contains(at) {
			return spotOf(s, at)
		}
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
