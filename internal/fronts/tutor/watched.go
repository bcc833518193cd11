package tutor

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// mostWatched is how many statements of all invocations are watched in a case that a fact names.
// If it means each case, fewInEach are watched in each.
const mostWatched, fewInEach = 600_000, 50_000

// A watched case is what its invocations did, statement by statement.
type watched struct {
	size, groups [3]uint32
	statements   []*watchedStatement
	did          []step
	places       []place // of all steps
	most         int     // how many statements are watched
	cut          bool    // there were more
}

// A watchedStatement is a statement, with what it is in and the elements that it names.
type watchedStatement struct {
	node     syntax.Stmt
	line     int
	elements []watchedElement
}

// A watchedElement is an element of an array that a statement reads or writes.
type watchedElement struct {
	name          string
	indexes       []*ir.Expression
	reads, writes bool
}

// A step is one visit of a statement.
type step struct {
	id, group [3]uint32
	statement int
	places    int // where those of its elements begin
}

// A place is the indexes of an element: the second is 0 unless arrays are nested.
type place [2]int32

// watch runs a case statement by statement for a fact, once.
func (m *measurement) watch(ctx context.Context, f fact, c course.Case) (*watched, error) {
	most := mostWatched
	if f.Case == "" {
		most = fewInEach
	}
	w := m.watched[c.Name]
	if w == nil || w.cut && w.most < most {
		p, err := m.compiled()
		if err != nil {
			return nil, err
		}
		w = &watched{size: p.Pipeline.WorkgroupSize, most: most}
		w.groups = m.exercise.Dispatch.Workgroups(c.Extent, w.size)
		if err := m.checking(ctx, func() error { return w.run(ctx, p, m.source.Shader().Source, c) }); err != nil {
			return nil, err
		}
		m.watched[c.Name] = w
	}
	if w.cut {
		return nil, unclear("the case %s is too large to be watched: name a smaller one", c.Name)
	}
	return w, nil
}

// compiled compiles the learner's shader for a debugger.
func (m *measurement) compiled() (*sim.Program, error) {
	if m.source == nil {
		return nil, unclear("%s is no shader", m.exercise.ID)
	}
	p, err := sim.CompileEntry(m.source, nil, true)
	if err != nil {
		return nil, unclear("the shader doesn't compile")
	}
	return p, nil
}

// run fills what a case does.
func (w *watched) run(ctx context.Context, p *sim.Program, source *syntax.Source, c course.Case) error {
	places := map[syntax.Stmt]int{}
	for i, s := range p.Statements() {
		places[s.Node] = i
		w.statements = append(w.statements, look(p, source, s))
	}
	var buffers []sim.BoundBuffer
	for i, b := range c.Buffers {
		buffers = append(buffers, sim.BoundBuffer{Binding: uint32(i), Data: b.Clone().Bytes})
	}
	s, err := p.Debug(ctx, w.groups, buffers)
	if err != nil {
		return fmt.Errorf("watching the case %s: %w", c.Name, err)
	}
	for {
		for local := range s.Invocations() {
			for at := s.At(local); at.State == sim.AtStatement; at = s.Step(local) {
				if len(w.did) == w.most {
					w.cut = true
					return ctx.Err()
				}
				w.visit(s, uint32(local), places[at.Statement])
			}
		}
		if !s.Meet() && !s.Next() {
			return ctx.Err()
		}
	}
}

// visit keeps a visit of a statement.
func (w *watched) visit(s *sim.Stepper, local uint32, statement int) {
	did := step{group: s.Workgroup(), statement: statement}
	for axis, own := range [3]uint32{local % w.size[0], local / w.size[0] % w.size[1], local / w.size[0] / w.size[1]} {
		did.id[axis] = did.group[axis]*w.size[axis] + own
	}
	did.places = len(w.places)
	for _, e := range w.statements[statement].elements {
		var at place
		for axis, x := range e.indexes[:min(2, len(e.indexes))] {
			if v, _, err := s.Evaluate(x, int(local)); err == nil && v.Valid() {
				at[axis] = int32(v.Int()) // a u32 that has wrapped around is below 0: so people speak of it
			}
		}
		w.places = append(w.places, at)
	}
	w.did = append(w.did, did)
}

// look finds the elements that a statement reads and writes, without the statements inside it.
func look(p *sim.Program, source *syntax.Source, s sim.Statement) *watchedStatement {
	w := &watchedStatement{node: s.Node, line: source.LineOf(s.Node.Span().Start)}
	frame := sim.Frame{Function: s.Function, Span: s.Node.Span()}
	use := usesOf(s.Node)
	inner := map[syntax.Node]bool{}
	syntax.Walk(s.Node, func(n syntax.Node) bool {
		if _, is := n.(syntax.Stmt); is && n != syntax.Node(s.Node) {
			return false
		}
		index, is := n.(*syntax.IndexExpr)
		if !is || inner[n] {
			return true
		}
		e := watchedElement{reads: true}
		if how, is := use[n]; is {
			e.reads, e.writes = how.reads, how.writes
		}
		var base syntax.Expr = index
		for at, is := index, true; is; at, is = syntax.Unparen(base).(*syntax.IndexExpr) {
			inner[at] = true
			if x, err := p.Expression(frame, source.Slice(at.Index.Span())); err == nil {
				e.indexes = slices.Insert(e.indexes, 0, x)
			}
			base = at.X
		}
		if name, is := syntax.Unparen(base).(*syntax.IdentExpr); is && len(e.indexes) > 0 {
			e.name = name.Name.Name
			w.elements = append(w.elements, e)
		}
		return true
	}, nil)
	return w
}

type elementUse struct{ reads, writes bool }

// usesOf says which elements a statement does more with than read them.
func usesOf(s syntax.Stmt) map[syntax.Node]elementUse {
	uses := map[syntax.Node]elementUse{}
	element := func(x syntax.Expr) syntax.Node {
		x = syntax.Unparen(x)
		for part, is := x.(*syntax.MemberExpr); is; part, is = x.(*syntax.MemberExpr) {
			x = syntax.Unparen(part.X)
		}
		return x
	}
	switch s := s.(type) {
	case *syntax.AssignStmt:
		uses[element(s.LHS)] = elementUse{s.Op != syntax.OpNone, true}
	case *syntax.IncDecStmt:
		uses[element(s.X)] = elementUse{true, true}
	}
	for call := range syntax.All[*syntax.CallExpr](s) {
		if len(call.Args) == 0 || !strings.HasPrefix(call.Callee.Name.Name, "atomic") {
			continue
		}
		if to, is := syntax.Unparen(call.Args[0]).(*syntax.UnaryExpr); is {
			uses[element(to.X)] = elementUse{call.Callee.Name.Name != "atomicStore", call.Callee.Name.Name != "atomicLoad"}
		}
	}
	return uses
}

// accesses finds what a fact about accesses means.
func (m *measurement) accesses(w *watched, f fact, found func(place)) error {
	name, wanted, any := f.Of, place{}, true
	if e := elementForm.FindStringSubmatch(f.Of); e != nil {
		name, any = e[1], false
		for axis, n := range indexForm.FindAllStringSubmatch(e[2], len(wanted)) {
			index, err := strconv.ParseInt(n[1], 10, 32)
			if err != nil {
				return unclear("%s has no such index", f.Of)
			}
			wanted[axis] = int32(index)
		}
	}
	if f.Does != "reads" && f.Does != "writes" {
		return unclear("does is %q: use reads or writes", f.Does)
	}
	if !slices.ContainsFunc(w.statements, func(s *watchedStatement) bool {
		return slices.ContainsFunc(s.elements, func(e watchedElement) bool { return e.name == name })
	}) && !strings.Contains(m.program.Text, name) {
		return unclear("the program has no array %s", name)
	}
	type visitor struct {
		id        [3]uint32
		statement int
	}
	before, last := map[visitor]int{}, map[visitor]int{}
	for _, d := range w.did {
		last[visitor{d.id, d.statement}]++
	}
	for _, d := range w.did {
		v := visitor{d.id, d.statement}
		before[v]++
		s := w.statements[d.statement]
		if !f.means(d.id, d.group) || f.Line != 0 && f.Line != s.line || f.Round > 0 && f.Round != before[v] || f.Round < 0 && before[v] != last[v] {
			continue
		}
		for i, e := range s.elements {
			if e.name == name && (any || wanted == w.places[d.places+i]) && (f.Does == "reads" && e.reads || f.Does == "writes" && e.writes) {
				found(w.places[d.places+i])
			}
		}
	}
	return nil
}

// indexForm finds a number in brackets.
var indexForm = regexp.MustCompile(`\[\s*(-?\d+)u?\s*\]`)

// access measures how often an element is read or written.
func (m *measurement) access(ctx context.Context, f fact) (string, error) {
	return m.inCases(f, func(c course.Case) (string, error) {
		w, err := m.watch(ctx, f, c)
		if err != nil {
			return "", err
		}
		n := 0
		if err := m.accesses(w, f, func(place) { n++ }); err != nil {
			return "", err
		}
		if f.Is == nil && n > 0 {
			return "", nil
		}
		return different(fmt.Sprintf("the number of times that it %s %s", f.Does, f.Of), n, f), nil
	})
}

// lineRuns measures how often each invocation that reaches a line runs it, each time that it comes
// to the loop if the line begins one, or how many invocations reach it.
func (m *measurement) lineRuns(ctx context.Context, f fact) (string, error) {
	return m.inCases(f, func(c course.Case) (string, error) {
		w, err := m.watch(ctx, f, c)
		if err != nil {
			return "", err
		}
		begins := slices.IndexFunc(w.statements, func(s *watchedStatement) bool { return s.line == f.Line })
		if begins < 0 {
			return "", unclear("line %d has no statement that runs", f.Line)
		}
		times := w.timesAt(f, begins)
		if f.Of == "invocations" {
			return different(fmt.Sprintf("the number of invocations that reach line %d", f.Line), len(times), f), nil
		}
		if len(times) == 0 {
			return different(fmt.Sprintf("how often line %d runs", f.Line), 0, f), nil
		}
		for id, all := range times {
			for _, n := range all {
				if wrong := different(fmt.Sprintf("how often invocation %v runs line %d", id, f.Line), n, f); wrong != "" {
					return wrong, nil
				}
			}
		}
		return "", nil
	})
}

// timesAt returns how often each invocation runs a line; for a loop, its rounds each time that it
// comes there.
func (w *watched) timesAt(f fact, begins int) map[[3]uint32][]int {
	times := map[[3]uint32][]int{}
	body, entry, counted := w.loopAt(f.Line)
	for _, d := range w.did {
		if !f.means(d.id, d.group) {
			continue
		}
		s := w.statements[d.statement]
		switch all := times[d.id]; {
		case body == nil && d.statement == begins, body != nil && s.node == counted && all != nil:
			if all == nil {
				all = []int{0}
			}
			all[len(all)-1]++
			times[d.id] = all
		case body != nil && (s.node == entry || entry == nil && s.line == f.Line && all == nil):
			times[d.id] = append(all, 0)
		}
	}
	return times
}

// loopAt returns the body of the loop that a line begins, the statement with which an invocation
// comes to it, nil if it has none, and the body's first one.
func (w *watched) loopAt(line int) (body *syntax.BlockStmt, entry, first syntax.Stmt) {
	for _, s := range w.statements {
		if s.line != line {
			continue
		}
		switch loop := s.node.(type) {
		case *syntax.ForStmt:
			body, entry = loop.Body, loop.Init
		case *syntax.WhileStmt:
			body = loop.Body
		case *syntax.LoopStmt:
			body = loop.Body
		}
	}
	if body == nil || len(body.List) == 0 {
		return nil, nil, nil
	}
	first = body.List[0]
	if inner, is := first.(*syntax.ForStmt); is && inner.Init != nil {
		first = inner.Init
	}
	return body, entry, first
}

// isIn reports whether a line is in a loop, a condition or a function.
func (m *measurement) isIn(line int, in string) (bool, error) {
	if in == "" {
		return true, nil
	}
	if m.source == nil {
		return false, unclear("%s is no shader", m.exercise.ID)
	}
	source := m.source.Shader().Source
	within := func(n syntax.Node) bool {
		span := n.Span()
		return source.LineOf(span.Start) <= line && line <= source.LineOf(max(span.Start, span.End-1))
	}
	found, known := false, in == "loop" || in == "condition"
	syntax.Walk(m.source.Shader().File, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
			found = found || in == "loop" && within(n)
		case *syntax.IfStmt, *syntax.SwitchStmt:
			found = found || in == "condition" && within(n)
		case *syntax.FuncDecl:
			known = known || n.Name.Name == in
			found = found || n.Name.Name == in && within(n)
		}
		return true
	}, nil)
	if !known {
		return false, unclear("in is %q: use loop, condition or the name of a function", in)
	}
	return found, nil
}
