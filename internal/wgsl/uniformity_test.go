package wgsl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// writer writes random shaders that break at most the rules of uniformity (§ 15.2): some of their
// barriers may not be reached by all invocations together.
type writer struct {
	*rand.Rand
	text      strings.Builder
	functions int        // helpers so far: f0, f1, …
	scopes    [][]string // the variables that are visible: u32, in the function's memory
	values    [][]string // the lets and parameters that are visible: u32
	pointer   bool       // the function has the pointer parameter p
	loops     int        // around the current statement
	breakable bool       // inside a loop or switch
	names     int
	left      int // statements
}

const globals = `@group(0) @binding(0) var<storage, read_write> mem: array<u32>;
@group(0) @binding(1) var<storage, read> given: array<u32>;
@group(0) @binding(2) var<uniform> same: u32;
@group(0) @binding(3) var<storage, read_write> count: atomic<u32>;
var<workgroup> tile: vec4u;
var<private> own: u32;
fn lanes(p: ptr<function, vec3u>) -> u32 { return p.zx.y; }
fn swap(p: ptr<function, u32>, q: ptr<function, u32>) -> u32 { let old = *p; *p = *q; *q = old; return old; }
fn choose(p: ptr<function, u32>, q: ptr<function, u32>) -> u32 { if *p == 1u { *q = 0u; return *q; } return 2u; }
fn wait(p: ptr<function, u32>, q: ptr<function, u32>) -> u32 { if *p == 1u { workgroupBarrier(); } *p = *q; return 0u; }
`

// shader writes two helpers and an entry point.
func (w *writer) shader() string {
	w.text.WriteString(globals)
	for range 2 {
		w.scopes, w.values, w.pointer, w.left = [][]string{nil}, [][]string{{"v"}}, true, 3
		fmt.Fprintf(&w.text, "fn f%d(p: ptr<function, u32>, v: u32) -> u32 {\n", w.functions)
		w.statements(2)
		fmt.Fprintf(&w.text, "return %s;\n}\n", w.number(2))
		w.functions++
	}
	w.scopes, w.values, w.pointer, w.left = [][]string{nil}, [][]string{{"li", "wid.x", "same", "same", "0u", "2u", "3u", "3u"}}, false, 8
	w.text.WriteString("@compute @workgroup_size(4)\nfn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u) {\n")
	w.declare()
	w.declare()
	w.statements(4)
	w.text.WriteString("}\n")
	return w.text.String()
}

// one calls one of the functions.
func (w *writer) one(choices ...func()) { choices[w.IntN(len(choices))]() }

// pick returns one of the texts.
func (w *writer) pick(texts ...string) string { return texts[w.IntN(len(texts))] }

func (w *writer) name() string {
	w.names++
	return "x" + strconv.Itoa(w.names)
}

func (w *writer) declare() {
	name := w.name()
	fmt.Fprintf(&w.text, "var %s = %s;\n", name, w.number(2))
	last := len(w.scopes) - 1
	w.scopes[last] = append(w.scopes[last], name)
}

// variable returns a place that can be assigned.
func (w *writer) variable() string {
	var all []string
	for _, s := range w.scopes {
		all = append(all, s...)
	}
	if w.pointer {
		all = append(all, "*p")
	}
	if len(all) == 0 || w.IntN(16) == 0 {
		return w.pick("own", "mem[2]", "tile.x")
	}
	return all[w.IntN(len(all))]
}

// target returns a pointer for a helper.
func (w *writer) target() string {
	for range 5 {
		if v := w.variable(); v == "*p" {
			return "p"
		} else if strings.HasPrefix(v, "x") {
			return "&" + v
		}
	}
	return ""
}

// number writes an expression of type u32.
func (w *writer) number(depth int) string {
	var values []string
	for _, s := range w.values {
		values = append(values, s...)
	}
	if depth == 0 {
		return w.pick(append(values, "1u", w.variable())...)
	}
	switch w.IntN(14) {
	case 0:
		return "(" + w.number(depth-1) + w.pick(" + ", " * ", " | ") + w.number(0) + ")"
	case 1:
		return w.pick("given["+w.number(depth-1)+"]", "tile.zy.x", "(&tile).xy[0]", "atomicLoad(&count)", "atomicAdd(&count, 1u)", "arrayLength(&given)",
			"workgroupUniformLoad(&tile).x", "given[0]", "given[1]")
	case 2, 3, 4:
		if to := w.target(); to != "" && w.functions > 0 {
			return fmt.Sprintf("f%d(%s, %s)", w.IntN(w.functions), to, w.number(depth-1))
		}
	case 5:
		if p, q := w.target(), w.target(); p != "" && q != "" && p != q {
			return w.pick("swap", "choose", "choose", "wait") + "(" + p + ", " + q + ")"
		}
	case 6:
		return "select(" + w.number(depth-1) + ", 1u, " + w.condition(depth-1) + ")"
	}
	return w.number(0)
}

// condition writes an expression of type bool.
func (w *writer) condition(depth int) string {
	if depth == 0 {
		return w.number(0) + w.pick(" == ", " < ", " > ") + "2u"
	}
	switch w.IntN(4) {
	case 0:
		return "(" + w.condition(depth-1) + w.pick(" && ", " || ") + w.condition(depth-1) + ")"
	case 1:
		return "!(" + w.condition(depth-1) + ")"
	}
	return w.number(depth) + w.pick(" == ", " < ") + w.number(depth-1)
}

func (w *writer) block(depth int, after func()) {
	w.text.WriteString("{\n")
	w.scopes, w.values = append(w.scopes, nil), append(w.values, nil)
	w.statements(depth)
	if after != nil {
		after()
	}
	w.scopes, w.values = w.scopes[:len(w.scopes)-1], w.values[:len(w.values)-1]
	w.text.WriteString("}\n")
}

func (w *writer) statements(depth int) {
	for n := 1 + w.IntN(4); n > 0 && w.left > 0; n-- {
		w.left--
		w.statement(depth)
	}
}

func (w *writer) statement(depth int) {
	simple := []func(){
		w.declare,
		func() {
			name := w.name()
			fmt.Fprintf(&w.text, "let %s = %s;\n", name, w.number(2))
			last := len(w.values) - 1
			w.values[last] = append(w.values[last], name)
		},
		func() { fmt.Fprintf(&w.text, "%s = %s;\n", w.variable(), w.number(2)) },
		func() { fmt.Fprintf(&w.text, "%s = %s;\n", w.variable(), w.number(0)) },
		func() { fmt.Fprintf(&w.text, "mem[%s] %s %s;\n", w.number(2), w.pick("=", "+=", "|="), w.number(2)) },
		func() { // a vector and a pointer to it
			v, q := w.name(), w.name()
			fmt.Fprintf(&w.text, "var v%s = vec3u(%s); let %s = &v%s; %s.y = %s; ", v, w.number(1), q, v, q, w.number(1))
			fmt.Fprintf(&w.text, "%s = %s;\n", w.variable(), w.pick(q+".xz.y", "lanes("+q+")", "dot(*"+q+", "+q+".xyx)"))
		},
		func() { // a pointer to a variable
			if to := w.target(); to != "" {
				q := w.name()
				fmt.Fprintf(&w.text, "let %s = %s; *%s = %s; %s += %s;\n", q, to, q, w.number(1), w.variable(), "*"+q)
			}
		},
		func() { fmt.Fprintf(&w.text, "%s += %s;\n", w.variable(), w.number(1)) },
		func() { fmt.Fprintf(&w.text, "%s = %s;\n", w.variable(), w.pick("0u", "same")) },
		func() { fmt.Fprintf(&w.text, "mem[%s]%s;\n", w.number(2), w.pick("++", "--")) },
		func() { fmt.Fprintf(&w.text, "if %s { workgroupBarrier(); }\n", w.condition(1)) },
	}
	if depth == 0 || w.IntN(2) == 0 {
		w.one(simple...)
		return
	}
	w.one(func() { w.branch(depth) }, func() { w.loop(depth) }, func() { w.loop(depth) }, func() { w.counted(depth) }, func() { w.cases(depth) })
}

// jump writes a jump under a condition, where one is allowed.
func (w *writer) jump() {
	list := []string{"return;"}
	if w.functions < 2 {
		list[0] = "return " + w.number(0) + ";"
	}
	if w.breakable {
		list = append(list, "break;", "break;")
	}
	if w.loops > 0 {
		list = append(list, "continue;", "continue;")
	}
	fmt.Fprintf(&w.text, "if %s { %s = %s; %s }\n", w.condition(1), w.variable(), w.number(1), w.pick(list...))
}

func (w *writer) branch(depth int) {
	fmt.Fprintf(&w.text, "if %s ", w.condition(2))
	w.block(depth-1, func() {
		if w.IntN(3) == 0 {
			w.jump()
		}
	})
	if w.IntN(2) == 0 {
		w.text.WriteString("else ")
		w.block(depth-1, nil)
	}
}

func (w *writer) inLoop(f func()) {
	outer := w.breakable
	w.loops, w.breakable = w.loops+1, true
	f()
	w.loops, w.breakable = w.loops-1, outer
}

// loop writes a loop with a continuing part, which cannot use what a continue skips: only the
// declarations before all jumps.
func (w *writer) loop(depth int) {
	w.text.WriteString("loop {\n")
	w.scopes, w.values = append(w.scopes, nil), append(w.values, nil)
	w.declare()
	known := len(w.scopes[len(w.scopes)-1])
	w.inLoop(func() {
		w.jump()
		w.block(depth-1, w.jump)
	})
	w.scopes[len(w.scopes)-1] = w.scopes[len(w.scopes)-1][:known]
	w.values[len(w.values)-1] = nil
	fmt.Fprintf(&w.text, "continuing {\n%s = %s;\n", w.variable(), w.number(2))
	if w.IntN(2) == 0 {
		fmt.Fprintf(&w.text, "if %s { workgroupBarrier(); }\n", w.condition(0))
	}
	fmt.Fprintf(&w.text, "break if %s;\n}\n}\n", w.condition(1))
	w.scopes, w.values = w.scopes[:len(w.scopes)-1], w.values[:len(w.values)-1]
}

func (w *writer) counted(depth int) {
	i, start := w.name(), w.number(1)
	w.scopes, w.values = append(w.scopes, []string{i}), append(w.values, nil)
	if w.IntN(2) == 0 {
		fmt.Fprintf(&w.text, "for (var %s = %s; %s; %s = %s) ", i, start, w.condition(1), i, w.number(2))
	} else {
		fmt.Fprintf(&w.text, "{ var %s = %s;\nwhile %s ", i, start, w.condition(2))
		defer w.text.WriteString("}\n")
	}
	w.inLoop(func() {
		w.block(depth-1, func() {
			if w.IntN(2) == 0 {
				w.jump()
			}
		})
	})
	w.scopes, w.values = w.scopes[:len(w.scopes)-1], w.values[:len(w.values)-1]
}

func (w *writer) cases(depth int) {
	fmt.Fprintf(&w.text, "switch %s {\ncase 0u ", w.number(2))
	outer := w.breakable
	w.breakable = true
	w.block(depth-1, func() {
		if w.IntN(2) == 0 {
			w.jump()
		}
	})
	w.text.WriteString("default ")
	w.block(depth-1, nil)
	w.breakable = outer
	w.text.WriteString("}\n")
}

// TestUniformity writes random shaders and checks that Tint refuses the same ones.
// WGSLAB_UNIFORMITY is their number.
func TestUniformity(t *testing.T) {
	program, err := exec.LookPath("tint")
	if err != nil {
		t.Skip("left out: put tint on the PATH to compare the uniformity analysis with a second one")
	}
	count := 200
	if n, err := strconv.Atoi(os.Getenv("WGSLAB_UNIFORMITY")); err == nil {
		count = n
	}
	refused := 0
	for seed := range count {
		text := (&writer{Rand: rand.New(rand.NewPCG(2, uint64(seed)))}).shader()
		read := Read("", text, types.Options{Features: LanguageFeatures})
		require.Empty(t, read.Unrunnable(), "shader %d\n%s", seed, text)
		theirs, said := tint(t, program, text)
		if !read.Valid() {
			refused++
		}
		assert.Equal(t, theirs, read.Valid(), "shader %d\n%v\n%s\n%s", seed, read.Findings, said, text)
	}
	t.Logf("%d of %d are not uniform", refused, count)
	assert.Greater(t, refused, count/10)
	assert.Less(t, refused, count*9/10)
}
