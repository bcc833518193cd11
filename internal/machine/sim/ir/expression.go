package ir

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// ErrNotForDebugging means that a program was compiled without debug.
var ErrNotForDebugging = errors.New("the program was not compiled for debugging")

// An Expression is a debugger's expression, ready to be evaluated in a frame. Its code follows the
// program's and uses the same slots, so it computes the same value as in the shader.
type Expression struct {
	Type types.Type

	Program *Program // its code and notes are the expression's; they follow the shader's if it calls a function
	Start   uint32
	Result  []uint32
	Extra   []uint32 // the initial values of the slots that follow the shader's
	Calls   bool     // a function of the shader
	Writes  bool     // it may write memory, or slots of the shader: evaluate it on a copy
}

// maxExpression limits an expression's text, in bytes.
const maxExpression = 4 << 10

// ExpressionAt compiles an expression with the names that are visible at an offset in a function.
// The program must have been compiled with debug. The error says what is wrong with the expression.
func (p *Program) ExpressionAt(inside *types.Function, at int32, text string) (*Expression, error) {
	switch {
	case !p.Debuggable():
		return nil, ErrNotForDebugging
	case len(text) > maxExpression:
		return nil, fmt.Errorf("the expression has more than %d bytes", maxExpression)
	}
	e, found := p.expression(inside, at, text)
	if found == nil {
		return e, nil
	}
	if found.Kind == findings.AtomicAccess { // a debugger may read an atomic like this, a shader may not
		if e, again := p.expression(inside, at, "atomicLoad(&("+text+"))"); again == nil {
			return e, nil
		}
	}
	if found.Kind == findings.UnknownName && len(found.Fixes) == 0 {
		return nil, errors.New(found.Message) // leave out the hint: it says to declare the name
	}
	return nil, errors.New(strings.TrimSpace(found.Message + " " + found.Hint))
}

func (p *Program) expression(inside *types.Function, at int32, text string) (e *Expression, found *findings.Finding) {
	source := syntax.NewSource("", text)
	x, list := syntax.ParseExpr(source)
	if findings.HasErrors(list) {
		return nil, list[0]
	}
	pipeline, list := p.Pipeline.Inspect(source, x, inside, at)
	if findings.HasErrors(list) {
		return nil, list[0]
	}
	if found := p.Pipeline.NotThere(pipeline.Info, inside); found != nil {
		return nil, found
	}
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(Unsupported)
			if !ok {
				panic(r)
			}
			e, found = nil, findings.Errorf("unsupported", syntax.Span{}, "%s.", bad.what)
		}
	}()
	c := p.compiler.extended(pipeline, source)
	start := c.here()
	e = &Expression{Type: c.typeOf(x), Start: start, Result: c.whole(x), Calls: calls(pipeline.Info), Writes: writes(pipeline.Info), Program: c.Program}
	c.emit(OpEnd, 0, 0, 0, 0)
	c.connect()
	if e.Calls { // keep nothing of the shader's
		c.Code, c.Notes = slices.Clone(c.Code[start:]), slices.Clone(c.Notes[start:])
	}
	e.Extra = append(c.Initial, make([]uint32, int(c.high-c.first)-len(c.Initial))...)
	return e, nil
}

// extended returns a compiler of an expression. Its constants and temporaries have slots after the
// program's. The time doesn't grow with the program, except where the expression calls a function:
// its code follows the program's then.
func (c *compiler) extended(pipeline *types.Pipeline, source *syntax.Source) *compiler {
	program := *c.Program
	program.Pipeline, program.Source = pipeline, source
	program.Code, program.Notes = nil, nil
	program.Arrays, program.BigIndexes = slices.Clip(c.Arrays), slices.Clip(c.BigIndexes)
	program.Initial, program.Pinned = nil, nil
	more := *c
	more.Program, more.info = &program, pipeline.Info
	more.outer, more.pool, more.constant = c, map[uint32]uint32{}, map[string][]uint32{}
	more.first, more.top, more.debug = c.high, c.high, false
	more.headers = map[*types.Function]*header{}
	if !calls(pipeline.Info) {
		return &more
	}
	program.Code, program.Notes = slices.Clip(c.Code), slices.Clip(c.Notes)
	for f, h := range c.headers {
		known := *h
		known.calls = nil
		more.headers[f] = &known
	}
	return &more
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
