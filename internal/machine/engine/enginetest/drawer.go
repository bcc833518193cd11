package enginetest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A drawer draws one program.
type drawer struct {
	t       *rapid.T
	without []Gap
	fuel    int // number of further expressions that may have operands

	prelude   strings.Builder // declarations, each after those that it uses
	helpers   map[string]bool // the settlers that have been declared
	shapes    []*shape        // the possible shapes of a variable
	functions []*function
	shared    []*variable // variables in workgroup memory
	names     int
	operands  int // number of the row's operands written so far
	results   []func(operands []interval) interval

	scopes [][]*variable // the innermost last; the first is the module's
	lines  []string      // of the current function
	indent int
	now    place
}

// A place says which constructs the current position allows.
type place struct {
	function  *function // nil in main
	returning bool      // an early return is allowed
	breaking  bool      // in a loop or switch, where break is allowed
	looping   bool      // in a loop
	uniform   bool      // all invocations of a workgroup get here together, so barriers are allowed
	nesting   int       // depth of nested blocks
}

// A function is a function that the program declares besides main.
type function struct {
	name       string
	parameters []parameter
	result     *shape // nil for none
}

type parameter struct {
	shape   *shape
	pointer bool // it is a pointer to a variable of that shape in the function address space
}

// A variable is anything with a name and a value.
type variable struct {
	name     string
	shape    *shape
	writable bool
	memory   bool // it is a var, not a let: it allows variable indexes and pointers
	local    bool // its address space is function
	constant bool // known when the shader is compiled or the pipeline created
	below    int  // upper limit (exclusive) of a loop's counter
}

func (d *drawer) pick(n int) int               { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }
func (d *drawer) between(low, high int) int    { return rapid.IntRange(low, high).Draw(d.t, "number") }
func (d *drawer) one(of ...string) string      { return of[d.pick(len(of))] }
func (d *drawer) oneShape(of ...*shape) *shape { return of[d.pick(len(of))] }

func (d *drawer) fresh(prefix string) string {
	d.names++
	return fmt.Sprintf("%s%d", prefix, d.names)
}

// visible returns the variables that are not hidden by an inner variable of the same name.
func (d *drawer) visible() []*variable {
	hidden := map[string]bool{}
	var all []*variable
	for _, scope := range slices.Backward(d.scopes) {
		for _, v := range scope {
			if !hidden[v.name] {
				all = append(all, v)
			}
		}
		for _, v := range scope {
			hidden[v.name] = true
		}
	}
	return all
}

func (d *drawer) declare(v *variable) {
	d.scopes[len(d.scopes)-1] = append(d.scopes[len(d.scopes)-1], v)
}

// An access is a path from a variable to a part of it.
type access struct {
	variable *variable
	steps    []step
}

// A step goes to a member (".x"), or to an element with an index below a length.
type step struct {
	text   string
	length int
}

// deepest is the maximum number of steps in an access.
const deepest = 3

// reach returns the paths from a shape to parts of another shape.
func reach(from, want *shape, steps []step, found [][]step) [][]step {
	if from.same(want) {
		return append(found, slices.Clone(steps))
	}
	if len(steps) == deepest {
		return found
	}
	next := func(s step, to *shape) { found = reach(to, want, append(slices.Clone(steps), s), found) }
	switch {
	case from.isMatrix():
		next(step{length: from.columns}, from.column())
	case from.isVector():
		next(step{length: from.size}, from.component())
		next(step{text: "." + "xyzw"[from.size-1:from.size]}, from.component())
	case from.elem != nil:
		next(step{length: from.length}, from.elem)
	default:
		for _, m := range from.members {
			next(step{text: "." + m.name}, m.shape)
		}
	}
	return found
}

// load draws a read of a variable or a part of one.
func (d *drawer) load(s *shape) (expr, bool) {
	var all []access
	for _, v := range d.visible() {
		for _, steps := range reach(v.shape, s, nil, nil) {
			all = append(all, access{v, steps})
		}
	}
	if s.isVector() && d.pick(4) == 0 {
		if e, ok := d.swizzle(s); ok {
			return e, true
		}
	}
	if len(all) == 0 {
		return expr{}, false
	}
	a := all[d.pick(len(all))]
	return expr{text: d.text(a), constant: a.variable.constant, fixed: settled}, true
}

// swizzle draws a vector of another vector's components.
func (d *drawer) swizzle(s *shape) (expr, bool) {
	e, ok := d.load(vector(s.component(), 2+d.pick(3)))
	if !ok {
		return e, false
	}
	letters := "xy" // any vector has these
	if d.pick(2) == 1 {
		letters = "rg"
	}
	e.text += "."
	for range s.size {
		e.text += string(letters[d.pick(2)])
	}
	return e, true
}

// text formats an access. Only values in memory get variable indexes: naga 22 refuses them for
// arrays and matrices that are values.
func (d *drawer) text(a access) string {
	text := a.variable.name
	for _, s := range a.steps {
		switch {
		case s.text != "":
			text += s.text
		case a.variable.memory && d.now.nesting < 6:
			text += "[" + d.index(s.length) + "]"
		default:
			text += fmt.Sprintf("[%d]", d.pick(s.length))
		}
	}
	return text
}

// counter returns the counter of a loop that stays below n.
func (d *drawer) counter(n int) (string, bool) {
	for _, v := range d.visible() {
		if v.below > 0 && v.below <= n {
			return v.name, true
		}
	}
	return "", false
}

// call draws a call of a function with this result shape. Each pointer argument gets its own
// variable: two pointers to the same one would be aliases (§ 11.4.1).
func (d *drawer) call(s *shape, depth int) (expr, bool) {
	var fitting []*function
	for _, f := range d.functions {
		if f.result != nil && f.result.same(s) {
			fitting = append(fitting, f)
		}
	}
	if len(fitting) == 0 || !d.calling() {
		return expr{}, false
	}
	text, ok := d.callText(fitting[d.pick(len(fitting))], depth)
	return expr{text: text, fixed: settled}, ok
}

// calling reports whether a function call is allowed here. In loops only main may call, so that
// programs end soon.
func (d *drawer) calling() bool { return d.now.function == nil || !d.now.looping }

func (d *drawer) callText(f *function, depth int) (string, bool) {
	var arguments []string
	taken := map[string]bool{}
	for _, p := range f.parameters {
		if !p.pointer {
			arguments = append(arguments, d.settle(p.shape, d.expr(p.shape, depth-1)).text)
			continue
		}
		i := slices.IndexFunc(d.visible(), func(v *variable) bool {
			return v.local && v.writable && v.shape.same(p.shape) && !taken[v.name]
		})
		if i < 0 {
			return "", false
		}
		name := d.visible()[i].name
		taken[name] = true
		if inner, pointer := strings.CutPrefix(name, "(*"); pointer {
			arguments = append(arguments, strings.TrimSuffix(inner, ")"))
			continue
		}
		arguments = append(arguments, "&"+name)
	}
	return fmt.Sprintf("%s(%s)", f.name, strings.Join(arguments, ", ")), true
}

// The parts of every program: given inputs, and a row of output for each invocation.
const (
	inputs      = 4
	counters    = 4
	declaration = `struct Params {
  i: i32,
  u: u32,
  f: f32,
  v: vec4<f32>,
  w: vec4<i32>,
  m: mat3x2<f32>,
  n: vec3<u32>,
}
struct In {
  i: vec4<i32>,
  u: vec4<u32>,
  f: vec4<f32>,
  m: mat2x2<f32>,
  v: vec3<f32>,
  w: u32,
}
struct Row {
  i: array<i32, 4>,
  u: array<u32, 4>,
  f: array<f32, 4>,
  x: array<f32, 8>,
  r: array<f32, 4>,
}
struct Out {
  us: array<atomic<u32>, 4>,
  is: array<atomic<i32>, 4>,
  rows: array<Row>,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<In>;
@group(0) @binding(2) var<storage, read_write> out: Out;
`
)

// Layouts of Params, In and Row, one letter per word: its type, x for padding, n for a word that is
// not a number until it is written.
const (
	paramsLayout = "iufxffffiiiiffffffxxuuux"
	inLayout     = "iiiiuuuufffffffffffu"
	rowLayout    = "iiiiuuuuffff" + "nnnnnnnn" + "nnnn"
)

var (
	paramsShape = &shape{name: "Params", members: []member{
		{"i", signed}, {"u", unsigned}, {"f", float}, {"v", vector(float, 4)}, {"w", vector(signed, 4)}, {"m", matrix(3, 2)}, {"n", vector(unsigned, 3)},
	}}
	inShape = &shape{name: "In", members: []member{
		{"i", vector(signed, 4)}, {"u", vector(unsigned, 4)}, {"f", vector(float, 4)}, {"m", matrix(2, 2)}, {"v", vector(float, 3)}, {"w", unsigned},
	}}
	rowShape = &shape{ // without operands and results, which expressions don't use
		name: "Row", members: []member{{"i", array(signed, rowWords)}, {"u", array(unsigned, rowWords)}, {"f", array(float, rowWords)}},
	}
)

// Sizes of workgroups and dispatches.
var (
	sizes      = [][3]uint32{{1, 1, 1}, {4, 1, 1}, {8, 1, 1}, {2, 3, 1}, {2, 2, 2}, {16, 1, 1}}
	dispatches = [][3]uint32{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 1}}
)

func (d *drawer) program() *Workload {
	size, groups := sizes[d.pick(len(sizes))], dispatches[d.pick(len(dispatches))]
	invocations := int(size[0] * size[1] * size[2])
	d.helpers = map[string]bool{}
	d.prelude.WriteString(declaration)
	d.scopes = [][]*variable{{
		{name: "params", shape: paramsShape, memory: true},
		{name: "input", shape: array(inShape, inputs), memory: true},
	}}
	d.shapes = append(d.shapes, scalars...)
	for _, s := range scalars {
		d.shapes = append(d.shapes, vector(s, 2), vector(s, 3), vector(s, 4))
	}
	d.shapes = append(d.shapes, matrix(2+d.pick(3), 2+d.pick(3)))
	d.declareTypes()
	d.declareConstants()
	for range d.pick(3) {
		d.declareFunction()
	}
	d.main(size, invocations)
	rows := invocations * int(groups[0]*groups[1]*groups[2])
	return &Workload{
		Source: d.prelude.String(), Workgroups: groups, Output: 2, header: 2 * counters, results: d.results,
		Buffers: []shader.Buffer{
			{Element: shader.Words, Bytes: d.words(paramsLayout)},
			{Element: shader.U32, Bytes: d.words(strings.Repeat(inLayout, inputs))},
			{Element: shader.U32, Bytes: d.words(strings.Repeat("u", counters) + strings.Repeat("i", counters) + strings.Repeat(rowLayout, rows))},
		},
	}
}

// words draws the bytes of a buffer with that layout.
func (d *drawer) words(layout string) []byte {
	words := make([]uint32, len(layout))
	for i, kind := range layout {
		switch kind {
		case 'i', 'u':
			words[i] = d.word()
		case 'f':
			words[i] = math.Float32bits(float32(d.between(-512, 511)) / 8)
		case 'n':
			words[i] = unwritten
		}
	}
	return shader.UintBuffer(words).Bytes
}

func (d *drawer) word() uint32 { return rapid.Uint32().Draw(d.t, "word") }

// declareTypes draws structures and arrays.
func (d *drawer) declareTypes() {
	for range d.pick(3) {
		s := &shape{name: d.fresh("S")}
		for i := range 1 + d.pick(3) {
			s.members = append(s.members, member{string(rune('a' + i)), d.oneShape(d.shapes...)})
		}
		d.prelude.WriteString(s.declaration())
		d.shapes = append(d.shapes, s)
	}
	for range d.pick(3) {
		d.shapes = append(d.shapes, array(d.oneShape(d.shapes...), 2+d.pick(3)))
	}
}

// declareConstants draws the module's constants, overrides and private variables.
func (d *drawer) declareConstants() {
	for range d.pick(3) {
		s := d.oneShape(scalars...)
		name, keyword := d.fresh("C"), "const"
		if d.has(Overrides) {
			keyword = d.one("const", "override")
		}
		fmt.Fprintf(&d.prelude, "%s %s: %s = %s;\n", keyword, name, s.name, d.literal(s).text)
		d.declare(&variable{name: name, shape: s, constant: true})
	}
	for range d.pick(3) {
		s, name := d.oneShape(d.shapes...), d.fresh("p")
		value := ""
		if s.isScalar() && d.pick(2) == 1 {
			value = " = " + d.literal(s).text
		}
		fmt.Fprintf(&d.prelude, "var<private> %s: %s%s;\n", name, s.name, value)
		d.declare(&variable{name: name, shape: s, writable: true, memory: true})
	}
}
