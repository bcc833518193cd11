package hostile

import (
	"cmp"
	"fmt"
	"strings"
)

// A Program is a malicious program in Go or JavaScript for the exercise host-add.
type Program struct {
	Source    string
	Script    bool
	Diagnosis string // the diagnosis that it must get; "" if any will do
}

// goProgram returns a program in Go: imports, lines of its function before a return of nil, and
// what is beside it.
func goProgram(imports, lines, beside string) string {
	var all strings.Builder
	lines = cmp.Or(lines, "_ = size") // a function without a line isn't begun
	all.WriteString("package main\n\nimport (\n\t\"github.com/wgslab/wgslab/pkg/wgpu\"\n")
	for path := range strings.FieldsSeq(imports) {
		fmt.Fprintf(&all, "\t%q\n", path)
	}
	fmt.Fprintf(&all, ")\n\nfunc addVectors(device *wgpu.Device, shader string, size int, a, b []float32) []float32 {\n\t%s\n\treturn nil\n}\n\n%s\n", lines, beside)
	return all.String()
}

const answerOfMachine = "github.com/wgslab/wgslab/internal/fronts/class/jail"

// Programs returns hostile programs by what they do. Each must cost that exercise its points and
// nothing else.
func Programs() map[string]Program {
	all := map[string]Program{
		"files":             {goProgram("os", `b0, _ := os.ReadFile("/etc/passwd"); panic(string(b0))`, ""), false, "compile"},
		"a socket":          {goProgram("net", `net.Dial("tcp", "127.0.0.1:22")`, ""), false, "compile"},
		"a shell":           {goProgram("os/exec", `exec.Command("sh").Run()`, ""), false, "compile"},
		"system calls":      {goProgram("syscall", `syscall.Kill(1, 9)`, ""), false, "compile"},
		"unsafe":            {goProgram("unsafe", `_ = unsafe.Pointer(device)`, ""), false, "compile"},
		"reflect":           {goProgram("reflect", `reflect.ValueOf(device).Elem()`, ""), false, "compile"},
		"the judge":         {goProgram(answerOfMachine, `jail.Enter()`, ""), false, "compile"},
		"another name":      {strings.Replace(goProgram("", "", ""), "import (", "import (\n\thidden \"os\"\n", 1), false, "compile"},
		"a dot":             {strings.Replace(goProgram("", "", ""), "import (", "import (\n\t. \"github.com/wgslab/wgslab/pkg/check\"\n", 1), false, "compile"},
		"check itself":      {goProgram("github.com/wgslab/wgslab/pkg/check", "", `func init() { check.Host("host-add", addVectors) }`), false, "compile"},
		"a shader's file":   {goProgram("github.com/wgslab/wgslab/pkg/gpu", `gpu.Compute[float32]("/etc/passwd", gpu.Elements(1))`, ""), false, "compile"},
		"cgo":               {"package main\n\n// #include <stdlib.h>\nimport \"C\"\n" + strings.TrimPrefix(goProgram("", "C.abort()", ""), "package main\n"), false, "compile"},
		"embed":             {goProgram("embed", "panic(text)", "//go:embed /etc/passwd\nvar text string"), false, "compile"},
		"linkname":          {goProgram("", "exit(0)", "//go:linkname exit os.runtime_beforeExit\nfunc exit(code int)"), false, "compile"},
		"debug settings":    {"//go:debug asyncpreemptoff=0\n" + goProgram("", "", ""), false, "compile"},
		"another line":      {goProgram("", "//line /etc/passwd:1:1\n\tdevice.CreateBuffer(nil)", ""), false, "compile"},
		"the first line":    {"//line /etc/passwd:1:1\n" + goProgram("", "device.CreateBuffer(nil)", ""), false, "compile"},
		"another line, too": {goProgram("", "/*line /etc/passwd:1:1*/ device.CreateBuffer(nil)", ""), false, "compile"},
		"no body":           {goProgram("", "hidden()", "func hidden()"), false, "compile"},
		"our names":         {goProgram("", "", "func mustYieldInEachLoop() {}"), false, ""},
		"not Go":            {"package main\n\nfunc addVectors( {{{\xff", false, "compile"},
		"NUL":               {goProgram("", "", "") + "\x00", false, "compile"},
		"large":             {goProgram("", "", "/*"+strings.Repeat("x", 1<<20)+"*/"), false, "compile"},
		"deep":              {goProgram("", "_ = "+strings.Repeat("(", 50_000)+"1"+strings.Repeat(")", 50_000), ""), false, ""},
		"a giant array":     {goProgram("", "_ = giant", "var giant = [1 << 33]byte{1 << 33 - 1: 1}"), false, ""},
		"giant constants":   {goProgram("", "_ = a9", constants()), false, ""},
		"giant types":       {goProgram("", "_ = T23{}", growingTypes()), false, ""},
		"much code":         {goProgram("", strings.Repeat("a[len(b)] = b[len(a)] + float32(size) * a[size]; ", 4000), ""), false, ""},
		"endless types":     {goProgram("", "f[int](9)", "type W[T any] struct{ v T }\nfunc f[T any](n int) { f[W[W[T]]](n - 1); f[W[T]](n - 1) }"), false, ""},

		"ends in init":    {goProgram("log", "", `func init() { log.Fatal("ok") }`), false, "crashed"},
		"prints":          {goProgram("fmt log", `fmt.Println("{\"verdict\":\"pass\"}"); log.Print("pass")`, ""), false, ""},
		"an endless loop": {goProgram("", "for {}", ""), false, "did-not-finish"},
		"an endless init": {goProgram("", "", "var x = func() int { for {} }()"), false, "did-not-finish"},
		"a jump back":     {goProgram("", "again: size++; goto again", ""), false, "did-not-finish"},
		"much memory":     {goProgram("", "var all [][]byte\n\tfor { all = append(all, make([]byte, 1<<24)); for i := range all[len(all)-1] { all[len(all)-1][i] = 1 } }", ""), false, ""},
		"memory in init":  {goProgram("", "", "var all = func() (all [][]byte) { for { all = append(all, make([]byte, 1<<24)); for i := range all[len(all)-1] { all[len(all)-1][i] = 1 } } }()"), false, ""},
		"goroutines":      {goProgram("", "for { go func() { select {} }() }", ""), false, ""},
		"a deep stack":    {goProgram("", "_ = f(1)", "func f(n int) int { return f(n+1) + n }"), false, ""},
		"a race": {goProgram("", `var x any
	type p struct{ at *int }
	type q struct{ at uintptr }
	for range 4 { go func() { for { x = p{new(int)} } }(); go func() { for { x = q{4096} } }() }
	for i := 0; i < 1<<22; i++ { if v, ok := x.(p); ok { *v.at = 1 } }`, ""), false, ""},
		"a panic of its own": {goProgram("errors", `panic(errors.New("the verdict is pass"))`, ""), false, ""},

		"script: endless":     {"async function addVectors(device) { for (;;) {} }", true, "did-not-finish"},
		"script: memory":      {"async function addVectors(device) { const all = []; for (;;) all.push(new Float64Array(1 << 20).fill(1)); }", true, ""},
		"script: a long text": {"async function addVectors(device) { let s = 'x'; for (;;) s += s; }", true, ""},
		"script: a stack":     {"async function addVectors(device) { const f = (n) => f(n + 1) + n; return f(1); }", true, ""},
		"script: a pattern":   {"async function addVectors(device) { /^(a+)+$/.test('a'.repeat(60) + 'b'); }", true, ""},
		"script: the machine": {"async function addVectors(device) { require('fs'); }", true, ""},
		"script: our parts":   {"for (const k of Object.keys(globalThis)) try { globalThis[k] = () => ({ result: new Float64Array(1), timed: true }); } catch {}\nasync function addVectors(device) { return new Float32Array(1); }", true, ""},
		"script: prototypes":  {"Promise.prototype.then = () => {}; Object.prototype.error = 'pass'; Array.prototype.push = () => 1;\nasync function addVectors(device, shader, size, a, b) { return a.map((x, i) => x + b[i]); }", true, ""},
		"script: computed":    {"async function addVectors(device, shader, size, a, b) { return a.map((x, i) => x + b[i]); }", true, ""},
		"script: endless top": {"for (;;) {}\nasync function addVectors() {}", true, "did-not-finish"},
	}
	return all
}

// constants returns constants that double in length.
func constants() string {
	var all strings.Builder
	all.WriteString("const a0 = \"0123456789abcdef\"\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&all, "const a%d = a%d + a%d\n", i, i-1, i-1)
	}
	return strings.ReplaceAll(all.String(), "a9 ", "a9 ") + "var _ = a29\n"
}

// growingTypes returns types that double in size, and arrays of them.
func growingTypes() string {
	var all strings.Builder
	all.WriteString("type T0 struct{ a, b map[string]func(int) chan int }\n")
	for i := 1; i < 24; i++ {
		fmt.Fprintf(&all, "type T%d struct{ a, b T%d; c func(T%d) T%d }\n", i, i-1, i-1, i-1)
	}
	return all.String()
}
