package edit

import (
	"regexp"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// statement adds the edits of a statement, without those of its place.
func (f *finder) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		f.assignment(s)
	case *syntax.IncDecStmt:
		f.increment(s)
	case *syntax.IfStmt:
		f.condition(s)
		f.kept(s)
		f.otherwise(s)
	case *syntax.ForStmt:
		f.steps(s)
		f.reversed(s)
		f.reset(s, s.Body)
	case *syntax.BreakStmt:
		f.replace(Leave, Usual, s.Span(), "continue;")
	case *syntax.ContinueStmt:
		f.replace(Leave, Usual, s.Span(), "break;")
	case *syntax.WhileStmt:
		f.stepping(s.Cond, s.Body)
		f.reset(s, s.Body)
	case *syntax.DeclStmt:
		f.shadowing(s)
	}
}

// reversed adds the edit that exchanges where a loop starts and where it ends.
func (f *finder) reversed(s *syntax.ForStmt) {
	compare, ok := s.Cond.(*syntax.BinaryExpr)
	if ok && s.Init != nil && initial(s.Init) != nil {
		f.exchange(Bound, Unusual, s.Cond.Span(), initial(s.Init).Span(), compare.Y.Span())
	}
}

// stepping adds the edits that let a variable of a condition count.
func (f *finder) stepping(cond syntax.Expr, body *syntax.BlockStmt) {
	at := syntax.Span{Start: body.Close.Start, End: body.Close.Start}
	for x := range syntax.All[*syntax.IdentExpr](cond) {
		if isInteger(f.typeOf(x)) {
			for _, step := range []string{"++;", "--;"} {
				f.write(Step, Usual, cond.Span(), x.Name.Name+step, findings.Edit{Span: at, New: x.Name.Name + step + " "})
			}
		}
	}
}

// reset adds the edits that start a sum or an extremum anew before a loop that continues it.
func (f *finder) reset(loop syntax.Stmt, body *syntax.BlockStmt) {
	at := before(loop)
	for s := range syntax.All[*syntax.AssignStmt](body) {
		name, ok := s.LHS.(*syntax.IdentExpr)
		if !ok || !isFloat(f.typeOf(s.LHS)) || f.info.Uses[name] == nil || f.info.Uses[name].Span().Start > at.Start {
			continue
		}
		for _, value := range []string{"0.0", lowest} {
			text := name.Name.Name + " = " + value + ";"
			f.write(Initial, Usual, f.first(s, f.info.Uses[name], at), text, findings.Edit{Span: at, New: text + " "})
		}
	}
}

// first returns the declaration of a variable if nothing before a loop uses it, and no loop around
// it repeats without it: then the variable starts with the wrong value. Otherwise it returns the
// statement.
func (f *finder) first(s syntax.Stmt, o *types.Object, loop syntax.Span) syntax.Span {
	declared := o.Span()
	for x, of := range f.info.Uses {
		if of == o && x.Span().Start < loop.Start {
			return s.Span()
		}
	}
	for n := range f.path {
		switch around := f.path[n].(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
			if at := around.Span(); at.Start > declared.Start && at.Start < loop.Start {
				return s.Span()
			}
		}
	}
	return declared
}

// kept adds the edits that keep the number with which an if compares: the best one so far.
func (f *finder) kept(s *syntax.IfStmt) {
	compare, ok := syntax.Unparen(s.Cond).(*syntax.BinaryExpr)
	if !ok || !isComparison(compare.Op) {
		return
	}
	at := s.Then.Open.At()
	for _, sides := range [][2]syntax.Expr{{compare.X, compare.Y}, {compare.Y, compare.X}} {
		name, ok := sides[0].(*syntax.IdentExpr)
		if !ok || f.info.Uses[name] == nil {
			continue
		}
		text := name.Name.Name + " = " + f.text(sides[1]) + ";"
		changes := []findings.Edit{{Span: at, New: " " + text}}
		switch o := f.info.Uses[name]; o.Kind {
		case types.VarObject:
		case types.LetObject:
			word := syntax.Span{Start: o.Span().Start - int32(len("let ")), End: o.Span().Start}
			if word.Start < 0 || f.source.Slice(word) != "let " {
				continue
			}
			changes = append(changes, findings.Edit{Span: word, New: "var "})
		default:
			continue
		}
		f.write(Keep, Usual, s.Cond.Span(), text, changes...)
	}
}

// otherwise adds the edit that stores a 0 in workgroup memory where an if stores a number only
// sometimes: what is there from the round before must not count again.
func (f *finder) otherwise(s *syntax.IfStmt) {
	if s.Else != nil || len(s.Then.List) != 1 {
		return
	}
	store, ok := s.Then.List[0].(*syntax.AssignStmt)
	if !ok || store.LHS == nil || !isFloat(f.typeOf(store.LHS)) || f.info.Root(store.LHS) == nil || f.info.Root(store.LHS).Space() != types.SpaceWorkgroup {
		return
	}
	text := "else { " + f.text(store.LHS) + " = 0.0; }"
	f.write(Otherwise, Usual, s.Cond.Span(), text, findings.Edit{Span: s.Span().At(), New: " " + text})
}

// shadowing adds the edits that assign to a variable where another of its name is declared.
func (f *finder) shadowing(s *syntax.DeclStmt) {
	value := initial(s)
	if value == nil {
		return
	}
	name := declared(s).Name
	for _, o := range f.info.InScope(s.Span().Start) {
		if o.Name == name && o.Kind == types.VarObject {
			for _, sign := range []string{" += ", " = "} {
				f.replace(Assignment, Usual, s.Span(), name+sign+f.text(value)+";")
			}
		}
	}
}

// declared returns the name that a statement declares.
func declared(s *syntax.DeclStmt) *syntax.Ident {
	switch d := s.Decl.(type) {
	case *syntax.LetDecl:
		return d.Name
	case *syntax.VarDecl:
		return d.Name
	}
	return nil
}

func (f *finder) assignment(s *syntax.AssignStmt) {
	if s.LHS == nil {
		return
	}
	if s.Op != syntax.OpNone {
		for i, op := range slips[s.Op] {
			f.within(Operator, min(Slip+i, Unusual), s.Span(), s.OpPos, op.String()+"=")
		}
		f.within(Assignment, Usual, s.Span(), s.OpPos, "=")
		return
	}
	if t := f.typeOf(s.RHS); isFloat(t) || isInteger(t) {
		f.within(Assignment, Usual, s.Span(), s.OpPos, "+=")
	}
}

func (f *finder) increment(s *syntax.IncDecStmt) {
	was := "++"
	to := "--"
	if s.Dec {
		was, to = to, was
	}
	sign := syntax.Span{Start: s.Span().End - int32(len(was)), End: s.Span().End}
	f.within(Step, Usual, s.Span(), sign, to)
}

// steps adds the edits of a loop that takes one step at a time and should take more.
func (f *finder) steps(s *syntax.ForStmt) {
	post, ok := s.Post.(*syntax.IncDecStmt)
	if !ok {
		return
	}
	t, offset := f.typeOf(post.X), s.Post.Span().Start
	by := append(f.values(offset, t), f.members(offset, t)...)
	for _, n := range append(by, f.groupSizes()...) {
		f.replace(Step, Usual, post.Span(), f.text(post.X)+" += "+n)
	}
}

// groupSizes returns the workgroup's sizes as numbers, where they are more than 1.
func (f *finder) groupSizes() []string {
	var found []string
	for _, e := range f.info.EntryPoints {
		for _, d := range e.WorkgroupSize {
			if d.Value > 1 {
				found = append(found, types.IntValue(types.U32, int64(d.Value)).String())
			}
		}
	}
	return found
}

// block adds the edits of the places of statements.
func (f *finder) block(b *syntax.BlockStmt) {
	for i, s := range b.List {
		f.removed(s)
		f.waiting(b.List, i)
		f.guarded(s)
		f.repeated(s)
		if i > 0 {
			f.ordered(b.List[i-1], s)
		}
		if body := bodyOf(s); body != nil {
			f.moved(b.List, i, body)
		}
		f.fromElement(s, b.List[i+1:])
		f.stored(s, b)
		f.beside(s, b)
	}
	if last := len(b.List) - 1; last >= 0 {
		f.insertBarrier(b.List[last], b.List[last].Span().At())
	}
	f.leaving(b)
	f.waitingTwice(b)
}

// removed adds the edit without a statement.
func (f *finder) removed(s syntax.Stmt) {
	kind, cost := Delete, Usual
	switch s := s.(type) {
	case *syntax.CallStmt:
		cost = Slip
		if isBarrier(s) {
			kind = Surplus
		}
		if s.Call.Callee.Name.Name == "storageBarrier" {
			f.replace(Barrier, Slip, s.Span(), barrier)
		}
	case *syntax.IfStmt:
		kind, cost = Surplus, Unusual
	case *syntax.AssignStmt, *syntax.IncDecStmt, *syntax.ReturnStmt, *syntax.BreakStmt, *syntax.ContinueStmt:
	default:
		return
	}
	f.replace(kind, cost, s.Span(), "")
}

// repeated adds the edit with a statement twice.
func (f *finder) repeated(s syntax.Stmt) {
	if assign, ok := s.(*syntax.AssignStmt); ok && assign.Op != syntax.OpNone {
		f.write(Repeat, Rare, s.Span(), f.text(s), findings.Edit{Span: s.Span().At(), New: " " + f.text(s)})
	}
}

const barrier = "workgroupBarrier();"

func isBarrier(s syntax.Stmt) bool {
	call, ok := s.(*syntax.CallStmt)
	return ok && call.Call.Callee.Name.Name == "workgroupBarrier"
}

// waiting adds the edit with a barrier before a statement.
func (f *finder) waiting(list []syntax.Stmt, i int) {
	if isBarrier(list[i]) || i > 0 && isBarrier(list[i-1]) {
		return
	}
	f.insertBarrier(list[i], before(list[i]))
}

// loops returns how many loops there are around the block that is visited.
func (f *finder) loops() int {
	loops := 0
	for _, n := range f.path {
		switch n.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
			loops++
		}
	}
	return loops
}

// insertBarrier adds the edit with a barrier at the start or the end of a statement, in shaders
// with something to wait for. A barrier in a loop within a loop is rare.
func (f *finder) insertBarrier(next syntax.Stmt, at syntax.Span) {
	for _, o := range f.info.Globals {
		if o.Space() == types.SpaceWorkgroup && !isBarrier(next) {
			f.write(Barrier, min(Usual+max(f.loops()-1, 0), Rare), at, barrier, findings.Edit{Span: at, New: " " + barrier + " "})
			return
		}
	}
}

// waitingTwice adds the edits with a barrier within a loop and another at its end, as one mistake:
// all barriers are missing.
func (f *finder) waitingTwice(b *syntax.BlockStmt) {
	if _, ok := f.parent(1).(*syntax.ForStmt); !ok || len(b.List) < 2 || f.loops() > 1 {
		return
	}
	end := b.List[len(b.List)-1].Span().At()
	for _, s := range b.List[1:] {
		f.write(Barrier, Unusual, before(s), barrier, findings.Edit{Span: before(s), New: barrier + " "}, findings.Edit{Span: end, New: " " + barrier})
	}
}

// ordered adds the edits that exchange two statements, or the values of two declarations.
func (f *finder) ordered(a, b syntax.Stmt) {
	cost := Usual
	if initial(a) != nil || initial(b) != nil {
		cost = Unusual
	}
	f.exchange(Order, cost, b.Span(), a.Span(), b.Span())
	if x, y := initial(a), initial(b); x != nil && y != nil {
		f.exchange(Name, Usual, a.Span(), x.Span(), y.Span())
	}
}

// initial returns the value that a statement declares a variable with, or nil.
func initial(s syntax.Stmt) syntax.Expr {
	d, ok := s.(*syntax.DeclStmt)
	if !ok {
		return nil
	}
	switch d := d.Decl.(type) {
	case *syntax.LetDecl:
		return d.Init
	case *syntax.VarDecl:
		return d.Init
	}
	return nil
}

// bodyOf returns the block of a loop or an if, or nil.
func bodyOf(s syntax.Stmt) *syntax.BlockStmt {
	switch s := s.(type) {
	case *syntax.ForStmt:
		return s.Body
	case *syntax.WhileStmt:
		return s.Body
	case *syntax.LoopStmt:
		return s.Body
	case *syntax.IfStmt:
		return s.Then
	}
	return nil
}

// moved adds the edits that move a statement into or out of the loop or if at list[i].
func (f *finder) moved(list []syntax.Stmt, i int, body *syntax.BlockStmt) {
	ahead, after := before(list[i]), list[i].Span().At()
	start, end := body.Open.At(), syntax.Span{Start: body.Close.Start, End: body.Close.Start}
	if n := len(body.List); n > 0 {
		f.move(body.List[0], ahead, Usual)
		f.move(body.List[n-1], after, Usual)
		if n > 1 {
			f.move(body.List[n-1], ahead, Unusual)
			f.move(body.List[0], after, Unusual)
		}
	}
	for j := range i {
		f.move(list[j], start, Usual)
	}
	if i+1 < len(list) {
		f.move(list[i+1], end, Usual)
	}
}

// move adds the edit that moves a simple statement to an empty span.
func (f *finder) move(s syntax.Stmt, to syntax.Span, cost int) {
	switch d := s.(type) {
	case *syntax.DeclStmt:
		if _, ok := d.Decl.(*syntax.VarDecl); !ok {
			return
		}
	case *syntax.AssignStmt, *syntax.IncDecStmt, *syntax.CallStmt:
	default:
		return
	}
	if isBarrier(s) {
		cost = Unusual // one that is missing is likelier
	}
	f.add(Mutation{
		Kind: Move, Cost: cost, Span: s.Span(), Was: f.text(s), To: f.text(s),
		Changes: []findings.Edit{{Span: s.Span()}, {Span: to, New: " " + f.text(s) + " "}},
	})
}

// leaving adds the edit that ends the innermost loop at the end of an if.
func (f *finder) leaving(b *syntax.BlockStmt) {
	if _, ok := f.parent(1).(*syntax.IfStmt); !ok || len(b.List) == 0 {
		return
	}
	at := b.List[len(b.List)-1].Span().At()
	for _, word := range []string{"return;", "break;", "continue;"} {
		f.write(Guard, Unusual, at, word, findings.Edit{Span: at, New: " " + word})
	}
}

// stored adds the edit that writes a variable back to the element from which it was read.
func (f *finder) stored(s syntax.Stmt, b *syntax.BlockStmt) {
	x, ok := initial(s).(*syntax.IndexExpr)
	if !ok || f.info.Root(x) == nil || !f.info.Root(x).Access().Writes() {
		return
	}
	name := declared(s.(*syntax.DeclStmt)).Name
	store := f.text(x) + " = " + name + ";"
	at := b.List[len(b.List)-1].Span().At()
	f.write(Store, Usual, lastChange(name, s, b), store, findings.Edit{Span: at, New: " " + store})
}

// beside adds the edits that store into a second array of workgroup memory where a block stores
// into one: a value and where it was found move together. The second gets its own element of the
// same place, or what was read from it.
func (f *finder) beside(s syntax.Stmt, b *syntax.BlockStmt) {
	store, ok := s.(*syntax.AssignStmt)
	if !ok || store.Op != syntax.OpNone {
		return
	}
	to, ok := store.LHS.(*syntax.IndexExpr)
	if !ok || f.info.Root(to) == nil || f.info.Root(to).Space() != types.SpaceWorkgroup {
		return
	}
	at := s.Span().At()
	for _, other := range f.info.Globals {
		if other == f.info.Root(to) || other.Space() != types.SpaceWorkgroup || f.stores(other, b) {
			continue
		}
		element := other.Name + "[" + f.text(to.Index) + "]"
		write := func(value string) {
			text := element + " = " + value + ";"
			f.write(Beside, Slip, at, text, findings.Edit{Span: at, New: " " + text})
		}
		if from, ok := store.RHS.(*syntax.IndexExpr); ok && f.info.Root(from) == f.info.Root(to) {
			write(other.Name + "[" + f.text(from.Index) + "]")
		}
		for _, o := range f.info.InScope(at.Start) {
			if element := elementIn(o); element != nil && f.info.Root(element) == other {
				write(o.Name)
			}
		}
	}
}

// stores reports whether a block stores into a variable.
func (f *finder) stores(o *types.Object, b *syntax.BlockStmt) bool {
	for s := range syntax.All[*syntax.AssignStmt](b) {
		if s.LHS != nil && f.info.Root(s.LHS) == o {
			return true
		}
	}
	return false
}

// elementIn returns the element that a let holds; nil of anything else.
func elementIn(o *types.Object) *syntax.IndexExpr {
	let, ok := o.Decl.(*syntax.LetDecl)
	if !ok {
		return nil
	}
	element, _ := let.Init.(*syntax.IndexExpr)
	return element
}

// lastChange returns the span of the last assignment to a variable in a block, or that of its
// declaration.
func lastChange(name string, declaration syntax.Stmt, b *syntax.BlockStmt) syntax.Span {
	last := declaration.Span()
	for a := range syntax.All[*syntax.AssignStmt](b) {
		if x, ok := a.LHS.(*syntax.IdentExpr); ok && x.Name.Name == name && a.Span().Start > last.Start {
			last = a.Span()
		}
	}
	return last
}

// fromElement adds the edits that start a variable with an element that the loop after it reads.
func (f *finder) fromElement(s syntax.Stmt, rest []syntax.Stmt) {
	value := initial(s)
	if value == nil || !isFloat(f.typeOf(value)) {
		return
	}
	for _, after := range rest {
		if loop, ok := after.(*syntax.ForStmt); ok {
			f.fromLoop(value, loop)
			return
		}
	}
}

func (f *finder) fromLoop(value syntax.Expr, loop *syntax.ForStmt) {
	head, ok := loop.Init.(*syntax.DeclStmt)
	if !ok || initial(head) == nil {
		return
	}
	counter := regexp.MustCompile(`\b` + regexp.QuoteMeta(declared(head).Name) + `\b`)
	first := f.operand(initial(head))
	for x := range syntax.All[*syntax.IndexExpr](loop.Body) {
		if isFloat(f.typeOf(x)) {
			f.replace(Initial, Usual, value.Span(), counter.ReplaceAllLiteralString(f.text(x), first))
		}
	}
}

// loopBounds adds the edits of the same comparison in the heads of all loops.
func (f *finder) loopBounds(body *syntax.BlockStmt) {
	heads := map[syntax.Op][]*syntax.BinaryExpr{}
	var ops []syntax.Op // in the order of their first loops
	for loop := range syntax.All[*syntax.ForStmt](body) {
		if compare, ok := loop.Cond.(*syntax.BinaryExpr); ok {
			if len(heads[compare.Op]) == 0 {
				ops = append(ops, compare.Op)
			}
			heads[compare.Op] = append(heads[compare.Op], compare)
		}
	}
	for _, op := range ops {
		all := heads[op]
		if len(all) < 2 {
			continue
		}
		for _, to := range slips[op] {
			var changes []findings.Edit
			for _, compare := range all {
				changes = append(changes, findings.Edit{Span: compare.OpPos, New: to.String()})
			}
			f.add(Mutation{Kind: Comparison, Cost: Unusual, Span: all[0].Span(), Was: op.String(), To: to.String(), Changes: changes})
		}
	}
}
