package analysis

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// walker builds the uniformity graph of one function.
type walker struct {
	*analysis
	graph
	function  *types.Function
	behaviors *behaviors
	filters   [rules]findings.Severity
	required  []requirement

	params       []nodeID // param_i
	contents     []nodeID // param_i_contents, or none
	result       nodeID   // Value_return
	resultMemory []nodeID // Value_return_i_contents, or none

	values   *values                  // of variables, at the current statement
	declared map[*types.Object]nodeID // values of lets, consts and parameters
	pointers map[*types.Object]view   // lets that are pointers
	loops    []*loop
	callWhy  map[nodeID][]reason // why a called function's result is non-uniform
}

// values are the nodes of the variables' current values: the changes since outer was current, then
// outer's.
type values struct {
	changed map[*types.Object]nodeID
	outer   *values
}

func (v *values) get(o *types.Object) nodeID {
	for ; v != nil; v = v.outer {
		if n, ok := v.changed[o]; ok {
			return n
		}
	}
	return none
}

func (v *values) set(o *types.Object, n nodeID) { v.changed[o] = n }

func (w *walker) fork() *values {
	return &values{map[*types.Object]nodeID{}, w.values}
}

// loop is a loop or switch that inner statements can leave.
type loop struct {
	breaks    *exit
	continues *exit // nil for a switch
}

// exit is where the jumps of a kind meet: the end of a loop or switch, or a loop's continuing part.
type exit struct {
	variables []*types.Object // that may have different values at the jumps
	values    map[*types.Object]nodeID
}

func newExit(variables []*types.Object) *exit { return &exit{variables, map[*types.Object]nodeID{}} }

// view is a memory view: its root variable or pointer parameter, and the indices on the way
// (§ 15.2.5).
type view struct {
	root *types.Object
	deps []nodeID
	full bool // the whole variable
}

func (a *analysis) function(f *types.Function) {
	w := &walker{analysis: a, function: f, filters: a.filters, result: none, behaviors: newBehaviors(),
		declared: map[*types.Object]nodeID{}, pointers: map[*types.Object]view{}, callWhy: map[nodeID][]reason{}}
	w.nodes = make([]node, 2, 64)
	w.values = &values{changed: map[*types.Object]nodeID{}}
	w.filter(f.Decl.Attrs)
	w.parameters()
	if f.Result != nil {
		w.result = w.add(whyNothing, syntax.Span{}, "")
	}
	w.filter(f.Decl.Body.Attrs)
	w.sequence(cfStart, f.Decl.Body.List)
	if w.behaviors.block(f.Decl.Body).Has(Next) {
		w.leave()
	}
	if w.full() {
		a.diagnostics = append(a.diagnostics, findings.Errorf("too-complex", f.Decl.Name.Span(),
			"The loops of `%s` have too many variables and jumps to follow them all.", f.Object.Name).Try("Split it into smaller functions."))
		a.summaries[f] = &summary{params: make([]paramTags, len(f.Params))}
		return
	}
	a.summaries[f] = w.conclude()
}

// filter narrows the diagnostic filters by a function's or statement's attributes.
func (w *walker) filter(attrs []*syntax.Attribute) {
	for _, at := range attrs {
		if at.Control != nil {
			setFilter(&w.filters, at.Control)
		}
	}
}

// filtered runs f under the filters of the attributes.
func (w *walker) filtered(attrs []*syntax.Attribute, f func()) {
	outer := w.filters
	w.filter(attrs)
	f()
	w.filters = outer
}

func (w *walker) parameters() {
	f := w.function
	w.params = make([]nodeID, len(f.Params))
	w.contents = make([]nodeID, len(f.Params))
	w.resultMemory = make([]nodeID, len(f.Params))
	for i, p := range f.Params {
		at := syntax.Span{}
		if p.Ident != nil {
			at = p.Ident.Span()
		}
		w.params[i], w.contents[i], w.resultMemory[i] = w.add(whyParameter, at, p.Name), none, none
		if f.Entry != nil {
			w.input(p, w.params[i])
			continue
		}
		if functionPointer(p.Type) {
			w.contents[i] = w.add(whyParameter, at, p.Name)
			w.resultMemory[i] = w.add(whyNothing, syntax.Span{}, "")
			w.values.set(p, w.contents[i])
			w.pointers[p] = view{root: p, deps: []nodeID{w.params[i]}, full: true}
			continue
		}
		if _, pointer := p.Type.(*types.Pointer); pointer {
			w.pointers[p] = view{root: p, deps: []nodeID{w.params[i]}, full: true}
			continue
		}
		w.declared[p] = w.params[i]
	}
}

func functionPointer(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	return ok && p.Space == types.SpaceFunction
}

// input records where the value of an entry point's parameter comes from.
func (w *walker) input(p *types.Object, n nodeID) {
	w.declared[p] = n
	for _, v := range w.function.Entry.Inputs {
		if v.Param != p || v.Builtin != "" && w.uniformInput(v.Builtin, w.function.Entry.Stage) {
			continue
		}
		reason, name := whyInput, "`"+p.Name+"`"
		if v.Builtin != "" {
			reason, name = whyBuiltin, "`"+p.Name+"` comes from `"+v.Builtin+"`"
		}
		at := v.Span
		if v.Member == nil && p.Ident != nil {
			at = p.Ident.Span()
		}
		source := w.add(reason, at, name)
		w.edge(n, source)
		w.edge(source, nonUni)
	}
}

// leave links the memory that pointer parameters point to with the contents that callers find
// afterwards.
func (w *walker) leave() {
	for i, p := range w.function.Params {
		if w.resultMemory[i] != none {
			w.edge(w.resultMemory[i], w.values.get(p))
		}
	}
}

// --- statements (§ 15.2.6). Each method receives the control flow before a statement and returns
// the one after it.

func (w *walker) sequence(cf nodeID, list []syntax.Stmt) nodeID {
	for _, s := range list {
		cf = w.statement(cf, s)
		if !w.behaviors.statement(s).Has(Next) {
			break // the rest is never reached
		}
	}
	return cf
}

func (w *walker) block(cf nodeID, b *syntax.BlockStmt) (after nodeID) {
	w.filtered(b.Attrs, func() { after = w.sequence(cf, b.List) })
	return after
}

func (w *walker) statement(cf nodeID, s syntax.Stmt) (after nodeID) {
	after = cf
	switch s := s.(type) {
	case *syntax.BlockStmt:
		return w.block(cf, s)
	case *syntax.IfStmt:
		w.filtered(s.Attrs, func() { after = w.ifStmt(cf, s) })
	case *syntax.SwitchStmt:
		w.filtered(s.Attrs, func() { after = w.switchStmt(cf, s) })
	case *syntax.LoopStmt:
		w.filtered(s.Attrs, func() { after = w.loopStmt(cf, s) })
	case *syntax.ForStmt:
		w.filtered(s.Attrs, func() { after = w.forStmt(cf, s) })
	case *syntax.WhileStmt:
		w.filtered(s.Attrs, func() { after = w.whileStmt(cf, s) })
	case *syntax.BreakStmt:
		w.jump(func(l *loop) *exit { return l.breaks })
	case *syntax.ContinueStmt:
		w.jump(func(l *loop) *exit { return l.continues })
	case *syntax.BreakIfStmt:
		v := w.expr(cf, s.Cond)
		after = w.add(whyLeave, s.Cond.Span(), "break if")
		w.edge(after, v)
		w.jump(func(l *loop) *exit { return l.breaks })
	case *syntax.ReturnStmt:
		if s.X != nil {
			w.edge(w.result, w.expr(cf, s.X))
		}
		w.leave()
	case *syntax.DeclStmt:
		w.declaration(cf, s.Decl)
	case *syntax.AssignStmt:
		w.assign(cf, s)
	case *syntax.IncDecStmt:
		v := w.view(cf, s.X)
		w.store(cf, v, s.X, w.loaded(cf, v, s.X.Span()))
	case *syntax.CallStmt:
		w.expr(cf, s.Call)
	}
	return after
}

func (w *walker) declaration(cf nodeID, d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.VarDecl:
		v := cf
		if d.Init != nil {
			v = w.expr(cf, d.Init)
		}
		if o := w.info.Defs[d.Name]; o != nil {
			n := w.add(whyAssigned, d.Name.Span(), o.Name)
			w.edge(n, v)
			w.values.set(o, n)
		}
	case *syntax.LetDecl:
		o := w.info.Defs[d.Name]
		if o == nil {
			return
		}
		if _, pointer := o.Type.(*types.Pointer); pointer {
			w.pointers[o] = w.view(cf, d.Init)
			return
		}
		n := w.add(whyValue, d.Name.Span(), o.Name)
		w.edge(n, w.expr(cf, d.Init))
		w.declared[o] = n
	}
}

// assign evaluates the left side once and first, then loads it for a compound assignment, then
// evaluates the right side (§ 9.2.1, § 9.2.3).
func (w *walker) assign(cf nodeID, s *syntax.AssignStmt) {
	if s.LHS == nil {
		w.expr(cf, s.RHS)
		return
	}
	v := w.view(cf, s.LHS)
	var from []nodeID
	if s.Op != syntax.OpNone {
		from = append(from, w.loaded(cf, v, s.LHS.Span()))
	}
	w.store(cf, v, s.LHS, append(from, w.expr(cf, s.RHS))...)
}

// store gives the variable of the view a new value, which depends on the nodes.
func (w *walker) store(cf nodeID, v view, x syntax.Expr, from ...nodeID) {
	if v.root == nil || !w.tracked(v.root) {
		return
	}
	n := w.add(whyAssigned, x.Span(), v.root.Name)
	w.edge(n, cf)
	w.edge(n, from...)
	w.edge(n, v.deps...)
	if !v.full {
		w.edge(n, w.values.get(v.root))
	}
	w.values.set(v.root, n)
}

// tracked reports whether the analysis follows the values of a root. It follows variables of this
// function and the memory of its function-space pointers.
func (w *walker) tracked(o *types.Object) bool { return w.values.get(o) != none }

// branch returns the control flow that a condition decides.
func (w *walker) branch(cf nodeID, cond syntax.Expr, keyword string) nodeID {
	n := w.add(whyBranch, cond.Span(), keyword)
	w.edge(n, w.expr(cf, cond))
	return n
}

// arm is one path through an if or switch.
type arm struct {
	behavior Behavior
	cf       nodeID
	values   *values
}

// through runs one arm with its own values.
func (w *walker) through(behavior Behavior, f func() nodeID) arm {
	outer := w.values
	w.values = w.fork()
	cf := f()
	a := arm{behavior, cf, w.values}
	w.values = outer
	return a
}

func (w *walker) ifStmt(cf nodeID, s *syntax.IfStmt) nodeID {
	cond := w.branch(cf, s.Cond, "if")
	arms := []arm{w.through(w.behaviors.block(s.Then), func() nodeID { return w.block(cond, s.Then) })}
	switch e := s.Else.(type) {
	case nil:
		arms = append(arms, arm{Next, cond, w.fork()})
	case *syntax.IfStmt:
		arms = append(arms, w.through(w.behaviors.ifStmt(e), func() nodeID { return w.statement(cond, e) }))
	case *syntax.BlockStmt:
		arms = append(arms, w.through(w.behaviors.block(e), func() nodeID { return w.block(cond, e) }))
	}
	w.join(arms)
	return w.afterArms(cf, arms, w.behaviors.ifStmt(s), s.Cond.Span(), "if")
}

// afterArms returns the control flow after an if or switch.
func (w *walker) afterArms(cf nodeID, arms []arm, behavior Behavior, at syntax.Span, keyword string) nodeID {
	if behavior == Next {
		return cf
	}
	end := w.add(whyLeave, at, keyword)
	for _, a := range arms {
		w.edge(end, a.cf)
	}
	return end
}

// join merges the variables' values of the arms that continue to the next statement (§ 15.2.5).
func (w *walker) join(arms []arm) {
	open := arms[:0:0]
	for _, a := range arms {
		if a.behavior.Has(Next) {
			open = append(open, a)
		}
	}
	merged := map[*types.Object]bool{}
	for _, a := range open {
		for o := range a.values.changed {
			if merged[o] || w.values.get(o) == none {
				continue
			}
			merged[o] = true
		}
	}
	for _, o := range inOrder(merged) {
		n := w.add(whyNothing, syntax.Span{}, "")
		for _, a := range open {
			w.edge(n, a.values.get(o))
		}
		w.values.set(o, n)
	}
}

func (w *walker) switchStmt(cf nodeID, s *syntax.SwitchStmt) nodeID {
	cond := w.branch(cf, s.X, "switch")
	l := &loop{breaks: newExit(w.assignedIn(s))}
	w.loops = append(w.loops, l)
	arms := make([]arm, 0, len(s.Cases))
	broken := false
	w.filtered(s.BodyAttrs, func() {
		for _, c := range s.Cases {
			b := w.behaviors.block(c.Body)
			broken = broken || b.Has(Break)
			arms = append(arms, w.through(b, func() nodeID { return w.block(cond, c.Body) }))
		}
	})
	w.loops = w.loops[:len(w.loops)-1]
	if broken {
		arms = append(arms, arm{Next, none, &values{l.breaks.values, w.values}})
	}
	w.join(arms)
	if broken {
		arms = arms[:len(arms)-1]
	}
	return w.afterArms(cf, arms, w.behaviors.switchStmt(s), s.X.Span(), "switch")
}

// jump records the variables' values at a break or continue.
func (w *walker) jump(into func(*loop) *exit) {
	if w.full() {
		return
	}
	for i := len(w.loops) - 1; i >= 0; i-- {
		to := into(w.loops[i])
		if to == nil {
			continue
		}
		for _, o := range to.variables {
			if !w.tracked(o) {
				continue // it is declared after the jump
			}
			n, known := to.values[o]
			if !known {
				n = w.add(whyNothing, syntax.Span{}, "")
				to.values[o] = n
			}
			w.edge(n, w.values.get(o))
		}
		return
	}
}

func (w *walker) loopStmt(cf nodeID, s *syntax.LoopStmt) nodeID {
	p := loopParts{
		stmt: s, attrs: s.Body.Attrs, body: func(cf nodeID) nodeID { return w.sequence(cf, s.Body.List) },
		bodyBehavior: w.behaviors.block(s.Body), restBehavior: Next,
	}
	if s.Continuing != nil {
		p.restBehavior = w.behaviors.block(s.Continuing.Body)
		p.rest = func(cf nodeID) nodeID { return w.block(cf, s.Continuing.Body) }
		p.declared = w.variablesOf(s.Body)
	}
	return w.iterate(cf, p)
}

// whileStmt runs `while c {…}` as `loop { if !c { break; } {…} }` (§ 9.4.5).
func (w *walker) whileStmt(cf nodeID, s *syntax.WhileStmt) nodeID {
	return w.iterate(cf, loopParts{
		stmt: s, cond: s.Cond, keyword: "while", body: func(cf nodeID) nodeID { return w.block(cf, s.Body) },
		bodyBehavior: w.behaviors.block(s.Body) | Break, restBehavior: Next,
	})
}

// forStmt runs `for (init; c; post) {…}` as `{ init; loop { if !c { break; } {…} continuing { post
// } } }` (§ 9.4.4).
func (w *walker) forStmt(cf nodeID, s *syntax.ForStmt) nodeID {
	if s.Init != nil {
		cf = w.statement(cf, s.Init)
	}
	parts := loopParts{
		stmt: s, cond: s.Cond, keyword: "for", body: func(cf nodeID) nodeID { return w.block(cf, s.Body) },
		bodyBehavior: w.behaviors.block(s.Body), restBehavior: Next,
	}
	if s.Cond != nil {
		parts.bodyBehavior |= Break
	}
	if s.Post != nil {
		parts.rest = func(cf nodeID) nodeID { return w.statement(cf, s.Post) }
	}
	return w.iterate(cf, parts)
}

// loopParts holds the parts of a loop.
type loopParts struct {
	stmt                       syntax.Stmt
	attrs                      []*syntax.Attribute
	cond                       syntax.Expr // of for and while, or nil
	keyword                    string
	body, rest                 func(cf nodeID) nodeID // rest may be nil
	declared                   []*types.Object        // the body's variables that rest may use
	bodyBehavior, restBehavior Behavior
}

// iterate analyses one loop (§ 15.2.6).
func (w *walker) iterate(cf nodeID, p loopParts) nodeID {
	again := p.bodyBehavior&(Next|Continue) != 0
	assigned := w.assignedIn(p.stmt)
	l := &loop{breaks: newExit(assigned), continues: newExit(slices.Concat(assigned, p.declared))}
	start := cf
	var phis []nodeID
	if again {
		start = w.add(whyNothing, syntax.Span{}, "")
		w.edge(start, cf)
		phis = w.phis(assigned)
	}
	w.loops = append(w.loops, l)
	var cf1 nodeID
	w.filtered(p.attrs, func() {
		cf1 = start
		falls := Next
		if p.cond != nil {
			cf1, falls = w.loopCondition(start, p)
		}
		if falls.Has(Next) {
			cf1 = p.body(cf1)
		}
		if again {
			w.nextTurn(l, start, cf1, phis, p)
		}
	})
	w.loops = w.loops[:len(w.loops)-1]
	w.afterBreaks(l)
	switch {
	case !p.bodyBehavior.Has(Return):
		return cf
	case again:
		return start
	}
	return cf1
}

// phis gives each variable that the loop changes a node for its value at the start of an iteration.
func (w *walker) phis(assigned []*types.Object) []nodeID {
	list := make([]nodeID, len(assigned))
	for i, o := range assigned {
		list[i] = w.add(whyNothing, syntax.Span{}, "")
		w.edge(list[i], w.values.get(o))
		w.values.set(o, list[i])
	}
	return list
}

// loopCondition runs `if !cond { break; }` at the start of an iteration.
func (w *walker) loopCondition(cf nodeID, p loopParts) (nodeID, Behavior) {
	cond := w.branch(cf, p.cond, p.keyword)
	w.jump(func(l *loop) *exit { return l.breaks })
	after := w.add(whyLeave, p.cond.Span(), p.keyword)
	w.edge(after, cond)
	return after, Next
}

// nextTurn runs the continuing part and joins its end with the start of the next iteration.
func (w *walker) nextTurn(l *loop, start, cf1 nodeID, phis []nodeID, p loopParts) {
	for _, o := range l.continues.variables { // the values at the end of the body and at each continue
		n, jumped := l.continues.values[o]
		if !jumped {
			continue
		}
		if p.bodyBehavior.Has(Next) {
			w.edge(n, w.values.get(o))
		}
		w.values.set(o, n)
	}
	cf2 := cf1
	if p.rest != nil {
		cf2 = p.rest(cf1)
	}
	w.edge(start, cf2)
	for i, o := range l.breaks.variables {
		w.edge(phis[i], w.values.get(o))
	}
}

// afterBreaks sets the variables to their values at the exits of the loop.
func (w *walker) afterBreaks(l *loop) {
	for _, o := range l.breaks.variables {
		if n, ok := l.breaks.values[o]; ok {
			w.values.set(o, n)
		}
	}
}

// assignedIn returns every variable from outside that a statement may change, in the order of the
// changes.
func (w *walker) assignedIn(s syntax.Stmt) []*types.Object {
	var list []*types.Object
	seen := map[*types.Object]bool{}
	note := func(x syntax.Expr) {
		if o := w.rootOf(x); o != nil && !seen[o] && w.tracked(o) {
			seen[o] = true
			list = append(list, o)
		}
	}
	syntax.Walk(s, func(n syntax.Node) bool {
		note(syntax.Assigned(n))
		if call, ok := n.(*syntax.CallExpr); ok {
			for _, arg := range call.Args {
				if functionPointer(w.info.ValueType(arg)) {
					note(arg)
				}
			}
		}
		return true
	}, nil)
	return list
}

// variablesOf returns the variables that a block declares, without those of blocks in it.
func (w *walker) variablesOf(b *syntax.BlockStmt) []*types.Object {
	var list []*types.Object
	for _, s := range b.List {
		d, ok := s.(*syntax.DeclStmt)
		if !ok {
			continue
		}
		if v, ok := d.Decl.(*syntax.VarDecl); ok && w.info.Defs[v.Name] != nil {
			list = append(list, w.info.Defs[v.Name])
		}
	}
	return list
}

func (w *walker) rootOf(x syntax.Expr) *types.Object { return w.info.Root(x) }

// inOrder sorts objects by their declarations, so that graphs are always built the same way.
func inOrder(set map[*types.Object]bool) []*types.Object {
	list := make([]*types.Object, 0, len(set))
	for o := range set {
		list = append(list, o)
	}
	sortObjects(list)
	return list
}
