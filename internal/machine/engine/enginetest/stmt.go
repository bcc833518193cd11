package enginetest

import (
	"fmt"
	"strings"
)

func (d *drawer) line(format string, arguments ...any) {
	d.lines = append(d.lines, strings.Repeat("  ", d.indent)+fmt.Sprintf(format, arguments...))
}

// block draws the few lines of a block; its variables end with it.
func (d *drawer) block(at place, inner func()) {
	before := d.now
	d.now = at
	d.now.nesting++
	d.indent++
	d.scopes = append(d.scopes, nil)
	inner()
	d.scopes = d.scopes[:len(d.scopes)-1]
	d.indent--
	d.now = before
}

func (d *drawer) statements(most int) {
	for range 1 + d.pick(most) {
		d.statement()
	}
}

// mostNesting is the maximum depth of nested blocks.
const mostNesting = 4

func (d *drawer) statement() {
	if d.fuel < 0 || d.now.nesting >= mostNesting {
		d.assignment()
		return
	}
	all := []func(){
		d.declaration, d.assignment, d.declaration, d.assignment, d.assignment, d.ifStatement, d.loopStatement, d.switchStatement,
		d.blockStatement, d.callStatement, d.leave,
	}
	if d.now.function == nil {
		all = append(all, d.count, d.ownCell)
	}
	if d.now.uniform {
		all = append(all, d.exchange, d.exchange, d.total, d.uniformLoop)
	}
	all[d.pick(len(all))]()
}

// declaration declares a local variable, sometimes with the name of an outer one.
func (d *drawer) declaration() {
	s := d.oneShape(d.shapes...)
	e := d.stored(s)
	v := &variable{name: d.fresh("v"), shape: s}
	if name, ok := d.outerName(); ok && d.pick(5) == 0 {
		v.name = name
	}
	typed := ""
	if d.pick(2) == 1 {
		typed = ": " + s.name
	}
	keyword := d.one("let", "var")
	if keyword == "var" {
		v.writable, v.memory, v.local = true, true, true
		if typed != "" && d.pick(4) == 0 {
			d.line("var %s: %s;", v.name, s.name)
			d.declare(v)
			return
		}
	}
	d.line("%s %s%s = %s;", keyword, v.name, typed, e.text)
	d.declare(v)
}

// outerName returns the name of a local variable of an outer block.
func (d *drawer) outerName() (string, bool) {
	if len(d.scopes) < 3 {
		return "", false
	}
	inner := map[string]bool{}
	for _, v := range d.scopes[len(d.scopes)-1] {
		inner[v.name] = true
	}
	for _, v := range d.scopes[len(d.scopes)-2] {
		if v.name[0] == 'v' && !inner[v.name] {
			return v.name, true
		}
	}
	return "", false
}

// assignment writes to a variable or a part of one.
func (d *drawer) assignment() {
	s := d.oneShape(d.shapes...)
	var all []access
	for _, v := range d.visible() {
		if !v.writable {
			continue
		}
		for _, steps := range reach(v.shape, s, nil, nil) {
			all = append(all, access{v, steps})
		}
	}
	if len(all) == 0 {
		d.declaration()
		return
	}
	a := all[d.pick(len(all))]
	switch {
	case s.isInteger() && d.pick(3) == 0:
		d.compound(a, s)
	case s.scalar == "f32" && len(a.steps) == 0 && d.pick(3) == 0:
		d.line("%s %s %s;", a.variable.name, d.one("+=", "-="), d.stored(s).text)
		d.line("%s = %s;", a.variable.name, d.settle(s, expr{text: a.variable.name, fixed: settled.plus(settled)}).text)
	default:
		d.line("%s = %s;", d.text(a), d.stored(s).text)
	}
}

func (d *drawer) compound(a access, s *shape) {
	if s.isScalar() && d.pick(3) == 0 {
		d.line("%s%s;", d.text(a), d.one("++", "--"))
		return
	}
	d.line("%s %s %s;", d.text(a), d.one("+=", "-=", "*=", "&=", "|=", "^="), d.runtime(s, 2).text)
}

func (d *drawer) ifStatement() {
	inside := d.now
	inside.uniform = false
	d.line("if (%s) {", d.expr(boolean, 2).text)
	d.block(inside, func() { d.statements(3) })
	if d.pick(3) == 0 {
		d.line("} else if %s {", d.expr(boolean, 2).text)
		d.block(inside, func() { d.statements(2) })
	}
	if d.pick(2) == 1 {
		d.line("} else {")
		d.block(inside, func() { d.statements(3) })
	}
	d.line("}")
}

// loopStatement draws a loop of a few rounds.
func (d *drawer) loopStatement() {
	if d.now.nesting >= mostNesting-1 {
		d.assignment()
		return
	}
	inside := d.now
	inside.uniform, inside.looping, inside.breaking = false, true, true
	rounds, name := 1+d.pick(5), d.fresh("n")
	body := func(below int) {
		d.block(inside, func() {
			d.declare(&variable{name: name, shape: unsigned, below: below})
			d.statements(3)
		})
	}
	switch d.pick(3) {
	case 0:
		d.line("for (var %s = 0u; %s < %du; %s++) {", name, name, rounds, name)
		body(rounds)
	case 1:
		d.line("var %s = 0u;", name)
		d.line("while (%s < %du) {", name, rounds)
		d.line("  %s += 1u;", name)
		body(rounds + 1)
	case 2:
		d.line("var %s = 0u;", name)
		d.line("loop {")
		d.line("  if %s >= %du { break; }", name, rounds)
		body(rounds)
		d.line("  continuing {")
		d.line("    %s++;", name)
		if d.pick(2) == 1 {
			d.line("    break if %s;", d.outside())
		}
		d.line("  }")
	}
	d.line("}")
}

// outside draws a condition on variables declared outside functions. A continuing block also sees
// the body's names, which may hide outer ones (§ 9.4.4), and may not use declarations that a
// continue skips.
func (d *drawer) outside() string {
	scopes := d.scopes
	defer func() { d.scopes = scopes }()
	d.scopes = d.scopes[:1]
	return d.expr(boolean, 1).text
}

// uniformLoop draws a loop that all invocations execute together.
func (d *drawer) uniformLoop() {
	if d.now.nesting >= mostNesting-1 {
		d.assignment()
		return
	}
	inside := d.now
	inside.looping, inside.breaking = false, false // no invocation leaves it before the others
	rounds, name := 1+d.pick(3), d.fresh("n")
	d.line("for (var %s = 0u; %s < %du; %s++) {", name, name, rounds, name)
	d.block(inside, func() {
		d.declare(&variable{name: name, shape: unsigned, below: rounds})
		d.statements(2)
	})
	d.line("}")
}

func (d *drawer) switchStatement() {
	inside := d.now
	inside.uniform, inside.breaking = false, true
	s := d.oneShape(signed, unsigned)
	suffix := s.name[:1]
	d.line("switch %s {", join(false, "(%s & 3"+suffix+")", d.runtime(s, 2)).text)
	clauses := 1 + d.pick(3)
	last := d.pick(clauses + 1)
	for i := range clauses + 1 {
		switch {
		case i == last && d.pick(2) == 1:
			d.line("  case %d%s, default: {", i, suffix)
		case i == last:
			d.line("  default: {")
		case d.pick(3) == 0:
			d.line("  case %d%s, %d%s {", i, suffix, i+10, suffix)
		case d.has(AbstractCases):
			d.line("  case %d: {", i)
		default:
			d.line("  case %d%s: {", i, suffix)
		}
		d.indent++
		d.block(inside, func() { d.statements(2) })
		d.indent--
		d.line("  }")
	}
	d.line("}")
}

func (d *drawer) blockStatement() {
	d.line("{")
	d.block(d.now, func() { d.statements(3) })
	d.line("}")
}

func (d *drawer) callStatement() {
	if len(d.functions) == 0 || !d.calling() {
		d.assignment()
		return
	}
	f := d.functions[d.pick(len(d.functions))]
	text, ok := d.callText(f, 2)
	switch {
	case !ok:
		d.assignment()
	case f.result == nil:
		d.line("%s;", text)
	default:
		d.line("_ = %s;", text)
	}
}

// leave draws a conditional exit from a loop, a round of it, a switch or the function.
func (d *drawer) leave() {
	var ways []string
	if d.now.breaking {
		ways = append(ways, "break;")
	}
	if d.now.looping {
		ways = append(ways, "continue;")
	}
	if d.now.returning {
		ways = append(ways, d.returnText())
	}
	if len(ways) == 0 {
		d.assignment()
		return
	}
	d.line("if (%s) { %s }", d.expr(boolean, 1).text, d.one(ways...))
}

func (d *drawer) returnText() string {
	if f := d.now.function; f != nil && f.result != nil {
		return fmt.Sprintf("return %s;", d.stored(f.result).text)
	}
	return "return;"
}

// count draws additions to counters that all invocations share in a buffer. Each counter is changed
// in one way only, so the order does not matter, and the results of the atomics are not used.
func (d *drawer) count() {
	i := d.pick(counters)
	if d.pick(2) == 0 {
		d.line("%s(&out.us[%d], %s);", [...]string{"atomicAdd", "atomicMax", "atomicOr", "atomicXor"}[i], i, d.expr(unsigned, 2).text)
		return
	}
	d.line("%s(&out.is[%d], %s);", [...]string{"atomicAdd", "atomicMin", "atomicAnd", "atomicSub"}[i], i, d.expr(signed, 2).text)
}

// ownCell changes an atomic that belongs to this invocation alone, and uses its old value.
func (d *drawer) ownCell() {
	operation := d.one("atomicAdd", "atomicSub", "atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor", "atomicExchange")
	name := d.fresh("v")
	d.line("let %s = %s(&cells[local], %s);", name, operation, d.expr(unsigned, 2).text)
	d.declare(&variable{name: name, shape: unsigned})
}

// exchange writes to its own element of workgroup memory, waits, reads any element, and waits.
func (d *drawer) exchange() {
	v := d.shared[d.pick(len(d.shared))]
	write := fmt.Sprintf("%s[local] = %s;", v.name, d.stored(v.shape.elem).text)
	if d.pick(4) == 0 {
		write = fmt.Sprintf("if (%s) { %s }", d.expr(boolean, 1).text, write)
	}
	d.line("%s", write)
	got := &variable{name: d.fresh("v"), shape: v.shape.elem}
	if d.pick(4) == 0 {
		d.line("let %s = workgroupUniformLoad(&%s[%d]);", got.name, v.name, d.pick(v.shape.length))
	} else {
		d.line("workgroupBarrier();")
		d.line("let %s = %s[%s];", got.name, v.name, d.index(v.shape.length))
		d.line("%s();", d.one("workgroupBarrier", "workgroupBarrier", "storageBarrier(); workgroupBarrier"))
	}
	d.declare(got)
}

// total adds over the workgroup, waits, and reads the sum.
func (d *drawer) total() {
	name := d.fresh("v")
	d.line("atomicAdd(&total, %s);", d.expr(signed, 2).text)
	d.line("workgroupBarrier();")
	d.line("let %s = atomicLoad(&total);", name)
	d.line("workgroupBarrier();")
	d.declare(&variable{name: name, shape: signed})
}

// declareFunction draws a function that later functions may call.
func (d *drawer) declareFunction() {
	f := &function{name: d.fresh("g")}
	scope := []*variable{}
	var parameters []string
	for range d.pick(4) {
		p := parameter{d.oneShape(d.shapes...), d.pick(3) == 2}
		name := d.fresh("a")
		v := &variable{name: name, shape: p.shape}
		if p.pointer {
			parameters = append(parameters, fmt.Sprintf("%s: ptr<function, %s>", name, p.shape.name))
			v = &variable{name: "(*" + name + ")", shape: p.shape, writable: true, memory: true, local: true}
		} else {
			parameters = append(parameters, fmt.Sprintf("%s: %s", name, p.shape.name))
		}
		f.parameters = append(f.parameters, p)
		scope = append(scope, v)
	}
	header := fmt.Sprintf("fn %s(%s)", f.name, strings.Join(parameters, ", "))
	if d.pick(4) > 0 {
		f.result = d.oneShape(d.shapes...)
		header += " -> " + f.result.name
	}
	d.write(header, place{function: f, returning: true}, scope, func() {
		d.fuel = max(d.fuel, 20)
		d.statements(4)
		if f.result != nil {
			d.line("%s", d.returnText())
		}
	})
	d.functions = append(d.functions, f)
}

// write appends a function to the program, after the declarations that it needs.
func (d *drawer) write(header string, at place, scope []*variable, body func()) {
	d.lines = nil
	d.scopes = append(d.scopes, scope)
	d.block(at, body)
	d.scopes = d.scopes[:len(d.scopes)-1]
	fmt.Fprintf(&d.prelude, "%s {\n%s\n}\n", header, strings.Join(d.lines, "\n"))
}

// main draws the entry point: first the code that invocations execute together, then the code that
// each may leave early, then the output.
func (d *drawer) main(size [3]uint32, invocations int) {
	for range 1 + d.pick(2) {
		v := &variable{name: d.fresh("w"), shape: array(d.oneShape(d.shapes...), invocations)}
		fmt.Fprintf(&d.prelude, "var<workgroup> %s: %s;\n", v.name, v.shape.name)
		d.shared = append(d.shared, v)
	}
	fmt.Fprintf(&d.prelude, "var<workgroup> cells: array<atomic<u32>, %d>;\nvar<workgroup> total: atomic<i32>;\n", invocations)
	header := fmt.Sprintf(`@compute @workgroup_size(%d, %d, %d)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) local: u32, @builtin(local_invocation_id) at: vec3<u32>,
        @builtin(global_invocation_id) id: vec3<u32>)`, size[0], size[1], size[2])
	three := vector(unsigned, 3)
	scope := []*variable{
		{name: "group", shape: three}, {name: "groups", shape: three}, {name: "local", shape: unsigned, below: invocations},
		{name: "at", shape: three}, {name: "id", shape: three},
		{name: "out.rows[row]", shape: rowShape, writable: true, memory: true},
	}
	d.write(header, place{uniform: true}, scope, func() {
		d.line("let row = (group.y * groups.x + group.x) * %du + local;", invocations)
		d.fuel = max(d.fuel, 35)
		d.statements(5)
		d.now.uniform, d.now.returning = false, true
		d.statements(4)
		d.fuel = max(d.fuel, 10)
		for i := range rowWords {
			d.line("out.rows[row].i[%d] = %s;", i, d.stored(signed).text)
			d.line("out.rows[row].u[%d] = %s;", i, d.stored(unsigned).text)
			d.line("out.rows[row].f[%d] = %s;", i, d.stored(float).text)
		}
		d.fuel = max(d.fuel, 10)
		d.roundings()
	})
}
