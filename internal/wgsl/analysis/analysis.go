// Package analysis finds mistakes in legal WGSL. Each rule has its own file, with its
// documentation. testdata/RULE holds shaders that the rule reports and shaders that it accepts.
package analysis

import (
	"iter"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Rule finds one kind of mistake.
type Rule struct {
	Kind      findings.Kind // of its findings; also the name of its folder in testdata
	Title     string        // what it finds, in a few words
	Doc       string        // why it is a mistake and what to do instead
	Certainty findings.Certainty
	run       func(*pass)
}

// Rules returns all rules, sorted by kind.
func Rules() []*Rule {
	return []*Rule{barrierUnneeded, comparisonConstant, divisionByZero, guardIgnored, limitExceeded, loopEndless, roundedWhole,
		unusedBinding, workgroupUnwritten, wrapAtZero}
}

// RuleOf returns the rule that reports a kind of finding, or nil.
func RuleOf(kind findings.Kind) *Rule {
	rules := Rules()
	if i := slices.IndexFunc(rules, func(r *Rule) bool { return r.Kind == kind }); i >= 0 {
		return rules[i]
	}
	return nil
}

// Analyze runs every rule on a shader without errors. The findings are in source order.
func Analyze(info *types.Info) []*findings.Finding {
	p := &pass{info: info}
	for _, r := range Rules() {
		p.rule = r
		r.run(p)
	}
	slices.SortStableFunc(p.found, func(a, b *findings.Finding) int { return int(a.Span.Start - b.Span.Start) })
	info.File.Source.Locate(p.found...)
	return p.found
}

// pass is the state that a rule works with.
type pass struct {
	info  *types.Info
	rule  *Rule
	found []*findings.Finding
}

// report adds a finding and returns it, so that the caller can add to it.
func (p *pass) report(at syntax.Node, format string, args ...any) *findings.Finding {
	f := findings.Errorf(p.rule.Kind, at.Span(), format, args...)
	f.Severity, f.Certainty = findings.Warning, p.rule.Certainty
	p.found = append(p.found, f)
	return f
}

// text returns the source text of a node.
func (p *pass) text(n syntax.Node) string { return p.info.File.Source.Slice(n.Span()) }

// inFunctions yields the nodes of one type in the bodies of all functions.
func inFunctions[N syntax.Node](p *pass) iter.Seq[N] {
	return func(yield func(N) bool) {
		for _, f := range p.info.Functions {
			for n := range syntax.All[N](f.Decl.Body) {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// valueType returns the type of an expression's value, or nil.
func (p *pass) valueType(x syntax.Expr) types.Type {
	return types.Unref(p.info.ValueType(x))
}

// constant returns the value of a constant integer.
func (p *pass) constant(x syntax.Expr) (int64, bool) {
	v := p.info.ValueOf(x)
	if !v.Valid() {
		return 0, false
	}
	switch v.Type {
	case types.I32, types.U32, types.AbstractInt:
		return v.Int(), true
	}
	return 0, false
}

// steady reports whether evaluating the expression twice in a row must give the same value. Such an
// expression calls nothing and reads no memory that other invocations write.
func (p *pass) steady(x syntax.Expr) bool {
	steady := true
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if p.builtin(n) == "arrayLength" { // no write to the array changes its length
				return false
			}
			if c := p.info.Calls[n]; c == nil || c.Kind == types.UserCall || c.Kind == types.BuiltinCall && !c.Builtin.Const {
				steady = false
			}
		case *syntax.IdentExpr:
			if o := p.info.Uses[n]; o != nil && o.Kind == types.VarObject && o.Global && o.Access().Writes() {
				steady = false
			}
		case *syntax.UnaryExpr:
			steady = steady && n.Op != syntax.OpDeref
		}
		return steady
	}, nil)
	return steady
}

// builtin returns the name of the builtin function that is called, or "".
func (p *pass) builtin(x *syntax.CallExpr) string {
	if c := p.info.Calls[x]; c != nil && c.Kind == types.BuiltinCall {
		return c.Builtin.Name
	}
	return ""
}
