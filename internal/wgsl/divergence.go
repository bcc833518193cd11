package wgsl

import "slices"

// A Barrier is a call that makes the invocations of a workgroup wait for one
// another.
type Barrier struct {
	Name         string // the function called
	Line, Column int    // both from 1
}

// barrierFunctions are WGSL's own; every invocation of a workgroup must reach
// them.
var barrierFunctions = []string{"workgroupBarrier", "storageBarrier", "textureBarrier", "workgroupUniformLoad"}

// DivergentBarriers finds the barriers in main that stand where control flow is
// not uniform, by section "Uniformity" of the WGSL specification: in a branch or
// loop that depends on the invocation's own number, or behind a return that only
// some take. The specification makes that an error; not every compiler looks.
//
// It finds less than the specification rejects, and nothing else: only what
// plainly follows from the builtins counts as different between invocations.
func (f *Functions) DivergentBarriers() []Barrier {
	w := &walk{body: f.main.body, waiting: f.waiting(), own: f.ownValues()}
	return w.divergent()
}

// waiting are the functions that contain a barrier, themselves or in what they
// call.
func (f *Functions) waiting() map[string]bool {
	waiting := map[string]bool{}
	for _, name := range barrierFunctions {
		waiting[name] = true
	}
	for grown := true; grown; {
		grown = false
		for name, function := range f.all {
			if !waiting[name] && slices.ContainsFunc(function.body, func(t token) bool { return waiting[t.text] }) {
				waiting[name], grown = true, true
			}
		}
	}
	return waiting
}

// ownBuiltins are different in each invocation of a workgroup.
var ownBuiltins = []string{"local_invocation_id", "local_invocation_index", "global_invocation_id"}

// ownValues are the names in main whose value depends on the invocation: the
// builtins, and what is declared from them and never assigned anew. A name that
// means something else in another scope is left out.
func (f *Functions) ownValues() map[string]bool {
	own := map[string]bool{}
	declarations, reassigned := declarationsIn(f.main.body), reassignedIn(f.main.body)
	for name := range f.module {
		delete(declarations, name)
	}
	for _, param := range params(f.main.params) {
		_, shadowed := declarations[param.Name]
		if slices.Contains(ownBuiltins, param.Builtin) && !shadowed {
			own[param.Name] = true
		}
	}
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

// declarationsIn is what each name is declared from, once for each declaration.
func declarationsIn(body []token) map[string][][]token {
	declarations := map[string][][]token{}
	for at, t := range body {
		if t.text != "let" && t.text != "var" && t.text != "const" || at+1 >= len(body) {
			continue
		}
		name := body[at+1].text
		declaration := body[at+2 : max(at+2, indexOf(body, at, ";"))]
		declarations[name] = append(declarations[name], declaration[indexOf(declaration, 0, "="):])
	}
	return declarations
}

// reassignedIn are the names that get another value with `=`, or whose address
// somebody takes.
func reassignedIn(body []token) map[string]bool {
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

	open  []*branch
	left  bool // some invocations may have returned already
	found []Barrier
}

// A branch is an open block.
type branch struct {
	keyword string
	own     bool     // which invocations enter depends on the invocation
	leaks   bool     // of a loop: some invocations leave a round before others
	waits   *Barrier // of a loop: the first barrier inside
}

func (b *branch) isLoop() bool {
	return b.keyword == "loop" || b.keyword == "while" || b.keyword == "for"
}

func (w *walk) divergent() []Barrier {
	chain := false // whether the if statement that has just closed depended on the invocation
	for at := 0; at < len(w.body); at++ {
		switch t := w.body[at]; t.text {
		case "if", "else", "while", "for", "switch", "loop":
			brace := indexOf(w.body, at, "{")
			own := mentions(condition(w.body[at:brace]), w.own) || t.text == "else" && chain
			w.open = append(w.open, &branch{keyword: t.text, own: own})
			at = brace
		case "{":
			w.open = append(w.open, &branch{})
		case "}":
			chain = w.shut()
		case "return":
			w.leave()
		case "break", "continue":
			at = w.leaveLoop(at)
		default:
			if w.waiting[t.text] {
				w.barrier(Barrier{t.text, t.line, t.column})
			}
		}
	}
	return w.found
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

func isOwn(b *branch) bool { return b.own }

// leave notes a return that only some take.
func (w *walk) leave() {
	if !slices.ContainsFunc(w.open, isOwn) {
		return
	}
	w.left = true
	for _, b := range w.open {
		b.leaks = b.leaks || b.isLoop()
	}
}

// leaveLoop notes a break or continue that only some take, and gives the place
// of its last token. A break inside a switch leaves only the switch.
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
	if w.left || slices.ContainsFunc(w.open, isOwn) {
		w.report(b)
	}
}

func (w *walk) report(b Barrier) {
	if !slices.Contains(w.found, b) {
		w.found = append(w.found, b)
	}
}
