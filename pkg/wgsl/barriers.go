package wgsl

import "slices"

// A Barrier is a call that makes the invocations of a workgroup wait for one
// another.
type Barrier struct {
	Name         string // the function called
	Line, Column int    // both from 1
}

// barrierFunctions are WGSL's own, each of which every invocation of a
// workgroup must reach.
var barrierFunctions = []string{"workgroupBarrier", "storageBarrier", "textureBarrier", "workgroupUniformLoad"}

// Uses is how often the functions that run, the entry points and all that they
// call, name an identifier.
func (m *Module) Uses(name string) int { return m.uses[name] }

// Waits says whether the functions that run contain a barrier.
func (m *Module) Waits() bool {
	return slices.ContainsFunc(barrierFunctions, func(name string) bool { return m.uses[name] > 0 })
}

// Shares says whether the functions that run use a variable in workgroup memory:
// at least once to write and once to read.
func (m *Module) Shares() bool {
	return slices.ContainsFunc(m.Workgroup, func(v Variable) bool { return m.uses[v.Name] > 1 })
}

// uses counts the words in the functions that the entry points reach. A member
// is not a use of a variable of its name.
func (p *parser) uses() map[string]int {
	uses, reached := map[string]int{}, map[string]bool{}
	var reach func(function string)
	reach = func(function string) {
		if reached[function] {
			return
		}
		reached[function] = true
		body := p.bodies[function]
		for i, t := range body {
			if i > 0 && body[i-1].text == "." {
				continue
			}
			uses[t.text]++
			if _, calls := p.bodies[t.text]; calls {
				reach(t.text)
			}
		}
	}
	for _, e := range p.entries {
		reach(e.name.text)
	}
	return uses
}

// divergent finds the barriers of the entry points that stand where control flow
// is not uniform, after section "Uniformity" of the WGSL specification: a
// branch or loop that depends on the invocation's own number, or behind a
// return that only some take. The specification makes that an error; not every
// compiler looks.
//
// It finds less than the specification rejects, and nothing else: only what
// plainly follows from the builtins counts as different between invocations.
func (p *parser) divergent() []Barrier {
	waiting := p.waitingFunctions()
	var found []Barrier
	for _, e := range p.entries {
		w := &walk{body: p.bodies[e.name.text], waiting: waiting}
		w.own = ownValues(e, w.body)
		found = append(found, w.divergent()...)
	}
	return found
}

// waitingFunctions are those that contain a barrier, themselves or in what they
// call.
func (p *parser) waitingFunctions() map[string]bool {
	waiting := map[string]bool{}
	for _, name := range barrierFunctions {
		waiting[name] = true
	}
	for grown := true; grown; {
		grown = false
		for name, body := range p.bodies {
			if !waiting[name] && slices.ContainsFunc(body, func(t token) bool { return waiting[t.text] }) {
				waiting[name], grown = true, true
			}
		}
	}
	return waiting
}

// ownBuiltins are different in each invocation of a workgroup.
var ownBuiltins = []string{"local_invocation_id", "local_invocation_index", "global_invocation_id"}

// ownValues are the names in a body whose value depends on the invocation: the
// builtins, and what is declared from them and never assigned anew.
func ownValues(e entry, body []token) map[string]bool {
	own := map[string]bool{}
	for _, param := range params(e.params) {
		if slices.Contains(ownBuiltins, param.Builtin) {
			own[param.Name] = true
		}
	}
	declarations := declared(body)
	for name := range own {
		if _, shadowed := declarations[name]; shadowed {
			delete(own, name)
		}
	}
	reassigned := reassigned(body)
	for grown := true; grown; {
		grown = false
		for name, values := range declarations {
			all := !slices.ContainsFunc(values, func(value []token) bool { return !mentions(value, own) })
			if all && !own[name] && !reassigned[name] {
				own[name], grown = true, true
			}
		}
	}
	return own
}

// declared is what each name is declared from, once for each declaration.
func declared(body []token) map[string][][]token {
	declarations := map[string][][]token{}
	for at, t := range body {
		if t.text != "let" && t.text != "var" && t.text != "const" || at+1 >= len(body) {
			continue
		}
		name := body[at+1].text
		declaration := body[at+2 : indexOf(body, at, ";")]
		from := indexOf(declaration, 0, "=")
		declarations[name] = append(declarations[name], declaration[from:])
	}
	return declarations
}

// reassigned are the names that get another value with `=`, or whose address
// somebody takes.
func reassigned(body []token) map[string]bool {
	names := map[string]bool{}
	for at := 1; at+1 < len(body); at++ {
		before, after := body[at-1].text, body[at+1].text
		declares := before == "let" || before == "var" || before == "const"
		if after == "=" && !declares || before == "&" {
			names[body[at].text] = true
		}
	}
	return names
}

// mentions says whether an expression uses one of names. What
// workgroupUniformLoad gives is the same for all.
func mentions(expression []token, names map[string]bool) bool {
	found := false
	for i, t := range expression {
		if t.text == "workgroupUniformLoad" {
			return false
		}
		member := i > 0 && expression[i-1].text == "."
		found = found || names[t.text] && !member
	}
	return found
}

// A walk goes through a body and keeps the blocks that are open.
type walk struct {
	body    []token
	own     map[string]bool // names whose value depends on the invocation
	waiting map[string]bool // functions that contain a barrier

	open     []*branch
	left     bool // some invocations have returned already
	barriers []Barrier
}

// A branch is an open block.
type branch struct {
	keyword string
	own     bool     // which invocations enter depends on the invocation
	leaks   bool     // for a loop: some invocations leave it before others
	waits   *Barrier // for a loop: the first barrier inside
}

func (w *walk) divergent() []Barrier {
	afterIf := false // what the if statement that has just closed depended on
	for at := 0; at < len(w.body); at++ {
		switch t := w.body[at]; t.text {
		case "if", "else", "while", "for", "switch", "loop":
			brace := indexOf(w.body, at, "{")
			header := w.body[at:brace]
			own := mentions(condition(header), w.own) || t.text == "else" && afterIf
			w.open = append(w.open, &branch{keyword: t.text, own: own})
			at = brace
		case "{":
			w.open = append(w.open, &branch{})
		case "}":
			afterIf = w.shut()
		case "return":
			w.leave(len(w.open), true)
		case "break", "continue":
			at = w.leaveLoop(at)
		default:
			if w.waiting[t.text] {
				w.barrier(Barrier{t.text, t.line, t.column})
			}
		}
	}
	return w.barriers
}

// condition is the part of a statement's header that decides who enters.
func condition(header []token) []token {
	if header[0].text != "for" {
		return header
	}
	from := indexOf(header, 0, ";")
	return header[from:indexOf(header, min(from+1, len(header)), ";")]
}

// shut closes the innermost block and says whether it depended on the
// invocation.
func (w *walk) shut() bool {
	if len(w.open) == 0 {
		return false
	}
	b := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	if b.leaks && b.waits != nil {
		w.report(*b.waits)
	}
	return b.own
}

func (b *branch) isLoop() bool {
	return b.keyword == "loop" || b.keyword == "while" || b.keyword == "for"
}

// leave notes that some invocations go where others stay: a return, when a block
// around it depends on the invocation.
func (w *walk) leave(depth int, always bool) {
	if always && !slices.ContainsFunc(w.open[:depth], func(b *branch) bool { return b.own }) {
		return
	}
	w.left = true
	for _, b := range w.open[:depth] {
		b.leaks = b.leaks || b.isLoop()
	}
}

// leaveLoop notes a break or continue that only some take, and gives the place
// of its last token. A break inside a switch leaves the switch.
func (w *walk) leaveLoop(at int) int {
	end := indexOf(w.body, at, ";")
	own := mentions(w.body[at:end], w.own) // break if …;
	for i := len(w.open) - 1; i >= 0; i-- {
		b := w.open[i]
		if b.keyword == "switch" && w.body[at].text == "break" {
			break
		}
		if b.isLoop() {
			b.leaks = b.leaks || own
			break
		}
		own = own || b.own
	}
	return end
}

func (w *walk) barrier(b Barrier) {
	for _, around := range w.open {
		if around.isLoop() && around.waits == nil {
			around.waits = &b
		}
	}
	if w.left || slices.ContainsFunc(w.open, func(around *branch) bool { return around.own }) {
		w.report(b)
	}
}

func (w *walk) report(b Barrier) {
	if !slices.Contains(w.barriers, b) {
		w.barriers = append(w.barriers, b)
	}
}
