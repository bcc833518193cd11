package analysis

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// conclude explores the finished graph (§ 15.2.3). It reports values that must be uniform and may
// not be, and summarizes the function for its callers.
func (w *walker) conclude() *summary {
	s := &summary{params: make([]paramTags, len(w.function.Params))}
	if len(w.required) > 0 {
		toward := w.adjacency(true).reach(nonUni) // for each node, the next on the way to nonUni
		for _, r := range w.required {
			if toward[r.target] != none {
				w.violation(r, w.path(r.target, toward))
			}
		}
		w.tagRequirements(s)
	}
	if w.function.Entry == nil {
		w.tagResults(s)
	}
	return s
}

// path returns the nodes from n to nonUni, without the latter.
func (w *walker) path(n nodeID, toward []nodeID) []nodeID {
	var list []nodeID
	for n != nonUni {
		list = append(list, n)
		n = toward[n]
	}
	return list
}

// tagRequirements finds the requirements that reach the start of the function or its parameters. It
// keeps one of each class, because callers need no more.
func (w *walker) tagRequirements(s *summary) {
	forward := w.adjacency(false)
	for _, c := range w.classes() {
		var starts []nodeID
		for _, r := range w.required {
			if r.class == c {
				starts = append(starts, r.target)
			}
		}
		from := forward.reach(starts...)
		keep := func(list *[]requirement, n nodeID) {
			if n != none && from[n] != none {
				*list = append(*list, w.requirementAt(from, n, c))
			}
		}
		keep(&s.callSite, cfStart)
		for i := range s.params {
			keep(&s.params[i].value, w.params[i])
			keep(&s.params[i].contents, w.contents[i])
		}
	}
}

func (w *walker) classes() []class {
	var list []class
	for _, r := range w.required {
		if !slices.Contains(list, r.class) {
			list = append(list, r.class)
		}
	}
	return list
}

// requirementAt returns the requirement of the class from which node n was reached.
func (w *walker) requirementAt(from []nodeID, n nodeID, c class) requirement {
	for from[n] != n {
		n = from[n]
	}
	for _, r := range w.required {
		if r.class == c && r.target == n {
			return r
		}
	}
	return requirement{}
}

// tagResults finds what the result depends on, and what the memory that pointer parameters point to
// depends on afterwards.
func (w *walker) tagResults(s *summary) {
	forward := w.adjacency(false)
	if w.result != none {
		from := forward.reach(w.result)
		if from[nonUni] != none {
			s.nonUniResult, s.resultWhy = true, w.reasons(backward(from, nonUni))
		}
		for i := range s.params {
			s.params[i].toResult = from[w.params[i]] != none
			s.params[i].contentsResult = w.contents[i] != none && from[w.contents[i]] != none
		}
	}
	for i := range s.params {
		if w.resultMemory[i] == none {
			continue
		}
		p := &s.params[i]
		from := forward.reach(w.resultMemory[i])
		if from[nonUni] != none {
			p.becomesNonUni, p.becomesWhy = true, w.reasons(backward(from, nonUni))
		}
		for j := range s.params {
			if from[w.params[j]] != none {
				p.fromValues = append(p.fromValues, j)
			}
			if w.contents[j] != none && from[w.contents[j]] != none {
				p.fromContents = append(p.fromContents, j)
			}
		}
	}
}

// backward returns the nodes from the start to n, without n.
func backward(from []nodeID, n nodeID) []nodeID {
	var list []nodeID
	for from[n] != n {
		n = from[n]
		list = append(list, n)
	}
	slices.Reverse(list)
	return list
}

// reported identifies a report, so that a call is not reported again for each caller.
type reported struct {
	kind     findings.Kind
	at       syntax.Span
	severity findings.Severity
}

// violation reports an unmet requirement; path leads from the value that must be uniform to the
// non-uniform one.
func (w *walker) violation(r requirement, path []nodeID) {
	name := r.builtin.Callee.Name.Name
	at := r.builtin.Span()
	d := &findings.Finding{Severity: r.severity, Location: findings.Location{Span: at}}
	who := w.invocations(r)
	if r.value.Len() > 0 {
		d.Kind, d.Span = findings.NonUniformValue, r.value
		d.Message = "This argument of `" + name + "` must be the same for " + who + ", but it may differ."
		d.Hint = "Use a value that does not depend on the invocation, such as a constant, a uniform or `workgroup_id`."
	} else {
		d.Kind = findings.NonUniformControlFlow
		if r.rule == subgroupRule {
			d.Kind = findings.NonUniformSubgroup
		}
		d.Message = "Not all invocations may reach this `" + name + "` together, but " + who + " must."
		d.Hint = hints[r.rule]
		if around := w.keptBy(r, path); around != nil {
			what := "it"
			if len(r.via) > 0 {
				what = "the call"
			}
			d.Hint = fmt.Sprintf("Move %s out of the `if` on line %d, so that every invocation reaches it.", what, w.info.File.Source.Position(around.Span().Start).Line)
		}
		if i, leaves := w.leaving(r, path); leaves != nil {
			path = path[i:]
			d.Hint = fmt.Sprintf("Line %d lets some invocations leave. Keep them from writing, not from waiting.", w.info.File.Source.Position(leaves.Span().Start).Line)
			reason := reported{d.Kind, leaves.Span(), d.Severity}
			if w.seen[reason] {
				return // for an earlier barrier
			}
			w.seen[reason] = true
		}
	}
	d.Related = w.related(r, path)
	if key := (reported{d.Kind, d.Span, d.Severity}); !w.seen[key] && len(w.diagnostics) < syntax.MaxDiagnostics {
		w.seen[key] = true
		w.diagnostics = append(w.diagnostics, d)
	}
}

var hints = [rules]string{
	barrierRule:    "Move it out of the `if` or loop, so that every invocation reaches it.",
	derivativeRule: "Move it before the `if` or loop and use its result there, or use a function that needs no neighbours, such as `textureSampleLevel`.",
	subgroupRule:   "Move it out of the `if` or loop, so that every invocation reaches it.",
}

// keptBy returns the `if` around a barrier that only some invocations enter, or around the call
// that leads to it. It returns nil if they enter a loop, or leave before it.
func (w *walker) keptBy(r requirement, path []nodeID) *syntax.IfStmt {
	barrier := r.builtin.Span()
	if len(r.via) > 0 {
		barrier = r.via[0]
	}
	for _, n := range slices.Backward(path) {
		if branch := w.branchAt(n); branch != nil && branch.Span().Contains(barrier) && r.rule == barrierRule {
			return branch
		}
	}
	return nil
}

// leaving returns the `return` that keeps some invocations from a barrier, and where its branch is
// in the path. It returns nil if the barrier itself is in the branch that only some take. Of
// several branches, each of which depends on the one before it, the first decides.
func (w *walker) leaving(r requirement, path []nodeID) (int, *syntax.ReturnStmt) {
	barrier := r.builtin.Span()
	if len(r.via) > 0 {
		barrier = r.via[0]
	}
	if r.rule != barrierRule {
		return 0, nil
	}
	for i, n := range slices.Backward(path) {
		branch := w.branchAt(n)
		if branch == nil {
			continue
		}
		if branch.Span().Contains(barrier) {
			return 0, nil
		}
		if leaves := firstReturn(branch); leaves != nil {
			return i, leaves
		}
	}
	return 0, nil
}

func firstReturn(branch *syntax.IfStmt) *syntax.ReturnStmt {
	for jump := range syntax.All[*syntax.ReturnStmt](branch) {
		return jump
	}
	return nil
}

// branchAt returns the `if` whose condition a node of a path is about, or nil.
func (w *walker) branchAt(id nodeID) (branch *syntax.IfStmt) {
	n := w.nodes[id]
	if n.why != whyBranch && n.why != whyLeave {
		return nil
	}
	syntax.Walk(w.function.Decl.Body, func(s syntax.Node) bool {
		if s, ok := s.(*syntax.IfStmt); ok && s.Cond.Span() == n.at {
			branch = s
		}
		return s.Span().Contains(n.at)
	}, nil)
	return branch
}

func (w *walker) invocations(r requirement) string {
	switch {
	case r.rule == derivativeRule:
		return "all invocations of a draw"
	case r.rule == subgroupRule && w.scope == subgroupScope:
		return "all invocations of a subgroup"
	}
	return "all invocations of a workgroup"
}

// related lists the reasons from their source to the requirement.
func (w *walker) related(r requirement, path []nodeID) []findings.Related {
	var list []findings.Related
	for _, step := range w.reasons(path) {
		list = append(list, findings.Related{Location: findings.Location{Span: step.at}, Message: step.text})
	}
	for _, via := range r.via {
		list = append(list, findings.Related{Location: findings.Location{Span: via}, Message: "this call leads to `" + r.builtin.Callee.Name.Name + "`"})
	}
	return list
}

// reasons describes a path from the value that must be uniform to the non-uniform one, the source
// first.
func (w *walker) reasons(path []nodeID) []reason {
	var list []reason
	for i := len(path) - 1; i >= 0; i-- {
		n := w.nodes[path[i]]
		text := w.words(n, len(list) > 0)
		if inner := w.callWhy[path[i]]; len(inner) > 0 && (i+1 == len(path)) {
			list = append(list, inner...)
		}
		if text == "" || len(list) > 0 && list[len(list)-1].at == n.at {
			continue
		}
		list = append(list, reason{n.at, text})
	}
	return list
}

func (w *walker) words(n node, more bool) string {
	switch n.why {
	case whyBuiltin:
		return n.name + ", which differs from invocation to invocation"
	case whyInput:
		return n.name + " is an input that differs from invocation to invocation"
	case whyMemory:
		return "`" + n.name + "` is memory that can change, so invocations may find different values in it"
	case whyCall:
		return "`" + n.name + "` may give each invocation a different value"
	case whyPointer:
		return "`" + n.name + "` may store a different value for each invocation through the pointer"
	case whyAssigned:
		if more {
			return "`" + n.name + "` gets a value here that may differ"
		}
	case whyValue:
		if more {
			return "`" + n.name + "` depends on it"
		}
	case whyBranch:
		if n.name == "&&" || n.name == "||" {
			return "the right side of `" + n.name + "` is evaluated only by some invocations: the left side decides"
		}
		return "the `" + n.name + "` depends on it, so invocations may take different paths"
	case whyLeave:
		return "some invocations may leave here, so only the others continue"
	}
	return ""
}
