package syntax

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"vector-add", "matmul-tiled", "softmax"} {
		text, err := os.ReadFile("../../../exercises/" + name + "/reference.wgsl")
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Parse(NewSource("", string(text)))
			}
		})
	}
}

// BenchmarkRegion asks for a place on one long line, as the judge does for each edit of a shader.
func BenchmarkRegion(b *testing.B) {
	source := NewSource("", strings.Repeat("a+", MaxSource/2))
	for b.Loop() {
		source.Region(Span{Start: MaxSource - 2, End: MaxSource})
	}
}

// cpuTime returns the CPU time of this process. A busy machine doesn't stretch it.
func cpuTime(t *testing.T) time.Duration {
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// allocated returns how many bytes this process has allocated so far.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// TestHostile bounds the cost of sources designed to be expensive. Each has the maximum length. The
// bounds are far above the measured times (0.1 to 0.6 s), so that only a step up in complexity
// exceeds them.
func TestHostile(t *testing.T) {
	repeat := func(text string) string { return strings.Repeat(text, MaxSource/len(text)-10) }
	for name, text := range map[string]string{
		"parentheses":        "fn f() { let x = " + repeat("("),
		"closed":             "fn f() { let x = " + repeat("(1)"),
		"brackets":           "fn f() { let x = a" + repeat("[a"),
		"braces":             "fn f() " + repeat("{"),
		"template lists":     "alias T = " + repeat("a<"),
		"angles":             "fn f() { " + repeat("a < b > ") + " }",
		"minus signs":        "fn f() { let x = " + repeat("- "),
		"doubled minus":      "fn f() { let x = a" + repeat("--a"),
		"sum":                "fn f() { let x = 1" + repeat(" + 1") + "; }",
		"comparisons":        "fn f() { let x = 1" + repeat(" < 1") + "; }",
		"ternaries":          "fn f() { let x = " + repeat("a ? b : "),
		"members":            "fn f() { let x = a" + repeat(".b") + "; }",
		"else if":            "fn f() { if a { }" + repeat(" else if a { }") + " }",
		"elif":               "fn f() { if a { }" + repeat(" elif a { }") + " }",
		"if":                 "fn f() { " + repeat("if a "),
		"attributes":         repeat("@a ") + "fn f() { }",
		"bracketed":          repeat("[[a]] "),
		"functions":          repeat("fn f() { } "),
		"missing fn":         repeat("f() { } "),
		"pub":                repeat("pub "),
		"static":             "fn f() { " + repeat("static "),
		"C declarations":     "fn f() { " + repeat("int x; ") + " }",
		"casts":              "fn f() { let x = " + repeat("(int)"),
		"lists":              "fn f() { let x = " + repeat("["),
		"semicolons":         repeat(";"),
		"reserved words":     repeat("std "),
		"comments":           repeat("/*"),
		"line comments":      repeat("//\n"),
		"strings":            repeat("\" "),
		"defines":            repeat("#define A 1\n"),
		"look-alikes":        repeat("−"),
		"not UTF-8":          repeat("\xff"),
		"zero bytes":         repeat("\x00"),
		"digits":             "const a = " + repeat("1") + ";",
		"hexadecimal":        "const a = 0x" + repeat("1") + "p1f;",
		"digits after 1.":    "const a = 1." + repeat("1") + "f;",
		"a name":             "const " + repeat("a") + " = 1;",
		"cases":              "fn f() { switch 1 { " + repeat("case 1: x; ") + "} }",
		"do":                 "fn f() { " + repeat("do { "),
		"method calls":       "fn f() { a" + repeat(".b()"),
		"calls before brace": "fn f() { " + repeat("a((("),
		"types":              "var a: " + repeat("[1]"),
		"pointers":           "var a: " + repeat("*"),
	} {
		t.Run(name, func(t *testing.T) {
			start := cpuTime(t)
			file, diagnostics := Parse(NewSource("", text))
			took := cpuTime(t) - start
			assert.Less(t, took, 10*time.Second)
			assert.LessOrEqual(t, len(diagnostics), MaxDiagnostics)
			height := 0
			depth := 0
			Walk(file, func(Node) bool { depth++; height = max(height, depth); return true }, func(Node) { depth-- })
			assert.LessOrEqual(t, height, 3*MaxHeight+10*MaxNesting)
			t.Log(took.Round(time.Millisecond), height)
		})
	}
}

// A source that is too long isn't read: Parse would allocate several times its length.
func TestTooLong(t *testing.T) {
	text := strings.Repeat("fn f() { }\n", 1_000_000)
	before := allocated()
	file, diagnostics := Parse(NewSource("", text))
	assert.Less(t, allocated()-before, uint64(len(text)/4))
	assert.Zero(t, len(file.Decls))
	require.Len(t, diagnostics, 1)
	assert.EqualValues(t, "source-too-long", diagnostics[0].Kind)
}
