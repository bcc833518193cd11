package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Expression is one that somebody asks for while a program is stepped through, ready to be evaluated where its
// function stands. It is compiled behind the program's own code, over the same slots, so that it means and computes
// what it would in the shader.
type Expression struct {
	Type types.Type

	program *Program
	start   uint32
	result  []uint32
	writes  bool // it may write memory: evaluate it on a copy
}

// maxExpression bounds an expression's text, in bytes.
const maxExpression = 4 << 10

// Expression compiles an expression with the names that are known where a frame stands. The program must have been
// compiled with debug. An error says what is wrong with the expression.
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
	if found.Code == "atomic-access" { // the shader may not read it like this, but whoever looks may
		if e, again := p.expression(frame, "atomicLoad(&("+text+"))"); again == nil {
			return e, nil
		}
	}
	if found.Code == "unknown-name" && len(found.Fixes) == 0 {
		return nil, errors.New(found.Message) // the hint is to declare it
	}
	return nil, errors.New(strings.TrimSpace(found.Message + " " + found.Hint))
}

func (p *Program) expression(frame Frame, text string) (e *Expression, found *syntax.Diagnostic) {
	source := syntax.NewSource("", text)
	x, list := syntax.ParseExpr(source)
	if syntax.HasErrors(list) {
		return nil, list[0]
	}
	pipeline, list := p.Pipeline.Inspect(source, x, frame.Function, frame.spot())
	if syntax.HasErrors(list) {
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
			e, found = nil, syntax.Errorf("unsupported", syntax.Span{}, "%s.", bad.what)
		}
	}()
	c := p.compiler.behind(pipeline, source)
	start := c.here()
	e = &Expression{Type: c.typeOf(x), start: start, result: c.whole(x), writes: writes(pipeline.Info), program: c.Program}
	c.emit(opEnd, 0, 0, 0, 0)
	c.connect()
	e.program.initial = append(slices.Clip(c.initial), make([]uint32, int(c.high)-len(c.initial))...)
	return e, nil
}

// behind is a compiler that adds to the program without changing it.
func (c *compiler) behind(pipeline *types.Pipeline, source *syntax.Source) *compiler {
	program := *c.Program
	program.Pipeline, program.source = pipeline, source
	program.code, program.notes = slices.Clip(c.code), slices.Clip(c.notes)
	program.arrays, program.bigIndexes = slices.Clip(c.arrays), slices.Clip(c.bigIndexes)
	program.initial = slices.Clone(c.initial)
	more := *c
	more.Program, more.info = &program, pipeline.Info
	more.pool, more.constant = maps.Clone(c.pool), maps.Clone(c.constant)
	more.pinned = slices.Clip(c.pinned)
	more.top, more.debug = c.high, false
	more.headers = map[*types.Function]*header{}
	for f, h := range c.headers {
		known := *h
		known.calls = nil
		more.headers[f] = &known
	}
	return &more
}

// unknown tells what an expression names and the program does not have, since the shader does without.
func (p *Program) unknown(info *types.Info, inside *types.Function) *syntax.Diagnostic {
	for x, o := range info.Uses {
		if _, known := p.compiler.places[o]; o.Global && o.Kind == types.VarObject && !known {
			return syntax.Errorf("not-there", x.Span(), "`%s` has no use in what the entry point runs, so that nothing is bound to it.", o.Name)
		}
	}
	for x, call := range info.Calls {
		if call.Kind != types.UserCall {
			continue
		}
		if p.compiler.headers[call.Function] == nil {
			return syntax.Errorf("not-there", x.Span(), "`%s` is not called in what the entry point runs, so that it cannot be called here.", call.Function.Object.Name)
		}
		if reaches(call.Function, inside) {
			return syntax.Errorf("recursion", x.Span(), "`%s` cannot be called while it runs.", inside.Object.Name)
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

// maxEvaluation is how many instructions an expression may take.
const maxEvaluation = 1 << 22

// The ways in which an expression has no value.
var (
	ErrWaits   = errors.New("the expression waits for the other invocations")
	ErrTooLong = errors.New("the expression takes too long")
)

// Evaluate gives an expression's value for an invocation that stands where the expression was compiled for. Nothing
// that it writes stays. outside is the index that was out of bounds, if one was; what is read there is zero.
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
		case exhausted:
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

// inside stands for an instruction that has seen no index out of bounds.
const inside = 1<<32 - 2

// spot is where in the source the names are known that a frame knows: before the statement that it is at; or, of one
// with a head and a body, at the body's beginning, where those of the head are known and no more.
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
