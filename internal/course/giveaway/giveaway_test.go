package giveaway

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wgslab/wgslab/internal/course"
)

// disguises are ways to say a statement without quoting it.
var disguises = []struct {
	name string
	of   func(statement) string
}{
	{"as it is", func(s statement) string { return "Write `" + s.text + "` there." }},
	{"other names", func(s statement) string { return "Try\n```wgsl\n" + renamed(s.text) + "\n```\nand check." }},
	{"in words", func(s statement) string { return "Now let me say it in words: " + inWords(s.tree) + "." }},
	{"pseudo-code", func(s statement) string { return "In pseudo-code:\n    " + pseudo(s.text) }},
	{"other order", func(s statement) string { return "You need\n" + inOrder(s.tree) + "\nhere." }},
	{"another language", func(s statement) string { return "In Python you would write:\n```python\n" + python(s.text) + "\n```" }},
}

// most is the share of give-aways that may pass, and that of honest hints that may be refused.
const most = 0.02

// TestGiveAways says each statement of each right solution in several disguises, and each hint of
// the course.
func TestGiveAways(t *testing.T) {
	passed, statements, hints, refused := map[string]int{}, 0, 0, 0
	for _, e := range append(course.Written(), course.OnHost...) {
		j, err := Of(e)
		if err != nil {
			t.Fatal(err)
		}
		statements += len(j.statements)
		for _, s := range j.statements {
			for _, d := range disguises {
				if j.Find(d.of(s), "") == "" {
					passed[d.name]++
				}
			}
		}
		hints += len(e.Hints)
		for _, hint := range e.Hints {
			if found := j.Find(hint, ""); found != "" {
				refused++
				t.Logf("refused for %q: %s", found, hint)
			}
		}
	}
	t.Logf("of %d statements pass: %v; of %d hints, %d are refused", statements, passed, hints, refused)
	for _, d := range disguises {
		if float64(passed[d.name]) > most*float64(statements) {
			t.Errorf("%s: %d of %d statements pass", d.name, passed[d.name], statements)
		}
	}
	if float64(refused) > most*float64(hints) || hints < 300 {
		t.Errorf("%d of %d hints are refused", refused, hints)
	}
}

// TestFind holds what people would write.
func TestFind(t *testing.T) {
	const own = "fn main(@builtin(global_invocation_id) id: vec3<u32>) { let k = id.x; out[k] = a[k]; }"
	for _, c := range []struct {
		exercise, text string
		found          bool
	}{
		{"row-sum", "Then `sum += x[row * cols + c];` is all that is left.", true},
		{"relu", "Set x at i to the maximum of x at i and 0.", true},
		{"transpose", "out[col * rows + row] ... no: out[id.y * n + id.x] = a[id.x * m + id.y]", true},
		{"vector-add", "Which two elements does invocation 3 need, and where does the result go?", false},
		{"vector-add", "Your line 4 reads b[i + 1]. Which element of b belongs to invocation 0?", false},
		{"saxpy", "y[i] = y[i] + alpha * x[i]", true},
		{"saxpy", "for i in range(n): y[i] += alpha * x[i]", true},
		{"saxpy", "It is the same sum as in the lesson before, with one factor more. What is multiplied?", false},
		{"matmul", "sum += a[row*K + k] * b[k*N + col]", true},
		{"matmul", "acc gets acc plus the product of a at (row times k plus i) and b at (i times n plus column)", true},
		{"matmul", "In row-major order, the rows before yours take row * columns numbers.", false},
		{"softmax", "float v = expf(data[base + c] - rowMax) / total; data[base + c] = v;", true},
		{"softmax", "Why does everybody subtract the largest score before exp? Try exp(100.0) in f32.", false},
		{"host-add", "pass.DispatchWorkgroups(uint32((n+size-1)/size), 1, 1)", true},
		{"matmul", strings.Repeat("(", 16<<10), false}, // and it takes no minutes
		{"matmul", strings.Repeat("a + ", 4<<10), false},
		{"host-add", "How many workgroups of 64 cover 130 elements? And what does DispatchWorkgroups count?", false},
	} {
		exercise, err := course.Find(c.exercise)
		if err != nil {
			t.Fatal(err)
		}
		j, err := Of(exercise)
		if err != nil {
			t.Fatal(err)
		}
		if found := j.Find(c.text, own); (found != "") != c.found {
			t.Errorf("%s: %q gives away %q", c.exercise, c.text, found)
		}
	}
}

// What the learner has may be spoken of, as a whole or in parts, and what it isn't yet may not.
func TestWhatTheLearnerHas(t *testing.T) {
	const product = "for (var i = 0u; i < dims.k; i++) { sum += a[row * dims.k + i] * b[i * dims.n + col]; }"
	for _, c := range []struct {
		exercise, own, text string
		found               bool
	}{
		{"matmul", "let n = dims.n; out[row * n + col] = sum;", "Line 7 has `out[row * n + col] = sum`.", false},
		{"matmul", product, "In `sum += a[row * dims.k + i] * b[i * dims.n + col];`, which i is it?", false},
		{"matmul", product, "What does `a[row * dims.k + i]` mean, and `b[i * dims.n + col]`?", false},
		{"matmul", product, "And then: out[row * dims.n + col] = sum", true},
		{"saxpy", "y[id.y] = params.alpha * x[i] + y[i];", "Which y does `params.alpha * x[i] + y[i]` need?", false},
		{"saxpy", "y[id.y] = params.alpha * x[i] + y[i];", "Write y[i] = params.alpha * x[i] + y[i]", true},
		{"saxpy", "y[i] = params.alpha * x[i] + y[i] + 1.0;", "What does `params.alpha * x[i] + y[i]` leave out?", false},
		{"saxpy", "y[i] = 1.0 + params.alpha * x[i] + y[i];", "You compute alpha times x at i plus y at i.", false},
		{"saxpy", "y[i] = params.alpha + x[i] * y[i];", "It is params.alpha * x[i] + y[i].", true},
		{"saxpy", "// y[i] = params.alpha * x[i] + y[i]\ny[i] = x[i];", "Your comment has y[i] = params.alpha * x[i] + y[i].", false},
		{"sum-together", "var value = 0.0; if (id.x < n) { value = x[id.x]; }", "When does `value = x[id.x];` run?", false},
		{"sum-together", "var value = 0.0;", "Then value = x[id.x]", true},
		{"blur-1d", "sum = sum + k[t] * x[clamp(at, 0, n - 1)];", "You add k at t times x at clamp(at, 0, n minus 1).", false},
	} {
		exercise, err := course.Find(c.exercise)
		if err != nil {
			t.Fatal(err)
		}
		j, err := Of(exercise)
		if err != nil {
			t.Fatal(err)
		}
		if found := j.Find(c.text, c.own); (found != "") != c.found {
			t.Errorf("%s, beside %q: %q gives away %q", c.exercise, c.own, c.text, found)
		}
	}
}

var name = regexp.MustCompile(`\b[A-Za-z_][A-Za-z0-9_.]*`)

// kept are names that a disguise leaves alone: they mean something.
var kept = strings.Fields("if for while return var let const u32 f32 i32 f16 uint32 uint64 int float32 must vec2 vec3 vec4 bitcast array")

func renamed(text string) string {
	names := map[string]string{}
	return name.ReplaceAllStringFunc(text, func(n string) string {
		if slices.Contains(kept, n) || strings.Contains(text, n+"(") || strings.Contains(text, n+"{") {
			return n
		}
		if names[n] == "" {
			names[n] = fmt.Sprintf("other%d", len(names))
		}
		return names[n]
	})
}

// inWords says a formula as a person reads it out.
func inWords(t *tree) string {
	words := map[string]string{"=": "becomes", "+": "plus", "-": "minus", "*": "times", "/": "divided by", "%": "modulo", "<": "is less than", "<=": "is at most", "==": "is equal to", "!=": "is not equal to", "&&": "and", "||": "or"}
	var kids []string
	for _, kid := range t.kids {
		said := inWords(kid)
		if strength[kid.op] > 0 && strength[t.op] >= strength[kid.op] || kid.op == "negative" {
			said = "(" + said + ")"
		}
		kids = append(kids, said)
	}
	function, isCall := strings.CutPrefix(t.op, "call ")
	switch {
	case len(t.kids) == 0 && !isCall:
		return t.text
	case t.op == "index" && strength[t.kids[1].op] > 0:
		return kids[0] + " at (" + kids[1] + ")"
	case t.op == "index":
		return kids[0] + " at " + kids[1]
	case isCall:
		return function + "(" + strings.Join(kids, ", ") + ")"
	case t.op == "negative":
		return "-" + kids[0]
	case words[t.op] != "":
		return strings.Join(kids, " "+words[t.op]+" ")
	}
	return strings.Join(kids, " "+t.op+" ")
}

func pseudo(text string) string {
	return strings.NewReplacer(" = ", " ← ", ":=", "←", "<=", "≤", ">=", "≥", " * ", " × ", ";", "", "let ", "", "var ", "").Replace(text)
}

// inOrder writes a formula with the operands of what commutes reversed.
func inOrder(t *tree) string {
	var kids []string
	for _, kid := range t.kids {
		said := inOrder(kid)
		if strength[kid.op] > 0 {
			said = "(" + said + ")"
		}
		kids = append(kids, said)
	}
	if commutes[t.op] {
		slices.Reverse(kids)
	}
	function, isCall := strings.CutPrefix(t.op, "call ")
	switch {
	case len(t.kids) == 0 && !isCall:
		return t.text
	case t.op == "index":
		return kids[0] + "[" + kids[1] + "]"
	case isCall:
		return function + "(" + strings.Join(kids, ", ") + ")"
	case t.op == "negative":
		return "-" + kids[0]
	case t.op == "<":
		return kids[1] + " > " + kids[0]
	case t.op == "<=":
		return kids[1] + " >= " + kids[0]
	}
	return strings.Join(kids, " "+t.op+" ")
}

var suffix = regexp.MustCompile(`\b([0-9]+)u\b`)

func python(text string) string {
	text = suffix.ReplaceAllString(text, "$1")
	text = strings.NewReplacer("let ", "", "var ", "", "const ", "", ":=", "=", "&&", "and", "||", "or", "params.", "", "dims.", "", "u32(", "int(", "f32(", "float(", "arrayLength(&", "arraylength(").Replace(text)
	return strings.TrimSuffix(text, ";")
}
