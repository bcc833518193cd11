// Package analysis finds what is legal WGSL and yet a mistake. Each rule stands in a file of its own, with its
// documentation; testdata/RULE holds shaders that it speaks up about and shaders that it keeps silent about.
package analysis

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Certainty says how sure a rule is of what it reports.
type Certainty uint8

// The certainties. Only what is certain may fail a check.
const (
	Likely  Certainty = iota // nearly always a mistake, but there may be a reason
	Certain                  // follows from WGSL's rules
)

// String is the certainty in a word.
func (c Certainty) String() string { return [...]string{"likely", "certain"}[c] }

// Rule is one kind of mistake.
type Rule struct {
	Name      string // lower case with hyphens; also the code of its diagnostics and the folder in testdata
	Title     string // what it finds, in a few words
	Doc       string // why it is a mistake and what to do instead
	Certainty Certainty
	run       func(*pass)
}

// Finding is one place that a rule speaks up about.
type Finding struct {
	Rule *Rule
	*syntax.Diagnostic
}

// Rules are all rules, by name.
func Rules() []*Rule {
	return []*Rule{barrierUnneeded, comparisonConstant, divisionByZero, guardIgnored, limitExceeded, loopEndless,
		unusedBinding, workgroupUnwritten, wrapAtZero}
}

// Analyze runs every rule over a shader that is free of errors. The findings are in source order.
func Analyze(info *types.Info) []Finding {
	p := &pass{info: info}
	for _, r := range Rules() {
		p.rule = r
		r.run(p)
	}
	slices.SortStableFunc(p.findings, func(a, b Finding) int { return int(a.Span.Start - b.Span.Start) })
	return p.findings
}

// pass is what a rule works with.
type pass struct {
	info     *types.Info
	rule     *Rule
	findings []Finding
}

// report adds a finding; the result can be added to.
func (p *pass) report(at syntax.Node, format string, args ...any) *syntax.Diagnostic {
	d := syntax.Errorf(p.rule.Name, at.Span(), format, args...)
	d.Severity = syntax.Warning
	p.findings = append(p.findings, Finding{p.rule, d})
	return d
}

// text is a node as the shader has it.
func (p *pass) text(n syntax.Node) string { return p.info.File.Source.Slice(n.Span()) }

// functions calls f for each function's declaration.
func (p *pass) functions(f func(*types.Function)) {
	for _, fn := range p.info.Functions {
		f(fn)
	}
}

// valueType is the type of the value that an expression gives, or nil.
func (p *pass) valueType(x syntax.Expr) types.Type {
	if e := p.info.Exprs[x]; e != nil && e.Mode == types.ValueMode {
		return types.Unref(e.ValueType())
	}
	return nil
}

// constant is the value of a constant integer.
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

// steady reports whether evaluating the expression twice in a row must give the same: it reads no memory that others
// write and calls nothing.
func (p *pass) steady(x syntax.Expr) bool {
	steady := true
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if p.builtin(n) == "arrayLength" { // nobody changes it, whoever writes to the array
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

// builtin is the builtin function that is called, or "".
func (p *pass) builtin(x *syntax.CallExpr) string {
	if c := p.info.Calls[x]; c != nil && c.Kind == types.BuiltinCall {
		return c.Builtin.Name
	}
	return ""
}

// leaves reports whether a statement list ends by return, break or continue.
func leaves(b *syntax.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *syntax.ReturnStmt, *syntax.BreakStmt, *syntax.ContinueStmt:
		return true
	}
	return false
}
