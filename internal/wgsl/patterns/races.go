package patterns

import "slices"

// A Race is an access to a variable in workgroup memory that another invocation
// writes to, with no barrier between.
type Race struct {
	Variable     string
	Line, Column int // of an access, both from 1
}

// Races finds races that are certain from the text of main alone. A device often
// hides them, since invocations on the lanes of one processor run in step. Four
// shapes are known, in each of which all invocations take part:
//
//   - each writes its own place, and then reads one at a distance;
//   - all read one place, and each writes its own, in either order;
//   - a tree of halvings with no barrier in its loop;
//   - a loop that reads, behind its last barrier, what its next round overwrites.
//
// A place is an invocation's own when its index is the invocation's number.
func (f *Functions) Races(variables []string) []Race {
	s := &scan{
		functions: f, own: f.ownValues(), waiting: f.waiting(), shared: map[string]bool{},
		declarations: declarationsIn(f.main.body), assigned: reassignedIn(f.main.body),
	}
	for _, v := range variables {
		s.shared[v] = true
	}
	s.readBlocks(f.main.body)
	var found []Race
	for _, v := range variables {
		s.readAccesses(v)
		for _, race := range []func() *access{s.neighbours, s.tree, s.nextRound} {
			if a := race(); a != nil {
				found = append(found, Race{v, a.name.line, a.name.column})
				break
			}
		}
	}
	return found
}

// A scan looks for the races of one variable in main.
type scan struct {
	functions *Functions
	own       map[string]bool
	waiting   map[string]bool
	shared    map[string]bool // the variables in workgroup memory
	blocks    []block
	accesses  []access // the variable's, and the barriers, in the order in which they happen

	declarations map[string][][]token
	assigned     map[string]bool
}

// A block is the inside of a pair of braces.
type block struct {
	header      []token // `for (…)`, `if …`; empty for a plain block
	first, last int     // places of the braces
	parent      int     // -1: the function's body
}

// An access is a mention of the variable, or a barrier.
type access struct {
	name    token
	at      int     // its place
	block   int     // -1: the function's body
	index   []token // what stands in the brackets behind it
	barrier bool
	writes  bool
	leaves  bool // no access, but a return that only some invocations take
}

var blockKeywords = []string{"if", "else", "for", "while", "loop", "switch"}

func (s *scan) readBlocks(body []token) {
	header, parent := 0, -1
	for at, t := range body {
		switch t.text {
		case "{":
			s.blocks = append(s.blocks, block{header: blockHeader(body[header:at]), first: at, last: len(body), parent: parent})
			parent, header = len(s.blocks)-1, at+1
		case "}":
			if parent >= 0 {
				s.blocks[parent].last = at
				parent = s.blocks[parent].parent
			}
			header = at + 1
		case ";":
			// The semicolons of a for stand in its header.
			if !slices.ContainsFunc(body[header:at], func(t token) bool { return t.text == "for" }) {
				header = at + 1
			}
		}
	}
}

// blockHeader is the statement that a block belongs to.
func blockHeader(tokens []token) []token {
	from := slices.IndexFunc(tokens, func(t token) bool { return slices.Contains(blockKeywords, t.text) })
	if from < 0 {
		return nil
	}
	return tokens[from:]
}

func (b block) isLoop() bool {
	return len(b.header) > 0 && slices.Contains([]string{"for", "while", "loop"}, b.header[0].text)
}

func (s *scan) around(at int) int {
	inner := -1
	for i, b := range s.blocks {
		if b.first < at && at < b.last {
			inner = i
		}
	}
	return inner
}

// readAccesses puts what stands to the right of an assignment before it.
func (s *scan) readAccesses(variable string) {
	body := s.functions.main.body
	s.accesses = nil
	var pending []access // the left-hand side, until its statement ends
	for at, t := range body {
		a := access{name: t, at: at, block: s.around(at)}
		member := at > 0 && body[at-1].text == "."
		switch {
		case t.text == ";":
			s.accesses, pending = append(s.accesses, pending...), nil
		case t.text == "return":
			a.leaves = !s.everybody(a.block)
			s.accesses = append(s.accesses, a)
		case s.waiting[t.text]:
			a.barrier = true
			s.accesses = append(s.accesses, a)
		case t.text == variable && !member:
			end := a.readIndex(body)
			writes, reads := assigned(body, at, end)
			if reads {
				s.accesses = append(s.accesses, a)
			}
			if a.writes = writes; writes {
				pending = append(pending, a)
			}
		}
	}
}

// readIndex takes the brackets behind a name, and gives the place behind them.
func (a *access) readIndex(body []token) int {
	end := a.at + 1
	for end < len(body) && body[end].text == "[" {
		shut := closing(body, end, "[", "]")
		a.index = append(a.index, between(body, end, shut)...)
		end = shut + 1
	}
	return end
}

// assigned says whether the place that ends before `end` gets a value, and
// whether its old one is read: `x = …`, `x += …`, `x++`.
func assigned(body []token, at, end int) (writes, reads bool) {
	starts := at == 0 || slices.Contains([]string{";", "{", "}"}, body[at-1].text)
	if !starts || end+1 >= len(body) {
		return false, true
	}
	first, second := body[end].text, body[end+1].text
	changes := second == "=" || first == second && (first == "+" || first == "-")
	return first == "=" || changes, first != "="
}

// everybody says whether all invocations surely enter a block together: each
// branch and loop around it depends on nothing but what they have in common.
func (s *scan) everybody(inside int) bool {
	for i := inside; i >= 0; i = s.blocks[i].parent {
		header := s.blocks[i].header
		if len(header) == 0 {
			continue
		}
		if header[0].text == "else" || header[0].text == "loop" || !s.common(header, loopVariable(header)) {
			return false
		}
	}
	return true
}

// commonWords are those in a header that are no values.
var commonWords = []string{"if", "for", "while", "var", "u32", "i32", "f32", "min", "max", "true", "false"}

// common: an expression, or a statement's header, of values that are surely the
// same for all invocations of a workgroup: numbers, module-scope constants,
// members of a uniform, the workgroup's id, what is named after them, and the
// loop's own variable.
func (s *scan) common(tokens []token, loop string) bool {
	for i, t := range tokens {
		value := isWord([]rune(t.text)[0]) && !slices.Contains(commonWords, t.text) && t.text != loop
		member := i > 0 && tokens[i-1].text == "."
		indexed := i+1 < len(tokens) && tokens[i+1].text == "["
		if value && !member && (indexed || !s.commonValue(t.text)) {
			return false
		}
	}
	return true
}

func (s *scan) commonValue(name string) bool {
	if number.MatchString(name) || s.functions.module[name] && !s.shared[name] {
		return true
	}
	for _, p := range params(s.functions.main.params) {
		if p.name == name {
			return p.builtin == "workgroup_id" || p.builtin == "num_workgroups"
		}
	}
	values := s.declarations[name]
	return len(values) == 1 && !s.assigned[name] && len(values[0]) > 1 && s.common(values[0][1:], name)
}

// loopVariable is what a for declares; "" for another statement.
func loopVariable(header []token) string {
	if len(header) > 3 && header[0].text == "for" && header[2].text == "var" {
		return header[3].text
	}
	return ""
}

// within says whether block i is block outer or stands inside of it.
func (s *scan) within(i, outer int) bool {
	for ; i >= 0; i = s.blocks[i].parent {
		if i == outer {
			return true
		}
	}
	return outer == -1
}

// neighbours finds the first two shapes.
func (s *scan) neighbours() *access {
	for i, a := range s.accesses {
		if a.leaves {
			return nil
		}
		if a.barrier || !s.everybody(a.block) {
			continue
		}
		for _, b := range s.accesses[i+1:] {
			if b.barrier || b.leaves {
				break
			}
			distant := s.writesOwn(a) && !b.writes && s.atDistance(b.index) && s.within(b.block, a.block)
			common := a.block == b.block && (s.writesOwn(a) && readsNumber(b) || readsNumber(a) && s.writesOwn(b))
			if distant || common {
				return &b
			}
		}
	}
	return nil
}

func (s *scan) writesOwn(a access) bool {
	return a.writes && len(a.index) > 0 && s.ownIndex(a.index) == len(a.index)
}

// ownIndex is how many tokens of the invocation's own number in x an expression
// begins with.
func (s *scan) ownIndex(index []token) int {
	builtin := map[string]string{}
	for _, p := range params(s.functions.main.params) {
		builtin[p.name] = p.builtin
	}
	if len(index) == 0 || !s.own[index[0].text] {
		return 0
	}
	name := index[0].text
	if builtin[name] == "local_invocation_index" {
		return 1
	}
	if builtin[name] == "local_invocation_id" {
		if len(index) >= 3 && index[1].text == "." && index[2].text == "x" {
			return 3
		}
		return 0
	}
	// A name for one of these.
	values := s.declarations[name]
	if len(values) == 1 && len(values[0]) > 1 && values[0][1].text != name {
		if value := values[0][1:]; s.ownIndex(value) == len(value) {
			return 1
		}
	}
	return 0
}

// atDistance: the invocation's own place, and something added or taken off.
func (s *scan) atDistance(index []token) bool {
	n := s.ownIndex(index)
	return n > 0 && len(index) == n+2 && (index[n].text == "+" || index[n].text == "-") && !isZero(index[n+1])
}

func isZero(t token) bool { return t.text == "0" || t.text == "0u" || t.text == "0i" }

func readsNumber(a access) bool {
	return !a.writes && !a.barrier && len(a.index) == 1 && a.index[0].text[0] >= '0' && a.index[0].text[0] <= '9'
}

// tree finds the third shape: in `if (me < half)`, what is at me + half goes to
// me, and half changes from round to round.
func (s *scan) tree() *access {
	for _, a := range s.accesses {
		if a.leaves {
			return nil
		}
		n := s.ownIndex(a.index)
		if a.barrier || a.writes || !s.atDistance(a.index) || a.index[n].text != "+" || a.block < 0 {
			continue
		}
		step := a.index[n+1].text
		branch := s.blocks[a.block]
		loop := branch.parent
		if loop < 0 || !s.blocks[loop].isLoop() || !s.everybody(loop) || s.waits(loop) {
			continue
		}
		if !s.comparesOwn(branch.header, step) || !s.changes(loop, step) {
			continue
		}
		written := slices.ContainsFunc(s.accesses, func(b access) bool { return b.block == a.block && s.writesOwn(b) })
		if written {
			return &a
		}
	}
	return nil
}

// comparesOwn: `if (me < step)`.
func (s *scan) comparesOwn(header []token, step string) bool {
	if len(header) < 2 || header[0].text != "if" {
		return false
	}
	bare := slices.DeleteFunc(slices.Clone(header[1:]), func(t token) bool { return t.text == "(" || t.text == ")" })
	n := s.ownIndex(bare)
	return n > 0 && len(bare) == n+2 && bare[n].text == "<" && bare[n+1].text == step
}

// changes says whether a loop gives a name another value from round to round.
func (s *scan) changes(loop int, name string) bool {
	b := s.blocks[loop]
	body := s.functions.main.body
	for at := b.first - len(b.header); at < min(b.last, len(body)-1); at++ {
		if body[at].text != name || at > 0 && body[at-1].text == "var" {
			continue
		}
		if slices.Contains([]string{"=", "/", ">"}, body[at+1].text) && at+2 < len(body) &&
			(body[at+1].text == "=" || body[at+2].text == "=" || body[at+2].text == ">") {
			return true
		}
	}
	return false
}

// waits says whether a barrier stands in a block.
func (s *scan) waits(inside int) bool {
	return slices.ContainsFunc(s.accesses, func(a access) bool { return a.barrier && s.within(a.block, inside) })
}

// nextRound finds the fourth shape.
func (s *scan) nextRound() *access {
	for loop, b := range s.blocks {
		if !b.isLoop() || !s.everybody(loop) {
			continue
		}
		written, read := s.endsOf(loop)
		if written == nil || read == nil {
			continue
		}
		changing := reassignedIn(s.functions.main.body[b.first:b.last])
		indices := append(slices.Clone(written.index), read.index...)
		if !slices.ContainsFunc(indices, func(t token) bool { return changing[t.text] }) {
			return read
		}
	}
	return nil
}

// endsOf are a write of all invocations to their own places before a loop's first
// barrier, and a read over many places behind its last one.
func (s *scan) endsOf(loop int) (written, read *access) {
	waited := false
	for i := range s.accesses {
		a := &s.accesses[i]
		switch {
		case a.leaves:
			return nil, nil
		case !s.within(a.block, loop):
		case a.barrier:
			waited, read = true, nil
		case !waited && a.writes && a.block == loop && s.allOwn(a.index):
			written = a
		case waited && !a.writes && s.overLoop(a, loop):
			read = a
		}
	}
	return written, read
}

// allOwn: nothing but the invocation's own numbers.
func (s *scan) allOwn(index []token) bool {
	return len(index) > 0 && !slices.ContainsFunc(index, func(t token) bool {
		return !s.own[t.text] && !slices.Contains([]string{".", "x", "y"}, t.text)
	})
}

// overLoop: the index has the variable of a for that stands inside of the loop.
func (s *scan) overLoop(a *access, loop int) bool {
	for i := a.block; i >= 0 && i != loop; i = s.blocks[i].parent {
		variable := loopVariable(s.blocks[i].header)
		if variable != "" && slices.ContainsFunc(a.index, func(t token) bool { return t.text == variable }) {
			return true
		}
	}
	return false
}
