package authoring

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Mutants changes the reference shader of an exercise in one place, in every way that a slip of the finger would, and returns the changes that pass all the same. Either a case
// is missing that the change would fail, or the changed shader computes the same. It calls ran after
// each one.
func (p Place) Mutants(ctx context.Context, on shader.Engines, id string, ran func()) ([]Problem, error) {
	exercise, closeFiles, err := p.read(id)
	defer closeFiles()
	if err != nil {
		return nil, fmt.Errorf("reading the exercise %s: %w", id, err)
	}
	path := p.path(referenceOf, id)
	text, err := os.ReadFile(p.file(referenceOf, id))
	if err != nil {
		return nil, fmt.Errorf("reading the reference: %w", err)
	}
	var passing []Problem
	for _, m := range mutantsOf(string(text)) {
		v, err := judge.Run(ctx, on, exercise, shader.Read(path, m.text), testSeed)
		if err != nil {
			return nil, fmt.Errorf("checking %s, line %d: %s: %w", path, m.line, m.change, err)
		}
		if v.Passed() {
			passing = append(passing, Problem{File: path, Line: m.line, Text: "passes every case with " + m.change})
		}
		ran()
	}
	return passing, nil
}

// CountMutants returns how many shaders Mutants runs for an exercise.
func (p Place) CountMutants(id string) int {
	text, err := os.ReadFile(p.file(referenceOf, id))
	if err != nil {
		return 0 // Mutants reports it
	}
	return len(mutantsOf(string(text)))
}

// A mutant is a shader with one change.
type mutant struct {
	line   int
	change string // "<= instead of <"
	text   string
}

// slips are the operators that are easily taken for each other.
var slips = map[syntax.Op]syntax.Op{
	syntax.OpAdd: syntax.OpSub, syntax.OpSub: syntax.OpAdd, syntax.OpMul: syntax.OpAdd, syntax.OpDiv: syntax.OpMul, syntax.OpRem: syntax.OpDiv,
	syntax.OpAnd: syntax.OpOr, syntax.OpOr: syntax.OpAnd, syntax.OpShl: syntax.OpShr, syntax.OpShr: syntax.OpShl,
	syntax.OpLogicalAnd: syntax.OpLogicalOr, syntax.OpLogicalOr: syntax.OpLogicalAnd,
	syntax.OpEqual: syntax.OpNotEqual, syntax.OpNotEqual: syntax.OpEqual,
	syntax.OpLess: syntax.OpLessEqual, syntax.OpLessEqual: syntax.OpLess, syntax.OpGreater: syntax.OpGreaterEqual, syntax.OpGreaterEqual: syntax.OpGreater,
}

// otherName are names in whose place the other is easily written.
var otherName = map[string]string{"min": "max", "max": "min", "x": "y", "y": "x"}

// mutantsOf returns every mutant of a shader, in the order of their places. Some don't compile.
func mutantsOf(text string) []mutant {
	source := syntax.NewSource("", text)
	parsed, _ := syntax.Parse(source)
	var all []mutant
	change := func(span syntax.Span, to string) {
		was := source.Slice(span)
		what := to + " instead of " + was
		if to == "" {
			what = "no " + was
		}
		all = append(all, mutant{source.Position(span.Start).Line, what, text[:span.Start] + to + text[span.End:]})
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*syntax.FuncDecl); ok && f.Body != nil {
			syntax.Walk(f.Body, func(n syntax.Node) bool {
				mutate(n, change)
				return true
			}, nil)
		}
	}
	return all
}

// mutate calls change for each change of a node, without the nodes below it.
func mutate(n syntax.Node, change func(span syntax.Span, to string)) {
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		change(n.OpPos, slips[n.Op].String())
	case *syntax.AssignStmt:
		if n.Op != syntax.OpNone {
			change(n.OpPos, slips[n.Op].String()+"=")
		}
	case *syntax.IfStmt:
		change(n.Cond.Span(), "(true)")
	case *syntax.CallStmt:
		change(n.Span(), "")
	case *syntax.CallExpr:
		if to, ok := otherName[n.Callee.Name.Name]; ok {
			change(n.Callee.Span(), to)
		}
	case *syntax.MemberExpr:
		if to, ok := otherName[n.Name.Name]; ok {
			change(n.Name.Span(), to)
		}
	case *syntax.Literal:
		mutateLiteral(n, change)
	}
}

func mutateLiteral(n *syntax.Literal, change func(span syntax.Span, to string)) {
	switch n.Kind {
	case syntax.IntLit, syntax.I32Lit, syntax.U32Lit:
		change(n.Span(), strconv.FormatInt(n.Int+1, 10)+strings.TrimLeft(n.Text, "0123456789"))
	case syntax.FloatLit, syntax.F32Lit:
		change(n.Span(), "("+n.Text+" + 1.0)")
	}
}
